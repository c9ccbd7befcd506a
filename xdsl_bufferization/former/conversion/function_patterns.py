"""
Patterns that change the signatures of functions, their returns and their calls.

Source: `BufferizeFuncOpConverter`, `BufferizeReturnOpConverter` and
`BufferizeCallOpConverter` of https://mlir.llvm.org/docs/Bufferization/ in LLVM 11
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    MemRefType,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.memref.allocations import AllocOp
from xdsl_bufferization.dialects.memref.copies import CopyOp
from xdsl_bufferization.former.conversion.type_converter import (
    BufferizeTypeConverter,
    ResultConversionKind,
)
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.xdsl_releases import replace_op

_APPENDED = ResultConversionKind.APPEND_TO_ARGUMENTS_LIST


@dataclass(frozen=True)
class _Results:
    """The types of the results that are kept, and of those that become arguments."""

    kept: Sequence[Attribute]
    appended: Sequence[Attribute]

    @staticmethod
    def of(types: Sequence[Attribute], converter: BufferizeTypeConverter) -> _Results:
        kept: list[Attribute] = []
        appended: list[Attribute] = []
        for type in types:
            for after, is_appended in _parts(type, converter):
                (appended if is_appended else kept).append(after)
        return _Results(kept, appended)


def _parts(
    type: Attribute, converter: BufferizeTypeConverter
) -> Sequence[tuple[Attribute, bool]]:
    """For each part of a result, its type, and whether it becomes an argument."""
    return [
        (after, converter.result_conversion_kind(before, after) is _APPENDED)
        for before in converter.decompose_type(type)
        for after in (converter.convert_type(before),)
    ]


@dataclass(frozen=True)
class BufferizeFuncOpConverter(RewritePattern):
    """
    Converts the signature of `func.func`: arguments and results are taken apart and
    converted, and results that are to be arguments follow the others.
    """

    converter: BufferizeTypeConverter

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: func.FuncOp, rewriter: PatternRewriter) -> None:
        inputs = [self.converter.convert_parts(t) for t in op.function_type.inputs]
        results = _Results.of(op.function_type.outputs.data, self.converter)
        type = FunctionType.from_lists(
            [*(type for types in inputs for type in types), *results.appended],
            results.kept,
        )
        if type == op.function_type:
            return
        if (entry := op.body.blocks.first) is not None:
            self._convert_arguments(entry, inputs)
            for appended in results.appended:
                entry.insert_arg(appended, len(entry.args), op.location)
        self._convert_attributes(op, inputs, len(results.appended))
        op.function_type = type
        rewriter.notify_op_modified(op)

    def _convert_arguments(
        self, entry: Block, types: Sequence[Sequence[Attribute]]
    ) -> None:
        builder = Builder(InsertPoint.at_start(entry))
        for argument, converted in zip([*entry.args], types, strict=True):
            if [*converted] == [argument.type]:
                continue
            parts: list[SSAValue] = []
            for type in converted:
                part = entry.insert_arg(type, argument.index, argument.location)
                part.name_hint = argument.name_hint
                parts.append(part)
            value = self.converter.pack(builder, argument.type, parts)
            argument.replace_all_uses_with(value)
            entry.erase_arg(argument)

    def _convert_attributes(
        self, op: func.FuncOp, types: Sequence[Sequence[Attribute]], appended: int
    ) -> None:
        """Arguments and results that are taken apart, or moved, lose their attributes."""
        if op.arg_attrs is not None:
            kept = [
                attributes if len(converted) == 1 else DictionaryAttr({})
                for attributes, converted in zip(op.arg_attrs, types, strict=True)
                for _ in converted
            ]
            op.arg_attrs = ArrayAttr([*kept, *[DictionaryAttr({})] * appended])
        if op.res_attrs is not None:
            op.res_attrs = ArrayAttr(
                attributes if len(parts) == 1 else DictionaryAttr({})
                for attributes, type in zip(
                    op.res_attrs, op.function_type.outputs, strict=True
                )
                for parts in (_parts(type, self.converter),)
                for _, is_appended in parts
                if not is_appended
            )


@dataclass(frozen=True)
class BufferizeReturnOpConverter(RewritePattern):
    """
    Converts returns: a result that has become an argument is copied there.

    `source_op` is the class or the name of the ops to convert. `target_op` makes the new op
    of the values that are still returned, `copy_op` the copy of a buffer into another; both
    may be op classes.
    """

    converter: BufferizeTypeConverter
    source_op: type[Operation] | str = func.ReturnOp
    target_op: Callable[..., Operation] = func.ReturnOp
    copy_op: Callable[[SSAValue, SSAValue], Operation] = CopyOp

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        function = op.parent_op()
        if not isinstance(function, func.FuncOp) or not self._is_source(op):
            return
        outputs = [*function.function_type.outputs]
        if [*op.operand_types] == outputs and self.source_op is self.target_op:
            return
        kept: list[SSAValue] = []
        appended: list[SSAValue] = []
        for operand in op.operands:
            values = self.converter.decompose_value(rewriter, operand)
            parts = _parts(operand.type, self.converter)
            for value, (_, is_appended) in zip(values, parts, strict=True):
                (appended if is_appended else kept).append(value)
        arguments = [*function.args]
        destinations = arguments[len(arguments) - len(appended) :]
        if [value.type for value in (*kept, *appended)] != [
            *outputs,
            *(destination.type for destination in destinations),
        ]:
            raise BufferizationError(
                op,
                "does not return what the signature of its function says",
                hint="convert functions with the same type converter, before returns",
            )
        for value, destination in zip(appended, destinations, strict=True):
            rewriter.insert(_at(op, self.copy_op(value, destination)))
        replace_op(rewriter, op, _at(op, self.target_op(*kept)), [])

    def _is_source(self, op: Operation) -> bool:
        if isinstance(self.source_op, str):
            return op_name(op) == self.source_op
        return isinstance(op, self.source_op)


@dataclass(frozen=True)
class BufferizeCallOpConverter(RewritePattern):
    """
    Converts the operands and results of `func.call` as in functions, and allocates a
    buffer for each result that has become an argument.
    """

    converter: BufferizeTypeConverter

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: func.CallOp, rewriter: PatternRewriter) -> None:
        results = _Results.of(op.result_types, self.converter)
        if (
            all(map(self.converter.is_legal, op.operand_types))
            and [*op.result_types] == results.kept
        ):
            return
        operands = [
            part
            for operand in op.operands
            for part in self.converter.decompose_value(rewriter, operand)
        ]
        buffers = [
            rewriter.insert(_at(op, _alloc(op, type))).results[0]
            for type in results.appended
        ]
        call = func.CallOp(op.callee, [*operands, *buffers], results.kept)
        call.attributes = op.attributes.copy()
        rewriter.insert(_at(op, call))
        returned, allocated = iter(call.results), iter(buffers)
        replacements = [
            self.converter.pack(
                rewriter,
                result.type,
                [
                    next(allocated if is_appended else returned)
                    for _, is_appended in _parts(result.type, self.converter)
                ],
            )
            for result in op.results
        ]
        replace_op(rewriter, op, [], replacements)


def _alloc(op: Operation, type: Attribute) -> memref.AllocOp:
    """An allocation for a result that the function writes to an argument."""
    if not isinstance(type, MemRefType) or DYNAMIC_INDEX in (sizes := type.get_shape()):
        raise BufferizationError(
            op,
            f"would need memory for a result of type {type}, and nothing tells how much",
            hint="let functions return what is of this type: set_result_conversion_kind "
            "with KEEP_AS_FUNCTION_RESULT",
        )
    return AllocOp.get(
        type.element_type,
        shape=sizes,
        layout=type.layout,
        memory_space=type.memory_space,
    )


def _at(op: Operation, new: Operation) -> Operation:
    """The new op, at the location of the op that it does the work of."""
    new.location = op.location
    return new


def populate_with_bufferize_op_conversion_patterns(
    converter: BufferizeTypeConverter,
    patterns: list[RewritePattern],
    source_op: type[Operation] | str = func.ReturnOp,
    target_op: Callable[..., Operation] = func.ReturnOp,
    copy_op: Callable[[SSAValue, SSAValue], Operation] = CopyOp,
) -> None:
    """
    Add the patterns for functions, returns and calls; see `BufferizeReturnOpConverter` for
    the ops.
    """
    patterns += (
        BufferizeFuncOpConverter(converter),
        BufferizeReturnOpConverter(converter, source_op, target_op, copy_op),
        BufferizeCallOpConverter(converter),
    )
