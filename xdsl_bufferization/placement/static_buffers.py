"""
The allocations of a function that can be placed in an arena, and their live ranges.

An allocation can be placed in an arena if its size is static, the memory does not escape the
function and is not cloned, and no iteration of a loop accesses the memory of an earlier one. It
is live from the first op that accesses the memory to the last one, and in all of a loop in
which it is accessed but not allocated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import memref
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.buffers.allocation_uses import Allocation, AllocationUses
from xdsl_bufferization.buffers.live_ranges import LiveRanges
from xdsl_bufferization.buffers.program_points import ProgramPoints
from xdsl_bufferization.placement.hoisting_targets import (
    executed_at_most_once,
    outside_of_loops,
)
from xdsl_bufferization.planning import Buffer
from xdsl_bufferization.support.data_layout import DataLayout
from xdsl_bufferization.support.dominance import DominatorTree
from xdsl_bufferization.support.memref_types import has_identity_layout


@dataclass(frozen=True, slots=True)
class StaticBuffer:
    """An allocation that can be placed in an arena."""

    op: memref.AllocOp
    requirements: Buffer
    """Its live range, in positions of ops, and its size and alignment, in bytes."""
    first: Operation
    """The first op that accesses the memory; the allocation itself if none does."""
    last: Operation
    """The last op that accesses the memory; the allocation itself if none does."""


def static_buffers(function: Operation, alignment: int) -> Sequence[StaticBuffer]:
    """
    The `memref.alloc`s of the function that can be placed in an arena, in the order of its
    ops; those without an `alignment` attribute are aligned to `alignment` bytes, or more if
    their elements need it.
    """
    uses = AllocationUses(function)
    layout = DataLayout.of(function)
    candidates = [a for a in uses.allocations() if _can_be_placed(a, layout)]
    if not candidates:
        return ()
    tree = DominatorTree(function.regions)
    live_ranges = LiveRanges(uses.flow, ProgramPoints(function))
    return [
        _static_buffer(allocation, live_ranges, alignment, layout)
        for allocation in candidates
        if executed_at_most_once(outside_of_loops(allocation, tree), tree)
        and not any(live_ranges.loop_carried(allocation))
    ]


def _size_in_bytes(type: Attribute, layout: DataLayout) -> int | None:
    """The size in bytes of a memref; `None` if it is unknown or the memref has a layout."""
    return layout.bytes_of_contents(type) if has_identity_layout(type) else None


def _can_be_placed(allocation: Allocation, layout: DataLayout) -> bool:
    return (
        isinstance(allocation.op, memref.AllocOp)
        and not allocation.is_freed
        and not allocation.is_returned
        and not allocation.escapes
        and not allocation.is_cloned
        and _size_in_bytes(allocation.memref.type, layout) is not None
    )


def _static_buffer(
    allocation: Allocation, live_ranges: LiveRanges, alignment: int, layout: DataLayout
) -> StaticBuffer:
    """The static buffer of an allocation of static size."""
    op = allocation.op
    assert isinstance(op, memref.AllocOp)
    size = _size_in_bytes(op.memref.type, layout)
    assert size is not None
    if op.alignment is not None:
        alignment = op.alignment.value.data
    else:
        element = op.memref.type.element_type
        alignment = max(alignment, layout.alignment_in_bytes(element) or 1)
    allocated = live_ranges.points.position(op)
    lower = upper = int(allocated)
    first = last = op
    touching = [touch.op for touch in live_ranges.touches(allocation)]
    if touching:
        first = min(touching, key=live_ranges.points.position)
        last = max(touching, key=live_ranges.end)
        intervals = [live_ranges.interval(t, allocated) for t in touching]
        lower = min(lower for lower, _ in intervals)
        upper = max(last for _, last in intervals) + 1
    return StaticBuffer(op, Buffer(lower, upper, size, alignment), first, last)
