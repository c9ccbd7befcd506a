"""
Replacing a memref that an op allocates by another one.

Their types may differ in static and dynamic sizes, which a cast adapts, or in their layouts,
which all users of the memref must accept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType, NoneAttr, StridedLayoutAttr
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.buffers.program_points import ProgramPoints
from xdsl_bufferization.interfaces.allocation import AllocationOpInterface
from xdsl_bufferization.interfaces.buffer_effects import BufferEffect, effect_on
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.view_like import ViewLikeOpInterface
from xdsl_bufferization.models.shared.self_overlaps import may_overlap_itself
from xdsl_bufferization.support.memory_effects import memory_effects
from xdsl_bufferization.support.memref_types import (
    NotStridedError,
    has_identity_layout,
    is_cast_guaranteed,
    subview_type,
)
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.shaped_types import (
    are_shapes_compatible,
    is_memref_type,
    is_tensor_type,
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
