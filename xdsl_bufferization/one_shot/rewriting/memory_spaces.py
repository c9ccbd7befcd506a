"""
The memory spaces that buffers will be in, known before anything is changed.

A copy is in the memory space of what it copies. A program without a valid memory space, or
type, for one of its buffers is refused before it is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet

from xdsl.dialects import func
from xdsl.dialects.builtin import AffineMapAttr, MemRefType, NoneAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xdsl_bufferization.interfaces.bufferizable import ForwardedCopy, ModelOf
from xdsl_bufferization.interfaces.dialect_attributes import BUFFER_LAYOUT
from xdsl_bufferization.one_shot.rewriting.buffer_types import BufferTypeInference
from xdsl_bufferization.support.call_graph import CallGraph, returns_of
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.memref_types import (
    fully_dynamic_type,
    in_encoded_space,
    is_identity_map,
    memory_space_of,
)
from xdsl_bufferization.support.options import LayoutMapOption, OneShotOptions
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.support.shaped_types import (
    MemRef,
    is_memref_type,
    is_tensor,
    is_tensor_like,
)


def has_unusual_memory(op: Operation) -> bool:
    """
    Whether the op names a memory space or layout, or has a memref in one or with a map.
    """
    if "memory_space" in op.properties or "memory_space" in op.attributes:
        return True
    if isinstance(op, func.FuncOp):
        return gives_layouts(op)
    return any(
        not isinstance(type.memory_space, NoneAttr)
        or (isinstance(type, MemRefType) and isinstance(type.layout, AffineMapAttr))
        for type in memref_types(op)
    )


def has_ordinary_memory(op: Operation) -> bool:
    """
    Whether the op names no memory space, and all its memrefs have the types of new buffers.
    """
    return not (
        "memory_space" in op.properties or "memory_space" in op.attributes
    ) and all(
        isinstance(type, MemRefType)
        and isinstance(type.layout, NoneAttr)
        and isinstance(type.memory_space, NoneAttr)
        for type in memref_types(op)
    )


def gives_layouts(function: func.FuncOp) -> bool:
    """Whether the function names another layout than the identity for an argument."""
    return function.arg_attrs is not None and any(
        BUFFER_LAYOUT in attributes.data
        and not is_identity_map(attributes.data[BUFFER_LAYOUT])
        for attributes in function.arg_attrs
    )


def memref_types(op: Operation) -> Sequence[MemRef]:
    """The types of the op's operands and results that are memrefs."""
    return [
        type
        for values in (op.operands, op.results)
        for value in values
        if is_memref_type(type := value.type)
    ]


class _TypesAhead(BufferTypeInference):
    """The types of buffers of a program to which copies are still to be added."""

    def __init__(
        self,
        options: OneShotOptions,
        model_of: ModelOf,
        callee_of: Callable[[Operation], func.FuncOp | None],
        recursive: AbstractSet[func.FuncOp],
        copies: Iterable[ForwardedCopy],
        *,
        rewritten: bool,
    ):
        super().__init__(options, model_of, callee_of, recursive)
        self._rewritten = rewritten
        self._with_copies = {copy.terminator.parent_op() for copy in copies}

    def unknown_type(self, value: SSAValue) -> MemRef:
        if self._rewritten:
            return super().unknown_type(value)
        # It stays a tensor, wherever it is.
        return fully_dynamic_type(value.type)

    def common_type(self, value: SSAValue, types: Sequence[MemRef]) -> MemRef:
        # A forwarded tensor that is copied will be in the memory space of the first type.
        owner = value.owner
        if isinstance(owner, Block) and owner.parent_op() in self._with_copies:
            space = memory_space_of(types[0])
            types = [type for type in types if memory_space_of(type) == space]
        return super().common_type(value, types)


class MemorySpaces:
    """
    The memory spaces of the buffers of a program on tensors, to which `copies` are still
    to be added; that it will be `rewritten` then needs those of what unknown ops return.

    `scopes` are the outermost ops, those of callees before those of callers. Raises
    `BufferizationError` if a tensor has no valid memory space.
    """

    def __init__(
        self,
        options: OneShotOptions,
        model_of: ModelOf,
        call_graph: CallGraph,
        scopes: Iterable[Sequence[Operation]],
        copies: Iterable[ForwardedCopy],
        *,
        rewritten: bool = True,
    ):
        self._options = options
        self._call_graph = call_graph
        self._signatures: dict[func.FuncOp, func.FuncOp] = {}
        """By function: a declaration with the results that it will have."""
        self._types = _TypesAhead(
            options,
            model_of,
            self._declaration,
            call_graph.recursive,
            copies,
            rewritten=rewritten,
        )
        for scope in scopes:
            self._infer(scope, model_of)

    def of(self, value: SSAValue) -> Attribute | None:
        """The memory space of the tensor's buffer; `None` for the default one."""
        space = memory_space_of(self._types.buffer_type(value))
        return None if isinstance(space, NoneAttr) else space

    def _infer(self, scope: Sequence[Operation], model_of: ModelOf) -> None:
        outermost = set(scope)
        for op in walk(scope):
            model = model_of(op) if op.regions else None
            if model is None:
                for region in op.regions:
                    self._types.infer_types(region)
            elif op in outermost:
                model.infer_region_types(op, self._types)
            if isinstance(op, func.FuncOp) and model is not None:
                self._declare(op)

    def _declare(self, function: func.FuncOp) -> None:
        """Check the types of arguments and results, and note those of results."""
        signature = function.function_type
        for type in (*signature.inputs, *signature.outputs):
            if is_tensor_like(type) and not function.body.blocks:
                self._types.default_memory_space(type, function)
        for argument in function.args if function.body.blocks else ():
            if is_tensor(argument):
                self._types.buffer_type(argument)
        returns = [*returns_of(function)]
        if (
            not returns
            or self._options.function_boundary_type_conversion
            is not LayoutMapOption.INFER
            or function in self._call_graph.recursive
        ):
            return
        outputs = [
            self._returned_type(type, values) if is_tensor_like(type) else type
            for type, *values in zip(
                signature.outputs, *(op.operands for op in returns), strict=True
            )
        ]
        for result, argument in donated_arguments(function).items():
            if is_tensor_like(signature.outputs.data[result]):
                outputs[result] = self._types.buffer_type(function.args[argument])
        self._signatures[function] = func.FuncOp.external(
            function.sym_name.data, signature.inputs.data, outputs
        )

    def _returned_type(self, tensor: Attribute, values: Sequence[SSAValue]) -> MemRef:
        """The type of a result of the tensor type that is one of the values."""
        types = [self._types.buffer_type(value) for value in values]
        if self._options.use_encoding_for_memory_space:
            types = [in_encoded_space(tensor, type) for type in types]
        return self._types.common_type(values[0], types)

    def _declaration(self, call: Operation) -> func.FuncOp | None:
        """The called function, as a declaration if that is known."""
        callee = self._call_graph.callee(call)
        return None if callee is None else self._signatures.get(callee, callee)
