"""
Which tensors may share a buffer, and when it is used, before anything is decided.

    %b = tensor.extract_slice %a ...                 // may share: {%a, %b}
    %c = linalg.exp ins(%b) outs(%b)                 // {%a, %b, %c}, written here
    %d = linalg.exp ins(%c) outs(%empty)             // {%d}: %empty has no contents to share

Invariant: whatever One-Shot Bufferize decides, tensors of different groups are in one buffer only
if an op with regions, a call or a terminator passes one to the other, which each group knows the
first of. Finding the groups takes one walk, a query logarithmic time, and merging two groups time
in proportion to the smaller one.

Moves that are views: they add or drop dimensions of size 1, or none.

    %b = linalg.generic {indexing_maps = [(d0, d1) -> (d1), (d0, d1) -> (d0, d1)]}
           ins(%a : tensor<4xf32>) outs(%empty : tensor<1x4xf32>) { yield the input }
    // becomes
    %b = tensor.expand_shape %a [[0, 1]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>

A move becomes a view only if both tensors can be in one buffer without a copy. Takes time in
proportion to the rank.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from math import prod
from operator import attrgetter
from typing import NamedTuple

from xdsl.builder import Builder
from xdsl.dialects import func, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    TensorType,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from xdsl_bufferization.interfaces.bufferizable import (
    NOTHING_KNOWN,
    BufferizableOpInterface,
    BufferRelation,
    OperandUse,
)
from xdsl_bufferization.interfaces.contents import (
    RematerializationOpInterface,
    collapse_shape,
    expand_shape,
)
from xdsl_bufferization.interfaces.reify import sizes_of
from xdsl_bufferization.support.data_layout import DataLayout
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.regions import (
    block_of,
    passes_tensors_to_regions,
    terminator_of,
    walk,
)
from xdsl_bufferization.support.shaped_types import (
    has_encoding,
    is_memref_type,
    is_tensor,
    ranked_shape,
    ranked_tensor,
)


class Use(NamedTuple):
    """A use of a buffer by an op."""

    position: int
    """The number of the op in the order of the program."""
    op: Operation


_POSITION = attrgetter("position")


class Group:
    """Tensors that may share a buffer."""

    def __init__(self, value: SSAValue, size: int | None):
        self.members = [value]
        self.block: Block | None = block_of(value)
        """The block that defines all members; `None` if there are several."""
        self.uses: list[Use] = []
        """In the order of the program."""
        self.writes: list[Use] = []
        """Those after which the contents may be others, in the order of the program."""
        self.passed_on: Use | None = None
        """
        The first use at which an op with regions, a call or a terminator passes a member on:
        from there on, tensors of other groups may be in the buffer, and be written.
        """
        self.size = size
        """The bytes of the largest member; `None` if they are unknown."""
        self.has_parts = False
        """Whether a member may be a part of another one."""
        self.is_read_only = False
        """Whether it is a constant, or memory of a caller that is not donated."""
        self.is_kept = False
        """Whether it is alive in any case: a constant, or memory of an argument of a block."""
        self.is_destination = False
        """
        Whether some result has to be in this very buffer in the end: it is that of a donated
        argument, or of what a loop carries.
        """
        self.is_foreign = False
        """Whether it is memory that ops on memrefs access."""

    def written_between(self, after: int, until: int) -> Operation | None:
        """
        An op that may write the buffer at a position from `after + 1` to `until`, or passes it
        on before that; `None` if there is none.
        """
        if self.passed_on is not None and self.passed_on.position <= until:
            return self.passed_on.op
        first = bisect_right(self.writes, after, key=_POSITION)
        following = self.writes[first : first + 1]
        return next((use.op for use in following if use.position <= until), None)

    def is_used_after(self, position: int) -> bool:
        """Whether an op after the position uses the buffer."""
        return bool(self.uses) and self.uses[-1].position > position

    def absorb(self, other: Group) -> None:
        """Add another group, in time in proportion to that."""
        self.members += other.members
        for use in other.uses:
            insort(self.uses, use, key=_POSITION)
        for use in other.writes:
            insort(self.writes, use, key=_POSITION)
        passed_on = filter(None, (self.passed_on, other.passed_on))
        self.passed_on = min(passed_on, key=_POSITION, default=None)
        self.block = self.block if self.block is other.block else None
        sizes = (self.size, other.size)
        self.size = None if None in sizes else max(size or 0 for size in sizes)
        self.has_parts |= other.has_parts
        self.is_read_only |= other.is_read_only
        self.is_kept |= other.is_kept
        self.is_destination |= other.is_destination
        self.is_foreign |= other.is_foreign


class SharedMemory:
    """The groups of the tensors of a program."""

    def __init__(self, module: Operation):
        self._groups: dict[SSAValue, Group] = {}
        self._positions: dict[Operation, int] = {}
        self._layout = DataLayout.of(module)
        for position, op in enumerate(walk([module])):
            self._positions[op] = position
            self._add_arguments(op)
            self._add_uses(op)

    def position(self, op: Operation) -> int:
        """The number of the op in the order of the program."""
        return self._positions[op]

    def end(self, op: Operation) -> int:
        """The number of the last op in the regions of the op, or its own."""
        last = op
        while blocks := [b for region in last.regions for b in region.blocks if b.ops]:
            last = terminator_of(blocks[-1])
        return self._positions.get(last, self._positions[op])

    def of(self, value: SSAValue) -> Group:
        """The group of a tensor."""
        if value not in self._groups:
            self._groups[value] = Group(value, self.bytes_of(value))
        return self._groups[value]

    def merge(self, a: SSAValue, b: SSAValue) -> None:
        """Say that two tensors may share a buffer."""
        large, small = self.of(a), self.of(b)
        if large is small:
            return
        if len(large.members) + len(large.uses) < len(small.members) + len(small.uses):
            large, small = small, large
        large.absorb(small)
        self._groups.update(dict.fromkeys(small.members, large))

    def is_alone(self, values: Sequence[SSAValue]) -> bool:
        """Whether no other tensor shares a buffer with one of them."""
        known = {*values}
        return all(known.issuperset(self.of(value).members) for value in values)

    def bytes_of(self, value: SSAValue) -> int | None:
        """The bytes of a tensor; `None` if they are unknown."""
        return self._layout.bytes_of_contents(value.type)

    def add_use(self, value: SSAValue, op: Operation, *, writes: bool = False) -> Use:
        """Say that the op uses the tensor now."""
        group, use = self.of(value), Use(self._positions[op], op)
        insort(group.uses, use, key=_POSITION)
        if writes:
            insort(group.writes, use, key=_POSITION)
        return use

    def builder(self, former: Operation) -> Builder:
        """A builder whose ops count as one with the op that they are inserted before."""
        builder = builder_for(former)
        builder.operation_insertion_handler.append(partial(self._insert, former))
        return builder

    def _insert(self, former: Operation, op: Operation) -> None:
        self._positions[op] = self._positions[former]
        for use in _operand_uses(op) or ():
            self._add_operand(op, use)

    # The walk ---------------------------------------------------------------------------

    def _add_arguments(self, op: Operation) -> None:
        """The groups of the arguments of blocks, and of results that are like them."""
        kept: Collection[SSAValue] = ()
        if isinstance(op, func.FuncOp) and op.body.blocks:
            donated = {*donated_arguments(op).values()}
            arguments = op.body.blocks[0].args
            kept = {a for a in arguments if a.index not in donated}
        for argument in filter(is_tensor, _block_arguments(op)):
            group = self.of(argument)
            group.is_read_only = argument in kept
            group.is_destination = not group.is_read_only
            group.is_kept = True
        if passes_tensors_to_regions(op):
            for result in filter(is_tensor, op.results):
                self.of(result).is_destination = True

    def _add_uses(self, op: Operation) -> None:
        self._add_foreign(op)
        tensors = [i for i, value in enumerate(op.operands) if is_tensor(value)]
        if not tensors and (model := BufferizableOpInterface.of(op)) is not None:
            for result in filter(is_tensor, op.results):
                group = self.of(result)
                group.is_read_only |= not model.is_writable(op, result, NOTHING_KNOWN)
                group.is_kept |= group.is_read_only
        uses = _operand_uses(op) if tensors else ()
        if uses is None or op.next_op is None or passes_tensors_to_regions(op):
            for index in tensors:
                self._pass_on(op, op.operands[index])
            return
        for use in uses:
            self._add_operand(op, use)
        self._add_input_in_place(op, uses)

    def _pass_on(self, op: Operation, value: SSAValue) -> None:
        group, use = self.of(value), self.add_use(value, op, writes=True)
        group.passed_on = group.passed_on or use

    def _add_foreign(self, op: Operation) -> None:
        values = (*op.operands, *op.results)
        if any(is_memref_type(value.type) for value in values):
            for value in filter(is_tensor, values):
                self.of(value).is_foreign = True

    def _add_operand(self, op: Operation, use: OperandUse) -> None:
        value = op.operands[use.operand]
        if use.writes and _gets_buffer_of_its_own(value):
            return
        self.add_use(value, op, writes=use.writes)
        for alias in use.aliases:
            self.merge(value, alias.value)
            is_part = alias.relation is not BufferRelation.EQUIVALENT
            self.of(value).has_parts |= is_part

    def _add_input_in_place(self, op: Operation, uses: Sequence[OperandUse]) -> None:
        """
        If the op may compute its result in the buffer of an input that some result has to be in,
        count that as done: `eliminate-copies` prefers to.
        """
        model = BufferizableOpInterface.of(op)
        for init in uses:
            value = op.operands[init.operand]
            if model is None or not init.writes or not _is_empty(value):
                continue
            for use in uses:
                input = op.operands[use.operand]
                if (
                    not use.writes
                    and input.type == value.type
                    and self.of(input).is_destination
                    and model.is_elementwise(op, init.operand, use.operand)
                ):
                    self.add_use(input, op, writes=True)
                    for alias in init.aliases:
                        self.merge(input, alias.value)
                    break


def _operand_uses(op: Operation) -> Sequence[OperandUse] | None:
    """The uses of the operands by the op; `None` if they are not known."""
    model = BufferizableOpInterface.of(op)
    if model is None:
        return None
    try:
        model.verify_op(op, OneShotOptions())
    except BufferizationError:
        return None
    return model.operand_uses(op, NOTHING_KNOWN)


def _is_empty(value: SSAValue) -> bool:
    return isinstance(value.owner, tensor.EmptyOp)


def _gets_buffer_of_its_own(value: SSAValue) -> bool:
    """
    Whether each op that overwrites the tensor may get one of its own, since it has no contents,
    or such as `eliminate-copies` computes again.
    """
    if not isinstance(owner := value.owner, Operation):
        return False
    if _is_empty(value):
        return True
    model = RematerializationOpInterface.of(owner)
    return (
        model is not None and not value.has_one_use() and model.bytes_read(owner) == 0
    )


def _block_arguments(op: Operation) -> Iterator[BlockArgument]:
    for region in op.regions:
        for block in region.blocks:
            yield from block.args


def order_of(results: Sequence[AffineExpr]) -> Sequence[int] | None:
    """The loop that each result of a map is; `None` if one is none, or two are one."""
    order = [index.position for index in results if isinstance(index, AffineDimExpr)]
    return order if len({*order}) == len(order) == len(results) else None


def is_view(
    source: TensorType[Attribute], map: AffineMap, result: TensorType[Attribute]
) -> bool:
    """Whether the result of a move with that map has the elements of the source in order."""
    if has_encoding(source) or has_encoding(result):
        return False
    kept = [i for i, size in enumerate(source.get_shape()) if size != 1]
    dimensions = order_of([map.results[i] for i in kept])
    sizes = result.get_shape()
    return (
        dimensions is not None
        and dimensions == [d for d, size in enumerate(sizes) if size != 1]
        and [sizes[d] for d in dimensions] == [source.get_shape()[i] for i in kept]
    )


def build_view(
    source: SSAValue, type: TensorType[Attribute], builder: Builder
) -> SSAValue:
    """A tensor of the type with the elements of the source, which is like it in `is_view`."""
    if source.type == type:
        return source
    shape = ranked_shape(source)
    if (groups := _groups(type.get_shape(), shape)) is not None:
        dynamic = [s for s in sizes_of(source, builder) if isinstance(s, SSAValue)]
        return builder.insert(expand_shape(source, type, groups, dynamic)).result
    if (groups := _groups(shape, type.get_shape())) is not None:
        return collapse(source, groups, builder)
    merged = [size for size in shape if size != 1]
    between = TensorType(type.element_type, merged)
    return build_view(build_view(source, between, builder), type, builder)


def _groups(
    expanded: Sequence[int], collapsed: Sequence[int]
) -> Sequence[Sequence[int]] | None:
    """
    For each dimension of `collapsed` those of `expanded` that it is split into, all but one of
    size 1; `None` if it takes more than that.
    """
    groups: list[list[int]] = []
    first: list[int] = []
    for dimension, size in enumerate(expanded):
        if len(groups) < len(collapsed) and size == collapsed[len(groups)]:
            groups.append([*first, dimension])
            first = []
        elif size != 1:
            return None
        elif groups:
            groups[-1].append(dimension)
        else:
            first.append(dimension)
    return groups if len(groups) == len(collapsed) else None


def collapse(
    source: SSAValue, groups: Sequence[Sequence[int]], builder: Builder
) -> SSAValue:
    """A tensor with one dimension for each group of dimensions; the groups have all of them."""
    type = ranked_tensor(source.type)
    sizes = [
        DYNAMIC_INDEX if DYNAMIC_INDEX in shape else prod(shape)
        for group in groups
        if (shape := [type.get_shape()[d] for d in group])
    ]
    collapsed = TensorType(type.element_type, sizes)
    return builder.insert(collapse_shape(source, collapsed, groups)).result
