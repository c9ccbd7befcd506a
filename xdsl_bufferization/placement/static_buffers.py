"""
Which allocations of a function can share one piece of memory, and when each is in use.

An allocation can have a place in memory that is there for all of the function if its size
is known, it is not used any more when the function ends, and no run of a loop sees what an
earlier one had in it. It is in use from the first op that touches the memory to the last
one, and in all of a loop that it was allocated outside of.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.buffers.allocation_uses import Allocation, AllocationUses
from xdsl_bufferization.buffers.block_tree import BlockTree
from xdsl_bufferization.buffers.live_ranges import LiveRanges
from xdsl_bufferization.buffers.program_points import ProgramPoints
from xdsl_bufferization.placement.hoisting_targets import outside_of_loops, runs_once
from xdsl_bufferization.planning import Buffer
from xdsl_bufferization.support.data_layout import stride_in_bytes
from xdsl_bufferization.support.memref_types import has_identity_layout


@dataclass(frozen=True, slots=True)
class StaticBuffer:
    """An allocation that may have a fixed place in memory."""

    op: memref.AllocOp
    life: Buffer
    """When it is in use, in positions of ops, and its size and alignment in bytes."""
    first: Operation
    """The first op that touches it; the allocation itself if none does."""
    last: Operation
    """The last op that does."""


def static_buffers(function: Operation, alignment: int) -> Sequence[StaticBuffer]:
    """
    The `memref.alloc`s of the function that may have a fixed place, in the order of its
    ops; those that say nothing about it are aligned to `alignment` bytes.
    """
    uses = AllocationUses(function)
    candidates = [a for a in uses.allocations() if _may_have_a_place(a)]
    if not candidates:
        return ()
    tree = BlockTree(function)
    lives = LiveRanges(uses.flow, ProgramPoints(function))
    return [
        _static_buffer(allocation, lives, alignment)
        for allocation in candidates
        if runs_once(outside_of_loops(allocation, tree), tree)
        and not any(lives.handed_back(allocation))
    ]


def size_in_bytes(type: Attribute) -> int | None:
    """The bytes that a memref takes; `None` if that is not known, or it has a layout."""
    if (
        not isinstance(type, MemRefType)
        or not type.has_static_shape()
        or not has_identity_layout(cast("Attribute", type))
    ):
        return None
    stride = stride_in_bytes(cast("MemRefType[Attribute]", type).element_type)
    return None if stride is None else math.prod(type.get_shape()) * stride


def _may_have_a_place(allocation: Allocation) -> bool:
    return (
        isinstance(allocation.op, memref.AllocOp)
        and not allocation.is_freed
        and not allocation.is_returned
        and not allocation.is_lost
        and size_in_bytes(allocation.memref.type) is not None
    )


def _static_buffer(
    allocation: Allocation, lives: LiveRanges, alignment: int
) -> StaticBuffer:
    """What is known of an allocation of known size."""
    op = allocation.op
    assert isinstance(op, memref.AllocOp)
    size = size_in_bytes(op.memref.type)
    assert size is not None
    if op.alignment is not None:
        alignment = op.alignment.value.data
    allocated = lives.points.position(op)
    lower = upper = int(allocated)
    first = last = op
    touching = [touch.op for touch in lives.touches(allocation)]
    if touching:
        first = min(touching, key=lives.points.position)
        last = max(touching, key=lives.end)
        intervals = [lives.interval(t, allocated) for t in touching]
        lower = min(lower for lower, _ in intervals)
        upper = max(last for _, last in intervals) + 1
    return StaticBuffer(op, Buffer(lower, upper, size, alignment), first, last)
