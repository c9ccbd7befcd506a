"""
The rewrite from tensors to buffers, of which models write the part for their ops.

Ops are rewritten in program order. A tensor op stays where it is, unused in the end,
while the new ops go in front of it; all replaced ops are erased together afterwards, from
the last to the first. So a model may still look at the tensor program around its op.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import cast

from typing_extensions import TypeVar
from xdsl.builder import Builder
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    UnrankedMemRefType,
    i64,
)
from xdsl.ir import (
    Attribute,
    Block,
    BlockArgument,
    Operation,
    OpResult,
    Region,
    SSAValue,
)
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.diagnostics import BufferizationError
from xdsl_bufferization.dialects.bufferization import ToBufferOp, ToTensorOp
from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.interfaces.bufferizable import (
    BufferRelation,
    FunctionSummary,
    ModelOf,
    has_tensor_semantics,
    is_tensor,
)
from xdsl_bufferization.locations import hand_down_location
from xdsl_bufferization.memref_types import (
    NotStridedError,
    encoded_memory_space,
    fully_dynamic_type,
    identity_type,
    is_cast_guaranteed,
    strides_and_offset,
)
from xdsl_bufferization.options import LayoutMapOption, OneShotOptions
from xdsl_bufferization.progress import with_progress
from xdsl_bufferization.shaped_types import MemRef, is_memref_type
from xdsl_bufferization.transforms.constant_globals import ConstantGlobals
from xdsl_bufferization.walk import blocks_in_order, walk

OpT = TypeVar("OpT", bound=Operation)


class Bufferizer:
    """
    Rewrites ops, and answers what models ask meanwhile.

    `model_of` tells which ops take part, `callee_of` the function that an op calls;
    `recursive` are the functions that may call themselves. Ops that do not take part keep
    their tensors: `bufferization.to_tensor` and `bufferization.to_buffer` connect them to
    the rest.
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
        self._buffers: dict[SSAValue, SSAValue] = {}
        self._types: dict[SSAValue, MemRef] = {}
        self._tensors: dict[SSAValue, SSAValue] = {}
        """Buffers' contents as tensors, for ops that stay on tensors."""
        self._replaced: list[Operation] = []
        self._replaced_arguments: list[BlockArgument] = []
        self._arguments: dict[Block, Sequence[BlockArgument]] = {}
        """The arguments, before any was replaced, of blocks that are branched to."""
        self._builder = Builder(InsertPoint(Block()))
        self._op: Operation | None = None
        self._globals = ConstantGlobals(options.buffer_alignment)
        self.allocations: int = 0
        """How many buffers have been allocated."""

    # The rewrite as a whole ---------------------------------------------------------

    def bufferize(self, scope: Iterable[Operation]) -> None:
        """Rewrite the ops of the scope and those nested in them."""
        ops = list(walk(scope))
        for op in with_progress(ops, len(ops), "rewrite"):
            if not has_tensor_semantics(op):
                continue
            model = self.model_of(op)
            if model is None:
                self._connect(op)
                continue
            self._op = op
            self._builder.insertion_point = InsertPoint.before(op)
            try:
                model.bufferize(op, self)
            except NotStridedError as error:
                raise _no_view(op, error) from error

    def finish(self) -> None:
        """Erase what has been replaced; all scopes must have been rewritten."""
        for op in reversed(self._replaced):
            op.detach()
            op.erase()
        for argument in reversed(self._replaced_arguments):
            argument.block.erase_arg(argument)

    def _connect(self, op: Operation) -> None:
        """Give tensors to an op that stays on tensors."""
        for index, operand in enumerate(op.operands):
            if is_tensor(operand) and operand in self._buffers:
                op.operands[index] = self._tensor(operand)

    def _tensor(self, value: SSAValue) -> SSAValue:
        """The contents of the value's buffer, as they are where the value is defined."""
        tensor = self._tensors.get(value)
        if tensor is None:
            op = ToTensorOp(self._buffers[value], result_type=value.type)
            Builder(_after(value)).insert(op)
            tensor = self._tensors[value] = op.tensor
        return tensor

    # What models use to rewrite an op -------------------------------------------------

    def insert(self, op: OpT) -> OpT:
        """
        Insert an op in front of the one that is being rewritten, with its location unless
        the op has got one.
        """
        if self._op is not None:
            hand_down_location(self._op, op)
        # Most ops have no such result, and need not be asked.
        if any(is_memref_type(result.type) for result in op.results):
            self.allocations += len(allocated_by(op))
        return self._builder.insert(op)

    def insert_in_front_of(self, op: Operation) -> None:
        """Insert the ops that follow there, until the current op is rewritten."""
        self._builder.insertion_point = InsertPoint.before(op)

    def buffer(self, value: SSAValue) -> SSAValue:
        """The buffer in which the tensor lives."""
        buffer = self._buffers.get(value)
        if buffer is None:
            op = ToBufferOp(value, self.buffer_type(value))
            Builder(_after(value)).insert(op)
            buffer = self._buffers[value] = op.memref
            # The tensor stays, so ops on tensors go on using it.
            self._tensors[value] = value
        return buffer

    def known_buffer(self, value: SSAValue) -> SSAValue | None:
        """The buffer in which the tensor lives, unless it is `to_buffer` of the tensor."""
        buffer = self._buffers.get(value)
        if buffer is not None and isinstance(owner := buffer.owner, ToBufferOp):
            return None if owner.tensor is value else buffer
        return buffer

    def keep(self, tensor: SSAValue, buffer: SSAValue) -> None:
        """Leave the tensor, which lives in the buffer, to the ops that stay on tensors."""
        self._buffers[tensor] = buffer
        self._tensors[tensor] = tensor

    def operands(self, op: Operation) -> list[SSAValue]:
        """The op's operands, buffers in place of tensors."""
        return [self.buffer(v) if is_tensor(v) else v for v in op.operands]

    def replace(
        self, op: Operation, results: Sequence[SSAValue | Operation | None] = ()
    ) -> None:
        """
        Replace the op: each tensor result by a buffer, others by the value given.

        `None`, and results not given, are for results without uses.
        """
        for old, new in zip(op.results, results, strict=False):
            if new is None:
                continue
            value = SSAValue.get(new)
            value.name_hint = value.name_hint or old.name_hint
            if is_tensor(old):
                self._buffers[old] = value
            else:
                old.replace_all_uses_with(value)
        self._replaced.append(op)

    def replace_argument(self, argument: BlockArgument, type: Attribute) -> None:
        """Give a block a buffer of the type in place of the tensor argument."""
        new = argument.block.insert_arg(type, argument.index, argument.location)
        new.name_hint = argument.name_hint
        self.replace_argument_by(argument, new)

    def replace_argument_by(self, argument: BlockArgument, buffer: SSAValue) -> None:
        """Use a buffer from elsewhere in place of the tensor argument."""
        self._buffers[argument] = buffer
        self._replaced_arguments.append(argument)

    def replace_tensor_arguments(self, block: Block) -> None:
        """Give a block that is branched to buffers in place of all tensor arguments."""
        if block not in self._arguments:
            self._arguments[block] = block.args
            for argument in self._arguments[block]:
                if is_tensor(argument):
                    self.replace_argument(argument, self.buffer_type(argument))

    def argument_type(self, block: Block, index: int) -> MemRef:
        """The buffer type of the argument that the block had at the index."""
        return self.buffer_type(self._arguments.get(block, block.args)[index])

    def rebuild(
        self,
        op: Operation,
        operands: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        properties: Mapping[str, Attribute] = {},
    ) -> Operation:
        """
        Insert an op of the same kind with other operands and result types, and other
        values of the properties given; the regions move over to it.
        """
        return self.insert(
            type(op).create(
                operands=operands,
                result_types=result_types,
                properties={**op.properties, **properties},
                attributes=op.attributes.copy(),
                successors=op.successors,
                regions=[op.detach_region(0) for _ in range(len(op.regions))],
                location=op.location,
            )
        )

    def alloc(
        self, type: Attribute, dynamic_sizes: Sequence[SSAValue] = ()
    ) -> SSAValue:
        """Allocate a buffer with the alignment that the options ask for."""
        alignment = self.options.buffer_alignment
        op = memref.AllocOp(
            dynamic_sizes, (), type, IntegerAttr(alignment, i64) if alignment else None
        )
        return self.insert(op).memref

    def alloc_like(self, buffer: SSAValue, type: Attribute | None = None) -> SSAValue:
        """Allocate a buffer of the same sizes, without a layout unless one is given."""
        source = cast(MemRef, buffer.type)
        if isinstance(source, UnrankedMemRefType):
            raise self.error("can not copy a tensor of unknown rank")
        if type is None:
            type = identity_type(source, source.memory_space)
        shape = cast(MemRefType[Attribute], type).get_shape()
        return self.alloc(
            type,
            [self.dim(buffer, i) for i, d in enumerate(shape) if d == DYNAMIC_INDEX],
        )

    def global_constant(self, op: Operation, value: Attribute) -> SSAValue:
        """The read-only buffer that holds the value of a constant op."""
        space = self.buffer_type(op.results[0]).memory_space
        constant = self._globals.get(op, value, space)
        return self.insert(
            memref.GetGlobalOp(constant.sym_name.data, constant.type)
        ).memref

    def dim(self, buffer: SSAValue, dimension: int) -> SSAValue:
        """The size of the buffer in a dimension, as an index value."""
        return self.insert(memref.DimOp(buffer, self.constant(dimension))).result

    def copied(self, buffer: SSAValue) -> SSAValue:
        """A contiguous copy of the buffer."""
        new = self.alloc_like(buffer)
        self.copy(buffer, new)
        return new

    def sum(self, *terms: SSAValue | int) -> SSAValue | int:
        """The sum of indices, a number if all of them are."""
        number = sum(term for term in terms if isinstance(term, int))
        dynamic = [term for term in terms if isinstance(term, SSAValue)]
        if not dynamic:
            return number
        if number:
            dynamic.append(self.constant(number))
        total, *rest = dynamic
        for term in rest:
            total = self.insert(arith.AddiOp(total, term)).result
        return total

    def index(self, value: SSAValue | int) -> SSAValue:
        """The index as a value."""
        return self.constant(value) if isinstance(value, int) else value

    def constant(self, value: int) -> SSAValue:
        """An index constant."""
        return self.insert(arith.ConstantOp(IntegerAttr(value, IndexType()))).result

    def copy(self, source: SSAValue, destination: SSAValue) -> None:
        """Copy the contents of one buffer into another of the same shape."""
        shapes = source.type, destination.type
        if all(isinstance(t, MemRefType) for t in shapes):
            # `memref.copy` wants the same static shape on both sides.
            a, b = cast(tuple[MemRefType[Attribute], MemRefType[Attribute]], shapes)
            if a.get_shape() != b.get_shape():
                source = self._with_shape(source, b)
                destination = self._with_shape(
                    destination, cast(MemRefType[Attribute], source.type)
                )
        self.insert(memref.CopyOp(source, destination))

    def _with_shape(self, buffer: SSAValue, other: MemRefType[Attribute]) -> SSAValue:
        """The buffer with the sizes known that are known of the other type."""
        type = cast(MemRefType[Attribute], buffer.type)
        shape = [
            known if size == DYNAMIC_INDEX else size
            for size, known in zip(type.get_shape(), other.get_shape(), strict=True)
        ]
        if tuple(shape) == type.get_shape():
            return buffer
        target = MemRefType(type.element_type, shape, type.layout, type.memory_space)
        return self.insert(memref.CastOp.get(buffer, target)).dest

    def cast(self, buffer: SSAValue, type: Attribute) -> SSAValue:
        """
        The buffer as the wanted memref type: cast if every such buffer has that type,
        otherwise copied into a new one.
        """
        if buffer.type == type:
            return buffer
        if is_cast_guaranteed(buffer.type, type):
            return self.insert(memref.CastOp.get(buffer, cast(MemRef, type))).dest
        wanted = cast(MemRef, type)
        allocated = identity_type(wanted, wanted.memory_space)
        if not is_cast_guaranteed(allocated, wanted):
            if not has_static_layout(wanted):
                raise self.error(
                    f"needs a buffer of type {wanted}, but nothing tells its layout",
                    hint="ask for a layout with unknown strides and offset",
                )
            allocated = wanted
        new = self.alloc_like(buffer, allocated)
        self.copy(buffer, new)
        return self.cast(new, wanted)

    def callee(self, call: Operation) -> func.FuncOp:
        """
        The function that the op calls; its signature is on buffers already, unless it
        calls the function around the op in turn.
        """
        callee = self._callee_of(call)
        if callee is None:
            raise BufferizationError(call, "calls a function that is not in the module")
        return callee

    def is_recursive(self, function: func.FuncOp) -> bool:
        """Whether a call of the function may be rewritten before the function is."""
        return function in self._recursive

    def error(self, message: str, *, hint: str = "") -> BufferizationError:
        """An error about the op that is being rewritten."""
        return BufferizationError(self._op, message, hint=hint)

    # Types ----------------------------------------------------------------------------

    def buffer_type(self, value: SSAValue) -> MemRef:
        """The memref type of the buffer of a tensor, which need not exist yet."""
        if (buffer := self._buffers.get(value)) is not None:
            return cast(MemRef, buffer.type)
        if (known := self._types.get(value)) is not None:
            return known
        owner = value.owner
        op = owner if isinstance(owner, Operation) else owner.parent_op()
        model = None if op is None else self.model_of(op)
        if op is None or model is None:
            return self.unknown_type(value)
        if isinstance(owner, Block) and owner.prev_block and (region := owner.parent):
            self.infer_types(region)
            return self._types[value]
        try:
            known = cast(MemRef, model.buffer_type(op, value, self))
        except NotStridedError as error:
            raise _no_view(op, error) from error
        self._types[value] = known
        return known

    def set_buffer_type(self, value: SSAValue, type: Attribute) -> None:
        """Decide the type that `buffer_type` tells."""
        self._types[value] = cast(MemRef, type)

    def infer_types(self, region: Region) -> None:
        """
        Make the buffer types of the tensors that the region defines known, in program
        order, so that no type has to be traced back through long chains of ops.
        """
        blocks = blocks_in_order(region)
        if len(blocks) == 1:
            self._infer_block_types(blocks[0])
            return
        handed = self._handed_to_arguments(blocks)
        # What a block hands back to an earlier one is known only after that; where it is
        # of another type, the argument has to be more general, and all that follows.
        known: dict[SSAValue, list[MemRef]] = {argument: [] for argument in handed}
        settled = False
        while not settled:
            for index, block in enumerate(blocks):
                for argument in block.args:
                    if argument in handed:
                        types = [
                            *known[argument],
                            *(
                                self.buffer_type(value)
                                for position, value in handed[argument]
                                if position < index
                            ),
                        ]
                        self._types[argument] = self.common_type(argument, types)
                self._infer_block_types(block)
            settled = True
            for argument, values in handed.items():
                have = self._types[argument]
                common = self.common_type(
                    argument, [have, *(self.buffer_type(value) for _, value in values)]
                )
                if common != have:
                    known[argument] = [common]
                    settled = False

    def _handed_to_arguments(
        self, blocks: Sequence[Block]
    ) -> dict[SSAValue, list[tuple[int, SSAValue]]]:
        """What branches hand to the blocks' tensor arguments, and from which block."""
        handed: dict[SSAValue, list[tuple[int, SSAValue]]] = {
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
                    for alias in model.aliasing_values(branch, index, _NothingKnown()):
                        if alias.value in handed:
                            handed[alias.value].append((position, value))
        return handed

    def _infer_block_types(self, block: Block) -> None:
        for op in block.ops:
            model = self.model_of(op)
            if model is None:
                continue
            if op.regions:
                model.infer_region_types(op, self)
            for result in op.results:
                if is_tensor(result):
                    self._types.pop(result, None)
                    self.buffer_type(result)

    def unknown_type(self, value: SSAValue) -> MemRef:
        """The type of the buffer of a tensor that an op on tensors defines."""
        space = self.default_memory_space(value.type, _op_of(value))
        if self.options.unknown_type_conversion is LayoutMapOption.IDENTITY:
            return identity_type(value.type, space)
        return fully_dynamic_type(value.type, space)

    def default_memory_space(
        self, tensor: Attribute, op: Operation | None
    ) -> Attribute | None:
        """
        The memory space for a tensor of the type that the op defines, where nothing but
        the type tells it; `None` for the default one.
        """
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
        """
        The type for a tensor whose buffer is one of several: theirs if they agree,
        otherwise one that all of them can be cast to.
        """
        first = types[0]
        if all(type == first for type in types):
            return first
        spaces = {str(type.memory_space): None for type in types}
        if len(spaces) > 1:
            raise BufferizationError(
                _op_of(value),
                f"is in one of several memory spaces: {', '.join(spaces)}",
                hint="copy all tensors that it may be to the same memory space, with "
                "bufferization.alloc_tensor",
            )
        return fully_dynamic_type(value.type, first.memory_space)

    def returned_type(self, tensor: Attribute, type: Attribute) -> MemRef:
        """
        The type in which a buffer of the type leaves a function: if the tensor's encoding
        says so, in another memory space.
        """
        memref = cast(MemRef, type)
        if (
            self.options.use_encoding_for_memory_space
            and (space := encoded_memory_space(tensor)) is not None
            and (wanted := identity_type(tensor, space)).memory_space
            != memref.memory_space
        ):
            return wanted
        return memref

    def default_buffer_type(self, op: Operation, value: SSAValue) -> MemRef:
        """The type of the operand that the value is equivalent to, or identity layout."""
        model = self.model_of(op)
        if (
            model is not None
            and isinstance(value, OpResult)
            and not model.allocates(op, value)
        ):
            for index, operand in enumerate(op.operands):
                if is_tensor(operand):
                    for alias in model.aliasing_values(op, index, _NothingKnown()):
                        if (
                            alias.value is value
                            and alias.definite
                            and alias.relation is BufferRelation.EQUIVALENT
                        ):
                            return self.buffer_type(operand)
        return identity_type(value.type, self.default_memory_space(value.type, op))


class _NothingKnown:
    """An analysis state without an analysis."""

    def is_value_read(self, value: SSAValue) -> bool:
        return True

    def is_equivalent(self, a: SSAValue, b: SSAValue) -> bool:
        return a is b

    def summary_of(self, call: Operation) -> FunctionSummary | None:
        return None

    def possible_origins(
        self, value: SSAValue, within: Operation
    ) -> frozenset[SSAValue]:
        return frozenset((value,))


def _no_view(op: Operation, error: NotStridedError) -> BufferizationError:
    return BufferizationError(
        op,
        f"can not be a view: {error}",
        hint="copy the tensor with bufferization.alloc_tensor before",
    )


def has_static_layout(type: MemRef) -> bool:
    """Whether a buffer of the type can be allocated: no stride or offset is unknown."""
    if not isinstance(type, MemRefType):
        return False
    if isinstance(layout := type.layout, AffineMapAttr):
        return layout.data.num_symbols == 0
    strides, offset = strides_and_offset(type)
    return None not in (offset, *strides)


def _op_of(value: SSAValue) -> Operation | None:
    owner = value.owner
    return owner if isinstance(owner, Operation) else owner.parent_op()


def _after(value: SSAValue) -> InsertPoint:
    """Where the value is first available."""
    owner = value.owner
    return (
        InsertPoint.at_start(owner)
        if isinstance(owner, Block)
        else InsertPoint.after(owner)
    )
