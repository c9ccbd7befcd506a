"""
Copies that are superfluous: their source and their target may be the same memory.

After the copy, both have the same contents. They may be the same memory if that changes no
result: neither is written while the other one's contents are still to be read, and neither
is freed while the other one is still used. If the target is kept, it also must not be
accessed between the first write to the source and the copy.

Source: the pass `copy-removal` that MLIR had until LLVM 12; the conditions are those for
coalescing the source and the target of a copy, Chaitin, "Register Allocation & Spilling via
Graph Coloring", 1982

Replacing a memref that an op allocates by another one.

Their types may differ in static and dynamic sizes, which a cast adapts, or in their layouts,
which all users of the memref must accept.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType, NoneAttr, StridedLayoutAttr
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.former.memory_accesses import (
    Memory,
    MemoryAccesses,
    access_to,
    first_after,
    first_from,
    last_of,
)
from xdsl_bufferization.host.effects import memory_effects
from xdsl_bufferization.interfaces.allocation import AllocationOpInterface
from xdsl_bufferization.interfaces.buffer_effects import BufferEffect, effect_on
from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.copy import CopyOpInterface, may_return_source
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.view_like import ViewLikeOpInterface
from xdsl_bufferization.memrefs.buffers.program_points import ProgramPoints
from xdsl_bufferization.models.shared.loops import may_overlap_itself
from xdsl_bufferization.support.call_graph import is_function_argument
from xdsl_bufferization.support.memref_types import (
    NotStridedError,
    has_identity_layout,
    is_cast_guaranteed,
    subview_type,
    without_casts,
)
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.shaped_types import (
    are_shapes_compatible,
    is_memref_type,
    is_tensor_type,
)


@dataclass(frozen=True, slots=True)
class Reuse:
    """A copy that is superfluous if one memref replaces another."""

    copy: Operation
    removed: OpResult
    """The allocated memref that is replaced."""
    kept: SSAValue
    """The memref that replaces it."""
    deallocs: Sequence[Operation]
    """The deallocations to remove: they would free the kept memory too early, or nothing."""


class SuperfluousCopies:
    """Finds memrefs that can be reused instead of copied."""

    def __init__(self, accesses: MemoryAccesses):
        self._accesses = accesses
        self._points = accesses.points

    def reuses(self, copy: Operation) -> Iterator[Reuse]:
        """The reuses that make the copy superfluous, the best one first."""
        model = CopyOpInterface.expect(copy)
        source, target = model.source(copy), model.target(copy)
        if not (is_memref_type(source.type) and is_memref_type(target.type)):
            return
        if (new := self._allocated(target, copy)) is not None:
            if (reuse := self._reuse_dead_source(copy, source, new)) is not None:
                yield reuse
            elif (reuse := self._reuse_source(copy, source, new)) is not None:
                yield reuse
        if (
            old := self._allocated(source, copy)
        ) is not None and target.owner is not copy:
            reuse = self._reuse_target(copy, old, target)
            if reuse is not None:
                yield reuse

    def _allocated(self, value: SSAValue, copy: Operation) -> OpResult | None:
        """
        The allocation that the memref is all of, if the function executes it once for each
        execution of the copy.
        """
        value = without_casts(value)
        if (
            not isinstance(value, OpResult)
            or not self._points.is_reached(value.op)
            or self._points.control_class(value.op)
            is not self._points.control_class(copy)
            or value in self._accesses.is_promised
            or len(value.op.results) != 1
            or not self._accesses.is_new(value)
        ):
            return None
        return value

    # Reusing the source

    def _reuse_dead_source(
        self, copy: Operation, source: SSAValue, target: OpResult
    ) -> Reuse | None:
        """
        Use the source as the target if the source itself is not used after the copy, even
        if the target escapes.
        """
        accesses, points = self._accesses, self._points
        position = points.position(copy)
        memories = accesses.memories(source)
        old = self._allocated(source, copy)
        if (
            old is None
            or len(memories) != 1
            or memories[0].allocated is not old
            or old is target
        ):
            return None
        memory = memories[0]
        deallocs = [*memory.deallocs]
        if (
            memory.fresh_at is None
            or memory.is_on_stack
            or memory.is_clone
            or accesses.is_on_stack(target)
            or memory.is_returned
            or max(last_of(memory.reads), last_of(memory.writes)) > position
            or last_of(memory.forwarded) > position
            or len(memory.frees) > len(deallocs)
            or len(deallocs) > 1
            or accesses.first_access.get(target, math.inf) < position
        ):
            return None
        if deallocs and not (
            points.control_class(deallocs[0]) is points.control_class(copy)
            and points.position(deallocs[0]) > position
        ):
            return None
        return Reuse(copy, target, source, deallocs)

    def _reuse_source(
        self, copy: Operation, source: SSAValue, target: OpResult
    ) -> Reuse | None:
        memory = self._accesses.memory(target)
        position = self._points.position(copy)
        if (
            not self._is_replaceable(memory, target)
            or first_from(memory.reads, 0) < position
            or first_from(memory.writes, 0) < position
            or first_from(memory.forwarded, 0) < position
            or not self._can_share_memory(memory, target, source, copy)
        ):
            return None
        return Reuse(copy, target, source, [*memory.deallocs])

    # Reusing the target

    def _reuse_target(
        self, copy: Operation, source: OpResult, target: SSAValue
    ) -> Reuse | None:
        memory = self._accesses.memory(source)
        points = self._points
        if not self._is_replaceable(memory, source) or may_return_source(source.op):
            return None
        allocated = points.position(source.op)
        if (
            min(first_from(memory.reads, 0), first_from(memory.forwarded, 0))
            < allocated
        ):
            return None
        position = points.position(copy)
        first = first_from(memory.writes, 0)
        if first < allocated:
            return None
        start = min(self._first_position(first, memory), position)
        for other in self._accesses.memories(target):
            if other is memory:
                return None
            read, write = (
                first_from(other.reads, start),
                first_from(other.writes, start),
            )
            if read == first == start and self._is_elementwise(read, target, source):
                read = first_after(other.reads, start)
            if min(read, write, first_from(other.frees, start)) < position:
                return None
            if any(
                first_from(p, start) < position for p in self._accesses.partners(other)
            ):
                return None
        if not self._can_share_memory(memory, source, target, copy):
            return None
        return Reuse(copy, source, target, [*memory.deallocs])

    # Conditions

    @staticmethod
    def _is_replaceable(memory: Memory, allocated: OpResult) -> bool:
        """Whether all accesses to the allocated memory, and all that frees it, are known."""
        return (
            memory.allocated is allocated
            and memory.is_local
            and memory.fresh_at is not None
            and not memory.is_returned
            and len(memory.frees) == len(memory.deallocs)
        )

    def _can_share_memory(
        self, memory: Memory, removed: OpResult, kept: SSAValue, copy: Operation
    ) -> bool:
        """Whether no access after the copy observes that one memref is the other."""
        position = self._points.position(copy)
        write = first_after(memory.writes, position)
        start = math.inf
        last_read, last = last_of(memory.reads), last_of(memory.writes)
        read_end = (
            self._last_position(last_read, memory) if last_read > position else position
        )
        end = self._last_position(last, memory) if last > position else position
        end = max(end, read_end)
        for other in self._accesses.memories(kept):
            if other is memory or (other.is_on_stack and len(memory.forwarded)):
                return False
            if write < math.inf:
                if other.is_constant or other.is_clone:
                    return False
                start = self._first_position(write, other)
                read = first_from(other.reads, start)
                if read == start == write and self._is_elementwise(
                    write, kept, removed
                ):
                    read = first_after(other.reads, start)
                if read < math.inf:
                    return False
            if first_after(other.frees, position) <= end:
                return False
            overwritten = first_after(other.writes, position)
            if overwritten <= read_end and not (
                overwritten == read_end == last_read
                and self._is_elementwise(overwritten, removed, kept)
            ):
                return False
        return True

    def _first_position(self, position: float, other: Memory) -> float:
        """The first position at which the access may happen to the same instance of the memory."""
        if position == math.inf:
            return position
        loop = self._points.loop(int(position), other.fresh_at)
        return position if loop is None else loop.first

    def _last_position(self, position: float, memory: Memory) -> float:
        """The last position at which the access may happen to the same instance of the memory."""
        if position >= len(self._points.at):
            return position
        loop = self._points.loop(int(position), memory.fresh_at)
        return position if loop is None else loop.last

    def _is_elementwise(
        self, position: float, read: SSAValue, written: SSAValue
    ) -> bool:
        """
        Whether the op at the position accesses the memrefs `read` and `written` element by
        element: it reads each element before it writes the one at the same index.
        """
        op = self._points.op_at(int(position))
        model, copy = BufferizableOpInterface.of(op), CopyOpInterface.of(op)
        sources = [*self._operands_in(op, read, BufferEffect.READ)]
        targets = [*self._operands_in(op, written, BufferEffect.WRITE)]
        for a in sources:
            for b in targets:
                if a == b:
                    continue
                is_elementwise = (
                    copy is not None and not op.results
                    if model is None
                    else model.is_elementwise(op, a, b)
                )
                if not (
                    is_elementwise
                    and without_casts(op.operands[b]) is without_casts(written)
                    and _are_same_or_disjoint(op.operands[a], read)
                ):
                    return False
        return True

    def _operands_in(
        self, op: Operation, value: SSAValue, wanted: BufferEffect
    ) -> Iterator[int]:
        """The operands that may alias the value and on which the op has the wanted effect."""
        memories = self._accesses.memories(value)
        for index, operand in enumerate(op.operands):
            if is_memref_type(operand.type):
                if wanted in access_to(op, index) and any(
                    memory in memories for memory in self._accesses.memories(operand)
                ):
                    yield index


def _are_same_or_disjoint(a: SSAValue, b: SSAValue) -> bool:
    """
    Whether the memrefs never overlap in part: they are equivalent, or arguments without a
    layout, which each are a whole buffer.
    """
    a, b = without_casts(a), without_casts(b)
    return a is b or (
        a.type == b.type
        and has_identity_layout(a.type)
        and is_function_argument(a)
        and is_function_argument(b)
    )


_MAX_MOVED = 32
"""The number of ops that are moved, at most, to make one memref available."""

_ANY_LAYOUT = frozenset(
    """
    affine.load affine.store memref.atomic_rmw memref.dealloc memref.dim memref.load
    memref.rank memref.store vector.transfer_read vector.transfer_write
    """.split()
)
"""Ops that accept memrefs of any layout, besides copies and destination-style ops."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """How to replace an allocated memref by another one."""

    removed: OpResult
    kept: SSAValue
    anchor: Operation
    """The op before which the memref has to be available."""
    moved: Sequence[Operation]
    """The ops to move there for that, in this order."""
    type: MemRefType[Attribute]
    """The type that the memref is cast to there."""
    new_types: Sequence[tuple[OpResult, MemRefType[Attribute]]]
    """The new types of views of the memref."""

    def apply(self, points: ProgramPoints) -> SSAValue:
        """Replace the memref, and return the one that is used instead of it."""
        placed, kept = [*self.moved], self.kept
        if kept.type != self.type:
            adapted = memref.CastOp.get(kept, self.type)
            placed.append(adapted)
            kept = adapted.dest
        points.place_before(placed, self.anchor)
        for view, type in self.new_types:
            Rewriter.replace_value_with_new_type(view, type)
        self.removed.replace_all_uses_with(kept)
        return kept


def plan_replacement(
    removed: OpResult,
    kept: SSAValue,
    anchor: Operation,
    without: AbstractSet[Operation],
    points: ProgramPoints,
) -> Replacement | None:
    """
    How to use `kept` for `removed` from the op `anchor` on; `None` if that is not possible.

    The ops of `without` are about to be removed, so that they do not count as users.
    """
    wanted = removed.type
    while kept.type != wanted and isinstance(kept.owner, memref.CastOp):
        kept = kept.owner.source
    if not (isinstance(wanted, MemRefType) and isinstance(kept.type, MemRefType)):
        return None
    type = _adapted(kept.type, wanted)
    if type is None or may_overlap_itself(kept):
        return None
    moved = _ops_to_move(kept, anchor, removed, points)
    if moved is None or not points.has_room_before(anchor):
        return None
    new_types = [] if type == wanted else _retyped(removed, type, without)
    if new_types is None:
        return None
    return Replacement(removed, kept, anchor, moved, type, new_types)


def _adapted(
    kept: MemRefType[Attribute], wanted: MemRefType[Attribute]
) -> MemRefType[Attribute] | None:
    """The wanted type with a layout that the memref can be cast to; `None` if there is none."""
    if (
        kept.element_type != wanted.element_type
        or kept.memory_space != wanted.memory_space
        or not are_shapes_compatible(kept.get_shape(), wanted.get_shape())
    ):
        return None
    if kept.layout == wanted.layout or (
        has_identity_layout(kept) and has_identity_layout(wanted)
    ):
        return wanted
    if not isinstance(kept.layout, NoneAttr | StridedLayoutAttr):
        return None
    return MemRefType(kept.element_type, wanted.shape, kept.layout, kept.memory_space)


# Availability --------------------------------------------------------------------------


def _ops_to_move(
    value: SSAValue, anchor: Operation, removed: OpResult, points: ProgramPoints
) -> Sequence[Operation] | None:
    """
    The ops to move before the anchor so that the value is available there; `None` if
    they cannot be moved.
    """
    start = points.position(anchor)
    control_class = points.control_class(anchor)
    needed: set[Operation] = set()
    pending = [value]
    while pending:
        value = pending.pop()
        if value is removed:
            return None
        if points.defined_at(value) < start:
            continue
        op = value.owner
        if isinstance(value, BlockArgument) or not isinstance(op, Operation):
            return None
        if op in needed:
            continue
        if (
            op is anchor
            or len(needed) == _MAX_MOVED
            or points.control_class(op) is not control_class
            or not _is_movable(op)
        ):
            return None
        needed.add(op)
        pending.extend(op.operands)
    return sorted(needed, key=points.position)


def _is_movable(op: Operation) -> bool:
    """Whether the op may be executed earlier: it only allocates, views or computes."""
    if op.regions or op.successors:
        return False
    memrefs = [i for i, v in enumerate(op.operands) if is_memref_type(v.type)]
    if AllocationOpInterface.of(op) is not None:
        return not memrefs
    if any(map(is_tensor_type, op.operand_types)):
        return False
    if memrefs:
        return ViewLikeOpInterface.of(op) is not None or (
            not any(map(is_memref_type, op.result_types))
            and all(effect_on(op, index) is BufferEffect.NONE for index in memrefs)
        )
    effects = memory_effects(op)
    return effects is not None and not effects


# Types ---------------------------------------------------------------------------------


def _retyped(
    value: OpResult, type: MemRefType[Attribute], without: AbstractSet[Operation]
) -> list[tuple[OpResult, MemRefType[Attribute]]] | None:
    """
    The types of views of the memref if that has the type; `None` if a user may not accept
    them.
    """
    views: list[tuple[OpResult, MemRefType[Attribute]]] = []
    pending = [(value, type)]
    while pending:
        value, type = pending.pop()
        for use in value.uses:
            op = use.operation
            if op in without:
                continue
            if isinstance(op, memref.CastOp):
                if not is_cast_guaranteed(type, op.dest.type):
                    return None
            elif isinstance(op, memref.SubviewOp):
                try:
                    view = _subview_type(op, type)
                except NotStridedError:
                    return None
                if view != op.result.type:
                    views.append((op.result, view))
                    pending.append((op.result, view))
            elif not _takes_any_layout(op):
                return None
    return views


def _subview_type(
    op: memref.SubviewOp, source: MemRefType[Attribute]
) -> MemRefType[Attribute]:
    offsets, sizes, strides = (
        [*static.iter_values()]
        for static in (op.static_offsets, op.static_sizes, op.static_strides)
    )
    shape = op.result.type.get_shape()
    return subview_type(source, offsets, sizes, strides, shape)


def _takes_any_layout(op: Operation) -> bool:
    return not any(map(is_memref_type, op.result_types)) and (
        op_name(op) in _ANY_LAYOUT
        or CopyOpInterface.of(op) is not None
        or DestinationStyleOpInterface.of(op) is not None
    )


def unused_views(value: SSAValue) -> Iterator[Operation]:
    """The unused views that the value is the last of: each is only used by the next."""
    while (
        isinstance(value, OpResult)
        and ViewLikeOpInterface.of(value.op) is not None
        and not any(result.first_use for result in value.op.results)
    ):
        op = value.op
        value = op.operands[0]
        yield op
