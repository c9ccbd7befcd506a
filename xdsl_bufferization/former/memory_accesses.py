"""
Where a function accesses each piece of memory.

An allocation of the function that does not escape is a piece of its own, and so is each
constant global; all other memory is one piece, since it may alias. Calls, and the callers of
the function after it returns, access that piece, too.

Replacing a memref that an op allocates by another one: their types may differ in static and
dynamic sizes, which a cast adapts, or in their layouts, which all users of the memref must accept.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TypeAlias

from sortedcontainers import SortedList
from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType, NoneAttr, StridedLayoutAttr
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.host.effects import memory_effects
from xdsl_bufferization.interfaces.allocation import (
    AllocationOpInterface,
    has_own_dealloc,
)
from xdsl_bufferization.interfaces.buffer_effects import (
    BufferEffect,
    effect_on,
    has_known_effects,
)
from xdsl_bufferization.interfaces.copy import CopyOpInterface, may_return_source
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.interfaces.view_like import ViewLikeOpInterface
from xdsl_bufferization.memrefs.buffers.buffer_flow import BufferFlow, EdgeKind, base_of
from xdsl_bufferization.memrefs.buffers.memref_flow_graph import BufferAliases, Origin
from xdsl_bufferization.memrefs.buffers.program_points import ProgramPoints
from xdsl_bufferization.models.shared.loops import may_overlap_itself
from xdsl_bufferization.support.call_graph import is_call, is_function
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

Key: TypeAlias = SSAValue | str | None
"""An allocated memref, the name of a constant global, or `None`: all other memory."""


Positions: TypeAlias = SortedList[float]


def first_from(positions: Positions, position: float) -> float:
    """The first of the positions that is not smaller; infinite if there is none."""
    return next(positions.irange(position), math.inf)


def first_after(positions: Positions, position: float) -> float:
    """The first of the positions that is greater; infinite if there is none."""
    return next(positions.irange(position, inclusive=(False, True)), math.inf)


def last_of(positions: Positions) -> float:
    """The greatest of the positions; minus infinite if there is none."""
    return positions[-1] if positions else -math.inf


@dataclass(eq=False, slots=True)
class Memory:
    """A piece of memory, or several pieces that are treated as one."""

    fresh_at: float | None = None
    """
    The position of its allocation, if there is one only, and no memory of an earlier
    execution of that is accessed after it.
    """
    allocated: OpResult | None = None
    """The allocated memref, if there is one only."""
    is_local: bool = False
    """Whether it does not escape from the function."""
    is_constant: bool = False
    is_on_stack: bool = False
    """Whether other ops than `memref.dealloc` free some of it."""
    is_returned: bool = False
    is_clone: bool = False
    """Whether it may be the source of a clone, which is outside memory, and is the clone."""
    reads: Positions = field(default_factory=SortedList[float])
    writes: Positions = field(default_factory=SortedList[float])
    frees: Positions = field(default_factory=SortedList[float])
    forwarded: Positions = field(default_factory=SortedList[float])
    """Where it is forwarded, to a block, a region or the results of an op."""
    deallocs: dict[Operation, None] = field(default_factory=dict[Operation, None])
    """The ops that only free it."""
    keys: list[Key] = field(default_factory=list[Key])
    """The keys of the pieces."""

    @property
    def used(self) -> Sequence[Positions]:
        """Where its contents are accessed, or may be as it is forwarded."""
        return self.reads, self.writes, self.forwarded

    @property
    def size(self) -> int:
        """The number of positions and keys."""
        return sum(map(len, (*self.used, self.frees, self.keys)))


class MemoryAccesses:
    """The memory of a function, and where it is accessed."""

    def __init__(self, function: Operation, constants: AbstractSet[Operation]):
        """`constants` are the `memref.get_global`s of globals that are never written."""
        self.points = ProgramPoints(function)
        self.first_access: dict[SSAValue, float] = {}
        """By allocated memref: the position where it is first accessed or forwarded."""
        self.is_promised: set[SSAValue] = set()
        """Memrefs with an assumed alignment, which others of the type may not have."""
        self._aliases = BufferAliases(function)
        self._constants = constants
        self._memories: dict[Key, Memory] = {}
        self._to_tensors: set[SSAValue] = set()
        self._of_clones: Positions = SortedList()
        """Where clones are accessed."""
        flow = self._aliases.flow
        ops = [op for op in self.points.at if op is not None]
        for op in ops:
            if any(map(is_tensor_type, (*op.operand_types, *op.result_types))):
                for value in op.operands:
                    if is_memref_type(value.type):
                        self._to_tensors.update(self._aliases.origins(value))
        carried: set[SSAValue] = set()
        for edge in flow.all_edges():
            for forwarded in edge.memrefs:
                self._forward(edge.source, forwarded.value, edge.kind)
                for target in forwarded.targets:
                    if isinstance(target, BlockArgument):
                        carried.update(self._carried(target))
        for op in ops:
            self._add_accesses(op, flow)
        for origin in carried:
            self.memory(origin).fresh_at = None

    def memories(self, value: SSAValue) -> Sequence[Memory]:
        """The pieces that the memref, which may be a cast made since, may be in."""
        origins = self._aliases.origins(without_casts(value))
        return [*dict.fromkeys(map(self.memory, origins))]

    def memory(self, origin: SSAValue) -> Memory:
        """The piece that an allocated memref, or another origin of memrefs, is in."""
        return self._piece(self._key(origin))

    def is_new(self, value: SSAValue) -> bool:
        """Whether the memref is allocated in the function."""
        return self._aliases.kind(value) in (Origin.NEW, Origin.ESCAPING)

    @staticmethod
    def is_on_stack(allocated: OpResult) -> bool:
        """Whether another op than `memref.dealloc` frees the allocated memref."""
        model = AllocationOpInterface.of(allocated.op)
        is_freed = model is None or model.is_freed(allocated.op)
        return not is_freed or has_own_dealloc(allocated.op)

    def partners(self, memory: Memory) -> Sequence[Positions]:
        """
        Where memory is accessed that may be the same, since one is a clone of the other:
        neither may be written while the other is used.
        """
        if memory.is_clone:
            outside = self._piece(None)
            return outside.reads, outside.writes
        return () if memory.is_local else (self._of_clones,)

    def join(self, kept: SSAValue, allocated: SSAValue) -> None:
        """
        Treat the memory of the memrefs as one piece from now on: the first is used instead of the
        allocated one.
        """
        first, *others = self.memories(kept)
        for other in others:
            first = self._union(first, other, keeps_allocation=False)
        self._union(first, self.memory(allocated), keeps_allocation=not others)

    def forget(self, op: Operation) -> None:
        """Forget what an op accesses that is about to be removed."""
        position = self.points.position(op)
        for value in op.operands:
            if is_memref_type(value.type):
                for memory in self.memories(value):
                    for positions in (memory.reads, memory.writes, memory.frees):
                        while position in positions:
                            positions.remove(position)
                    memory.deallocs.pop(op, None)

    # Building

    def _piece(self, key: Key) -> Memory:
        """The piece that the memory of the key is in."""
        if key not in self._memories:
            self._memories[key] = memory = self._new_memory(key)
            memory.keys.append(key)
        return self._memories[key]

    def _key(self, origin: SSAValue) -> Key:
        if (
            self._aliases.kind(origin) is Origin.NEW
            and origin not in self._to_tensors
            and isinstance(origin, OpResult)
            and self.points.is_reached(origin.op)
        ):
            return origin
        if isinstance(owner := origin.owner, memref.GetGlobalOp):
            return owner.name_.string_value() if owner in self._constants else None
        return None

    def _new_memory(self, key: Key) -> Memory:
        if isinstance(key, OpResult):
            return Memory(
                fresh_at=self.points.position(key.op),
                allocated=key,
                is_local=True,
                is_on_stack=self.is_on_stack(key),
                is_clone=may_return_source(key.op),
            )
        memory = Memory(is_constant=key is not None)
        memory.reads.add(len(self.points.at))
        return memory

    def _union(
        self, first: Memory, second: Memory, *, keeps_allocation: bool
    ) -> Memory:
        """`keeps_allocation` if the allocation of `first` is the allocation of both."""
        if first is second:
            return first
        is_fresh = first.fresh_at is not None and second.fresh_at is not None
        large, small = (first, second) if first.size >= second.size else (second, first)
        for name in ("reads", "writes", "frees", "forwarded"):
            getattr(large, name).update(getattr(small, name))
        large.deallocs.update(small.deallocs)
        large.keys += small.keys
        allocated, fresh_at = first.allocated, first.fresh_at
        large.is_local = first.is_local and second.is_local
        keeps_allocation = keeps_allocation and large.is_local
        large.allocated = allocated if keeps_allocation else None
        large.fresh_at = fresh_at if keeps_allocation and is_fresh else None
        large.is_constant = first.is_constant and second.is_constant
        large.is_on_stack = first.is_on_stack or second.is_on_stack
        large.is_clone = first.is_clone or second.is_clone
        large.is_returned = first.is_returned or second.is_returned
        self._memories.update(dict.fromkeys(small.keys, large))
        return large

    def _carried(self, argument: BlockArgument) -> Iterator[SSAValue]:
        """The allocated memrefs that a branch back forwards to the argument."""
        start = self.points.defined_at(argument)
        for origin in self._aliases.origins(argument):
            key = self._key(origin)
            if isinstance(key, OpResult) and self.points.defined_at(key) > start:
                yield key

    def _forward(self, source: Operation, value: SSAValue, kind: EdgeKind) -> None:
        position = self.points.position(source)
        self._note(value, position)
        for memory in self.memories(value):
            memory.forwarded.add(position)
            if memory.is_clone:
                self._of_clones.add(position)
            if kind is EdgeKind.RETURN:
                memory.is_returned = True
                memory.reads.add(position)

    def _note(self, value: SSAValue, position: float) -> None:
        base = base_of(value)
        known = self.first_access.get(base, math.inf)
        self.first_access[base] = min(known, position)

    def _add_accesses(self, op: Operation, flow: BufferFlow) -> None:
        position = self.points.position(op)
        for index, value in enumerate(op.operands):
            if not is_memref_type(value.type):
                continue
            if op_name(op) == "memref.assume_alignment":
                self.is_promised.add(base_of(value))
            if flow.is_forwarded(op, index):
                continue
            effect = access_to(op, index)
            if effect is BufferEffect.NONE:
                if any(is_memref_type(r.type) and base_of(r) is r for r in op.results):
                    # An access through the result is noted for the result only.
                    self._note(value, position)
                continue
            memories = self.memories(value)
            is_dealloc = (
                effect is BufferEffect.FREE
                and len(op.operands) == 1
                and not op.results
                and len(memories) == 1
                and memories[0].allocated is not None
            )
            if not is_dealloc:
                self._note(value, position)
            for memory in memories:
                if memory.is_clone:
                    self._of_clones.add(position)
                for kind, positions in (
                    (BufferEffect.READ, memory.reads),
                    (BufferEffect.WRITE, memory.writes),
                    (BufferEffect.FREE, memory.frees),
                ):
                    if kind in effect:
                        positions.add(position)
                if is_dealloc:
                    memory.deallocs[op] = None
        if _may_touch_more(op):
            outside = self._piece(None)
            outside.reads.add(position)
            outside.writes.add(position)


def access_to(op: Operation, operand: int) -> BufferEffect:
    """The effects that the op may have on the memory of a memref among its operands."""
    effect = effect_on(op, operand)
    return BufferEffect.TOUCH | BufferEffect.FREE if effect is None else effect


def _may_touch_more(op: Operation) -> bool:
    """Whether the op may access memory other than its operands."""
    return is_call(op) or not (
        has_known_effects(op)
        or RegionBranchOpInterface.of(op) is not None
        or is_function(op)
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


def replace_allocated(
    removed: OpResult,
    kept: SSAValue,
    anchor: Operation,
    without: AbstractSet[Operation],
    points: ProgramPoints,
) -> bool:
    """
    Use `kept` for `removed`, an allocated memref, from the op `anchor` on; returns whether that is
    possible. Moves the ops before the anchor that the memref needs to be available there.

    The ops of `without` are about to be removed, so that they do not count as users.
    """
    wanted = removed.type
    while kept.type != wanted and isinstance(kept.owner, memref.CastOp):
        kept = kept.owner.source
    if not (isinstance(wanted, MemRefType) and isinstance(kept.type, MemRefType)):
        return False
    type = _adapted(kept.type, wanted)
    if type is None or may_overlap_itself(kept):
        return False
    placed = _ops_to_move(kept, anchor, removed, points)
    if placed is None or not points.has_room_before(anchor):
        return False
    new_types = [] if type == wanted else _retyped(removed, type, without)
    if new_types is None:
        return False
    if kept.type != type:
        adapted = memref.CastOp.get(kept, type)
        placed.append(adapted)
        kept = adapted.dest
    points.place_before(placed, anchor)
    for view, view_type in new_types:
        Rewriter.replace_value_with_new_type(view, view_type)
    removed.replace_all_uses_with(kept)
    return True


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
) -> list[Operation] | None:
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
