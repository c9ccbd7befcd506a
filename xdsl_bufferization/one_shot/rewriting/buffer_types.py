"""
The memref type that the buffer of each tensor will have: its layout and memory space.

    %e = tensor.empty()                        // memref<8xf32>
    %a = tensor.extract_slice %e[4] [4] [1]    // memref<4xf32, strided<[1], offset: 4>>
    %s = arith.select %c, %a, %n               // memref<4xf32, strided<[?], offset: ?>>

`MemorySpaces` knows the memory spaces that buffers will be in before anything is changed. A copy
is in the memory space of what it copies. A program without a valid memory space, or type, for one
of its buffers is refused before it is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import NoneAttr
from xdsl.ir import (
    Attribute,
    Block,
    Operation,
    OpResult,
    Region,
    SSAValue,
)

from xdsl_bufferization.interfaces.bufferizable import (
    NOTHING_KNOWN,
    BufferizableOpInterface,
    BufferRelation,
    ForwardedCopy,
    ModelOf,
)
from xdsl_bufferization.interfaces.dialect_attributes import BUFFER_LAYOUT
from xdsl_bufferization.support.call_graph import CallGraph
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.failures import mistake
from xdsl_bufferization.support.memref_types import (
    NotStridedError,
    encoded_memory_space,
    fully_dynamic_type,
    has_identity_layout,
    identity_type,
    is_identity_map,
    memory_space_of,
)
from xdsl_bufferization.support.options import LayoutMapOption, OneShotOptions
from xdsl_bufferization.support.regions import blocks_in_order, walk
from xdsl_bufferization.support.shaped_types import (
    MemRef,
    is_memref_type,
    is_tensor,
    is_tensor_like,
)
from xdsl_bufferization.support.tensor_like import BufferLikeType, TensorLikeType


class BufferTypeInference:
    """
    Infers the types of the buffers of a program on tensors, which it does not change.

    Its methods are described in `BufferTypes`, which it implements. `model_of` gives the
    model of an op that is bufferized, `callee_of` the function that an op calls;
    `recursive` are the functions that may call themselves.
    """

    def __init__(
        self,
        options: OneShotOptions,
        model_of: ModelOf,
        callee_of: Callable[[Operation], func.FuncOp | None],
        recursive: AbstractSet[func.FuncOp] = frozenset(),
    ):
        self.options = options
        self.model_of = model_of
        self._callee_of = callee_of
        self._recursive = recursive
        self._types: dict[SSAValue, MemRef] = {}
        self._changes = 0
        """How often a type that was known became another one."""
        self._inferred: dict[Region, int] = {}
        """By region whose types are inferred: the changes until then; valid if no more since."""

    def buffer_type(self, value: SSAValue) -> MemRef:
        if (known := self._types.get(value)) is not None:
            return known
        owner = value.owner
        op = owner if isinstance(owner, Operation) else owner.parent_op()
        model = None if op is None else self.model_of(op)
        if op is None or model is None:
            return self.unknown_type(value)
        if isinstance(owner, Block) and owner.prev_block and (region := owner.parent):
            # The type depends on what branches to the block forward.
            self.infer_types(region)
            return self._types[value]
        try:
            known = model.buffer_type(op, value, self)
        except NotStridedError as error:
            raise no_view_error(op, error) from error
        if not (is_memref_type(known) or isinstance(known, BufferLikeType)):
            raise mistake(
                op,
                f"{type(model).__name__}.buffer_type returns {known} for {value.type}, but is "
                "to return the type of a memref",
            )
        buffer_type = self._types[value] = cast(MemRef, known)
        return buffer_type

    def set_buffer_type(self, value: SSAValue, type: Attribute) -> None:
        self._note_change(self._types.get(value), type)
        self._types[value] = cast(MemRef, type)

    def _note_change(self, known: MemRef | None, type: Attribute) -> None:
        if known is not None and known != type:
            self._changes += 1

    def infer_types(self, region: Region) -> None:
        # Each op of a nest of regions asks for all types in its regions.
        if self._inferred.get(region) == self._changes:
            return
        blocks = blocks_in_order(region)
        if len(blocks) == 1:
            self._infer_block_types(blocks[0])
        else:
            self._infer_types_of_blocks(blocks)
        self._inferred[region] = self._changes

    def _infer_types_of_blocks(self, blocks: Sequence[Block]) -> None:
        forwarded = self._forwarded_to_arguments(blocks)
        # An argument has the types that earlier blocks forward to it. Those that later
        # blocks forward are known only at the end of a round. If they differ, the
        # argument gets a more general type, and there is another round.
        known: dict[SSAValue, list[MemRef]] = {argument: [] for argument in forwarded}
        settled = False
        while not settled:
            for index, block in enumerate(blocks):
                for argument in block.args:
                    if argument in forwarded:
                        types = [
                            *known[argument],
                            *(
                                self.buffer_type(value)
                                for position, value in forwarded[argument]
                                if position < index
                            ),
                        ]
                        self.set_buffer_type(
                            argument, self.common_type(argument, types)
                        )
                self._infer_block_types(block)
            settled = True
            for argument, values in forwarded.items():
                have = self._types[argument]
                common = self.common_type(
                    argument, [have, *(self.buffer_type(value) for _, value in values)]
                )
                if common != have:
                    known[argument] = [common]
                    settled = False

    def _forwarded_to_arguments(
        self, blocks: Sequence[Block]
    ) -> dict[SSAValue, list[tuple[int, SSAValue]]]:
        """
        For each tensor argument the values that branches forward to it, each with the
        index of the branch's block; without arguments to which only unknown branches do.
        """
        forwarded: dict[SSAValue, list[tuple[int, SSAValue]]] = {
            argument: []
            for b in blocks[1:]
            for argument in b.args
            if is_tensor(argument)
        }
        for position, block in enumerate(blocks):
            branch = block.last_op
            model = None if branch is None else self.model_of(branch)
            if branch is None or model is None:
                continue
            for index, value in enumerate(branch.operands):
                if is_tensor(value):
                    for alias in model.aliasing_values(branch, index, NOTHING_KNOWN):
                        if alias.value in forwarded:
                            forwarded[alias.value].append((position, value))
        return {argument: values for argument, values in forwarded.items() if values}

    def _infer_block_types(self, block: Block) -> None:
        for op in block.ops:
            model = self.model_of(op)
            if model is None:
                continue
            if op.regions:
                model.infer_region_types(op, self)
            for result in op.results:
                if is_tensor(result):
                    known = self._types.pop(result, None)
                    self._note_change(known, self.buffer_type(result))

    def unknown_type(self, value: SSAValue) -> MemRef:
        """The type of the buffer of a tensor that an op on tensors defines."""
        space = self.default_memory_space(value.type, _op_of(value))
        if self.options.unknown_type_conversion is LayoutMapOption.IDENTITY:
            return identity_type(value.type, space)
        return fully_dynamic_type(value.type, space)

    def default_memory_space(
        self, tensor: Attribute, op: Operation | None
    ) -> Attribute | None:
        if self.options.must_infer_memory_space:
            raise BufferizationError(
                op,
                f"needs to know the memory space of {tensor}, and nothing tells it",
                hint="start from a bufferization.alloc_tensor with a memory_space, or "
                "from a memref; or do without the option must-infer-memory-space",
            )
        if self.options.use_encoding_for_memory_space:
            return encoded_memory_space(tensor)
        return None

    def common_type(self, value: SSAValue, types: Sequence[MemRef]) -> MemRef:
        if not types:
            # Control never gets to where the tensor is.
            return identity_type(value.type)
        first = types[0]
        if all(type == first for type in types):
            return first
        spaces = {str(memory_space_of(type)): None for type in types}
        if len(spaces) > 1:
            raise BufferizationError(
                _op_of(value),
                f"is in one of several memory spaces: {', '.join(spaces)}",
                hint="copy all tensors that it may be to the same memory space, with "
                "bufferization.alloc_tensor",
            )
        if isinstance(value.type, TensorLikeType):
            common = value.type.common_buffer_type(types)
            if common is None:
                kinds = dict.fromkeys(map(str, types))
                raise BufferizationError(
                    _op_of(value),
                    f"is in a buffer of one of several types: {', '.join(kinds)}",
                    hint=f"let {value.type.name} define common_buffer_type",
                )
            return cast(MemRef, common)
        return fully_dynamic_type(value.type, memory_space_of(first))

    def default_buffer_type(self, op: Operation, value: SSAValue) -> MemRef:
        model = self.model_of(op)
        if (
            model is not None
            and isinstance(value, OpResult)
            and not model.allocates(op, value)
        ):
            for index, operand in enumerate(op.operands):
                if is_tensor(operand):
                    for alias in model.aliasing_values(op, index, NOTHING_KNOWN):
                        if (
                            alias.value is value
                            and alias.definite
                            and alias.relation is BufferRelation.EQUIVALENT
                        ):
                            return self.buffer_type(operand)
        return identity_type(value.type, self.default_memory_space(value.type, op))

    def callee(self, call: Operation) -> func.FuncOp:
        callee = self._callee_of(call)
        if callee is None:
            raise BufferizationError(call, "calls a function that is not in the module")
        return callee

    def is_recursive(self, function: func.FuncOp) -> bool:
        return function in self._recursive


def _op_of(value: SSAValue) -> Operation | None:
    owner = value.owner
    return owner if isinstance(owner, Operation) else owner.parent_op()


def no_view_error(op: Operation, error: NotStridedError) -> BufferizationError:
    """The error about an op whose result cannot be a strided view of its operand."""
    return BufferizationError(
        op,
        f"cannot be a view: {error}",
        hint="copy the tensor with bufferization.alloc_tensor before",
    )


def gives_memory(op: Operation) -> bool:
    """
    Whether the op names a memory space or a layout, or has a memref of another type than new
    buffers have.
    """
    if "memory_space" in op.properties or "memory_space" in op.attributes:
        return True
    if isinstance(op, func.FuncOp):
        return op.arg_attrs is not None and any(
            BUFFER_LAYOUT in attributes.data
            and not is_identity_map(attributes.data[BUFFER_LAYOUT])
            for attributes in op.arg_attrs
        )
    return any(
        not (has_identity_layout(type) and isinstance(type.memory_space, NoneAttr))
        for values in (op.operands, op.results)
        for value in values
        if is_memref_type(type := value.type)
    )


class _TypesAhead(BufferTypeInference):
    """The types of buffers of a program to which copies are still to be added."""

    rewritten: bool = True
    with_copies: AbstractSet[Operation | None] = frozenset()
    """The ops whose terminators forward copies."""

    def unknown_type(self, value: SSAValue) -> MemRef:
        if self.rewritten:
            return super().unknown_type(value)
        # It stays a tensor, wherever it is.
        return fully_dynamic_type(value.type)

    def common_type(self, value: SSAValue, types: Sequence[MemRef]) -> MemRef:
        # A forwarded tensor that is copied will be in the memory space of the first type.
        owner = value.owner
        if isinstance(owner, Block) and owner.parent_op() in self.with_copies:
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
        self._call_graph = call_graph
        self._signatures: dict[func.FuncOp, func.FuncOp] = {}
        """By function: a declaration with the results that it will have."""
        self._types = _TypesAhead(
            options, model_of, self._declaration, call_graph.recursive
        )
        self._types.rewritten = rewritten
        self._types.with_copies = {copy.terminator.parent_op() for copy in copies}
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
                self._declare(op, model)

    def _declare(self, function: func.FuncOp, model: BufferizableOpInterface) -> None:
        """Check the types of arguments and results, and note those of results."""
        signature = function.function_type
        for type in (*signature.inputs, *signature.outputs):
            if is_tensor_like(type) and not function.body.blocks:
                self._types.default_memory_space(type, function)
        for argument in function.args if function.body.blocks else ():
            if is_tensor(argument):
                self._types.buffer_type(argument)
        outputs = model.inferred_results(function, self._types)
        if outputs is not None:
            self._signatures[function] = func.FuncOp.external(
                function.sym_name.data, signature.inputs.data, outputs
            )

    def _declaration(self, call: Operation) -> func.FuncOp | None:
        """The called function, as a declaration if that is known."""
        callee = self._call_graph.callee(call)
        return None if callee is None else self._signatures.get(callee, callee)
