"""
How functions, returns and calls bufferize; and which results a function returns in donated
arguments, where they are copied to if need be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    MemRefLayoutAttr,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
    UnrankedTensorType,
)
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.dialects.bufferization import MaterializeInDestinationOp
from xdsl_bufferization.interfaces.buffer_effects import BufferEffectsOpInterface
from xdsl_bufferization.interfaces.bufferizable import (
    AliasingResults,
    AliasingValue,
    AnalysisState,
    BufferizableOpInterface,
    BufferRelation,
    Decisions,
    ForwardedCopy,
    MemoryUse,
)
from xdsl_bufferization.interfaces.bufferizer import Bufferizer, BufferTypes
from xdsl_bufferization.interfaces.dialect_attributes import BUFFER_LAYOUT
from xdsl_bufferization.interfaces.registry import register_model
from xdsl_bufferization.models.shared.allocations import (
    operands_to_copy,
    types_on_buffers,
)
from xdsl_bufferization.support.attributes import argument_attribute
from xdsl_bufferization.support.call_graph import returns_of
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.donation import (
    check_donations,
    donated_arguments,
    is_read_only,
)
from xdsl_bufferization.support.memref_types import (
    encoded_memory_space,
    fully_dynamic_type,
    identity_type,
    in_encoded_space,
    is_cast_guaranteed,
    is_identity_map,
    ranked_type,
)
from xdsl_bufferization.support.options import LayoutMapOption, OneShotOptions
from xdsl_bufferization.support.regions import index_of, reachable
from xdsl_bufferization.support.shaped_types import (
    MemRef,
    is_tensor,
    is_tensor_like,
    ranked_memref,
)


class FuncModel(BufferizableOpInterface):
    """
    `func.func`: memrefs as arguments and results.

    An argument is writable unless it has `bufferization.writable = false`, and has the
    layout that its attribute `bufferization.buffer_layout` gives, if there is one. A donated
    argument is the result that it is donated for, and so has the same type.
    """

    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        if not isinstance(value, BlockArgument) or "arg_attrs" not in op.properties:
            return True
        return not is_read_only(op, value.index)

    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        function = _function(op)
        inputs, attributes = function.function_type.inputs, function.arg_attrs
        if attributes is not None and len(attributes) != len(inputs):
            raise BufferizationError(
                op,
                f"has attributes of {len(attributes)} arguments, and {len(inputs)} arguments",
                hint="give each argument a dictionary in arg_attrs, which may be empty",
            )
        check_donations(function)
        for index, type in enumerate(function.function_type.inputs):
            layout = argument_attribute(function, index, BUFFER_LAYOUT)
            if layout is None:
                continue
            if (
                not isinstance(type, TensorType)
                or not isinstance(layout, AffineMapAttr | StridedLayoutAttr)
                or layout.get_affine_map().num_dims != type.get_num_dims()
            ):
                raise BufferizationError(
                    op,
                    f"has the layout {layout} for argument #{index} of type {type}",
                    hint="give a ranked tensor an affine map, or strides, of its rank",
                )

    def forwarded_copies(
        self, op: Operation, decisions: Decisions, options: OneShotOptions
    ) -> Sequence[ForwardedCopy]:
        # After the copies, each return has the results of donated arguments in the memory of
        # these, and all others in memory that the copies do not overwrite.
        function = _function(op)
        donations = donated_arguments(function)
        if not donations or not function.body.blocks:
            return ()
        donated = {result: function.args[i] for result, i in donations.items()}
        copies = [
            copy
            for return_op in returns_of(function)
            for copy in _copies(return_op, donated, decisions)
        ]
        if copies and not options.lets_take_part(MaterializeInDestinationOp.name):
            raise BufferizationError(
                copies[0].terminator,
                f"has to copy operand #{copies[0].operand} to a donated argument, or out of "
                "one, and copies stay on tensors",
                related=[("the function", op)],
                hint="add bufferization to the option dialect-filter",
            )
        return copies

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> Attribute:
        return _input_type(_function(op), index_of(value), types.options)

    def inferred_results(
        self, op: Operation, types: BufferTypes
    ) -> Sequence[Attribute] | None:
        function = _function(op)
        returns = [*returns_of(function)]
        if (
            not returns
            or types.options.function_boundary_type_conversion
            is not LayoutMapOption.INFER
            or types.is_recursive(function)
        ):
            return None
        donated = donated_arguments(function)
        outputs = zip(
            _output_types(function, types.options),
            returns[0].operands,
            *(_returned_types(op.operands, types) for op in returns),
            strict=True,
        )
        return [
            types.common_type(value, cast(Sequence[MemRef], returned))
            if is_tensor(value) and result not in donated
            else type
            for result, (type, value, *returned) in enumerate(outputs)
        ]

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        function = _function(op)
        inputs = _input_types(function, bufferizer.options)
        if function.body.blocks:
            for argument, type in zip(list(function.args), inputs, strict=True):
                if is_tensor(argument):
                    bufferizer.replace_argument(argument, type)
        outputs = None
        if function.body.blocks.first is not function.body.blocks.last:
            bufferizer.infer_types(function.body)
            outputs = self.inferred_results(op, bufferizer)
        # The only return of a function knows better.
        outputs = outputs or _output_types(function, bufferizer.options)
        function.function_type = FunctionType.from_lists(inputs, outputs)
        if function.arg_attrs is not None:
            function.arg_attrs = ArrayAttr(map(_without_hints, function.arg_attrs))


class ReturnModel(BufferizableOpInterface):
    """
    `func.return`, and the terminators of functions in other dialects: returns buffers, with
    the layout that they have, or that the options ask for; donated arguments themselves.
    """

    def memory_use(self, op: Operation, types: BufferTypes) -> MemoryUse | None:
        function = op.parent_op()
        if (
            types.options.function_boundary_type_conversion is LayoutMapOption.INFER
            or not isinstance(function, func.FuncOp)
        ):
            return MemoryUse(touches=False)
        # A donated argument is returned in the place of its result.
        donated = donated_arguments(function)
        wanted = {
            result: type
            for result, type in enumerate(_output_types(function, types.options))
            if result not in donated
        }
        relaid = operands_to_copy(op, wanted, types)
        return None if relaid is None else MemoryUse(touches=False, relaid=relaid)

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        function = op.parent_op()
        if not isinstance(function, func.FuncOp):
            raise bufferizer.error("is not within a function")
        types = list(
            _returned_types(op.operands, bufferizer)
            if _has_results_of_return(function, bufferizer)
            else function.function_type.outputs
        )
        # While the function is being rewritten, it has tensors beside their buffers.
        arguments = [a for a in function.args if not is_tensor(a)]
        returned = [*op.operands]
        for result, argument in donated_arguments(function).items():
            if is_tensor(op.operands[result]):
                types[result] = arguments[argument].type
                returned[result] = arguments[argument]
        operands = [*map(bufferizer.buffer_of_type, returned, types)]
        bufferizer.rebuild(op, operands, ())
        bufferizer.replace(op)
        function.function_type = FunctionType.from_lists(
            function.function_type.inputs.data, [operand.type for operand in operands]
        )


class CallModel(BufferizableOpInterface):
    """`func.call`: does to its operands what the called function does to its arguments."""

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        summary = state.summary_of(op)
        return summary is None or summary.reads[operand]

    def writes(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        summary = state.summary_of(op)
        return summary is None or summary.writes[operand]

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        summary = state.summary_of(op)
        if summary is None:
            return [
                AliasingValue(result, BufferRelation.UNKNOWN, False)
                for result in op.results
                if is_tensor(result)
            ]
        return [
            AliasingValue(op.results[i], BufferRelation.EQUIVALENT)
            if summary.equivalent[i] == operand
            else AliasingValue(op.results[i], BufferRelation.UNKNOWN, False)
            for i in summary.returns[operand]
        ]

    def aliasing_results(
        self, op: Operation, state: AnalysisState
    ) -> Sequence[AliasingResults]:
        summary = state.summary_of(op)
        if summary is None:
            return ()
        return [
            AliasingResults(
                [op.results[i] for i in group],
                BufferRelation.EQUIVALENT
                if group in summary.identical
                else BufferRelation.UNKNOWN,
            )
            for group in summary.shared
        ]

    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        summary = state.summary_of(op)
        return summary is None or summary.writable[index_of(value)]

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> Attribute:
        callee, result = types.callee(op), index_of(value)
        donated = donated_arguments(callee)
        if result not in donated:
            return _output_type(callee, result, donated, types.options)
        wanted = _input_type(callee, donated[result], types.options)
        given = types.buffer_type(op.operands[donated[result]])
        # The result is the operand's buffer, also if that is cast to the argument's type.
        return given if is_cast_guaranteed(given, wanted) else wanted

    def memory_use(self, op: Operation, types: BufferTypes) -> MemoryUse | None:
        callee = types.callee(op)
        conversion = types.options.function_boundary_type_conversion
        wanted = {
            index: _input_type(callee, index, types.options)
            for index in range(len(op.operands))
            # Any layout can be cast to the dynamic one that an argument has by default.
            if conversion is LayoutMapOption.IDENTITY
            or argument_attribute(callee, index, BUFFER_LAYOUT) is not None
        }
        relaid = operands_to_copy(op, wanted, types)
        return None if relaid is None else MemoryUse(relaid=relaid)

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        callee = bufferizer.callee(op)
        inputs = _input_types(callee, bufferizer.options)
        outputs = _output_types(callee, bufferizer.options)
        operands = [*map(bufferizer.buffer_of_type, op.operands, inputs)]
        call = bufferizer.rebuild(op, operands, outputs)
        results: list[SSAValue] = [*call.results]
        for result, argument in donated_arguments(callee).items():
            if is_tensor(op.results[result]):
                given = bufferizer.buffer(op.operands[argument])
                is_cast = is_cast_guaranteed(given.type, inputs[argument])
                results[result] = given if is_cast else operands[argument]
        bufferizer.replace(op, results)


def _has_results_of_return(function: func.FuncOp, bufferizer: Bufferizer) -> bool:
    """Whether the types of the function's results are those of its only return."""
    return (
        bufferizer.options.function_boundary_type_conversion is LayoutMapOption.INFER
        and function.body.blocks.first is function.body.blocks.last
        and not bufferizer.is_recursive(function)
    )


def _returned_types(
    values: Sequence[SSAValue], types: BufferTypes
) -> Sequence[Attribute]:
    """The types that a return gives its values if nothing else is asked for."""
    found = types_on_buffers(values, types)
    if not types.options.use_encoding_for_memory_space:
        return found
    return [
        in_encoded_space(value.type, cast(MemRef, type)) if is_tensor(value) else type
        for value, type in zip(values, found, strict=True)
    ]


def _input_types(function: func.FuncOp, options: OneShotOptions) -> Sequence[Attribute]:
    """The types of the arguments, before and after the function is rewritten."""
    return [
        _input_type(function, index, options)
        for index in range(len(function.function_type.inputs))
    ]


def _input_type(
    function: func.FuncOp, index: int, options: OneShotOptions
) -> Attribute:
    type = function.function_type.inputs.data[index]
    buffer_type = _boundary_type(type, options)
    layout = argument_attribute(function, index, BUFFER_LAYOUT)
    if not isinstance(layout, MemRefLayoutAttr) or buffer_type is type:
        return buffer_type
    if is_identity_map(layout):
        layout = NoneAttr()
    ranked = ranked_memref(buffer_type)
    return ranked_type(ranked.element_type, ranked.shape, layout, ranked.memory_space)


def _output_types(
    function: func.FuncOp, options: OneShotOptions
) -> Sequence[Attribute]:
    """
    The types of the results, as far as they do not depend on what is returned: those of
    donated arguments, and of all after the function is rewritten.
    """
    donated = donated_arguments(function)
    return [
        _output_type(function, result, donated, options)
        for result in range(len(function.function_type.outputs))
    ]


def _output_type(
    function: func.FuncOp,
    result: int,
    donated: Mapping[int, int],
    options: OneShotOptions,
) -> Attribute:
    """The type of one result, given the arguments that are donated for results."""
    type = function.function_type.outputs.data[result]
    if result in donated and is_tensor_like(type):
        return _input_type(function, donated[result], options)
    return _boundary_type(type, options)


def _function(op: Operation) -> func.FuncOp:
    """The op that the model of functions is asked about."""
    assert isinstance(op, func.FuncOp)
    return op


def _boundary_type(type: Attribute, options: OneShotOptions) -> Attribute:
    """The type of an argument, or of a result whose buffer is not known."""
    if not is_tensor_like(type):
        return type
    space = (
        encoded_memory_space(type) if options.use_encoding_for_memory_space else None
    )
    if options.function_boundary_type_conversion is LayoutMapOption.IDENTITY:
        return identity_type(type, space)
    return fully_dynamic_type(type, space)


def _without_hints(attributes: DictionaryAttr) -> DictionaryAttr:
    """An argument's attributes without those for bufferization."""
    return DictionaryAttr(
        {
            name: attribute
            for name, attribute in attributes.data.items()
            if not name.startswith("bufferization.")
        }
    )


def register() -> None:
    """Register the models for the dialect's ops."""
    register_model("func.call", CallModel())
    register_model("func.func", FuncModel())
    register_model("func.return", ReturnModel())
    register_model("func.*", BufferEffectsOpInterface())


def _copies(
    return_op: Operation, donated: Mapping[int, SSAValue], decisions: Decisions
) -> Iterator[ForwardedCopy]:
    overwritten = {
        result: argument
        for result, argument in donated.items()
        if is_tensor(argument)
        and not _is_there(return_op.operands[result], argument, decisions)
    }
    for result, value in enumerate(return_op.operands):
        if not overwritten or not is_tensor(value):
            continue
        destination = overwritten.get(result)
        # Copies are made in the order of the results, but those to new memory before.
        before = {
            argument
            for other, argument in overwritten.items()
            if other < result or destination is None
        }
        is_lost = not before.isdisjoint(decisions.memory_of(value))
        if destination is None and (result in donated or not is_lost):
            continue
        if isinstance(value.type, UnrankedTensorType):
            raise BufferizationError(
                return_op,
                f"returns result #{result} in other memory than that of the argument "
                "donated for it, or for another result, and cannot copy a tensor of "
                "unknown rank",
                related=[("the function", return_op.parent_op())],
                hint="cast the tensor to a ranked type",
            )
        yield ForwardedCopy(
            return_op, result, destination, destination is not None and is_lost
        )


def _is_there(value: SSAValue, argument: SSAValue, decisions: Decisions) -> bool:
    """
    Whether the tensor is in the memory of the argument, and stays there when functions that
    it comes from have to return a copy, as their arguments are not donated.
    """
    if not decisions.is_equivalent(argument, value):
        return False
    is_equivalent = partial(decisions.is_equivalent, argument)
    for source in reachable(
        [value], lambda v: filter(is_equivalent, decisions.sources_of(v))
    ):
        if isinstance(source, OpResult) and isinstance(source.op, func.CallOp):
            summary = decisions.summary_of(source.op)
            if summary is None or source.index not in summary.donated:
                return False
    return True
