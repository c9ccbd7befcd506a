"""
The allocations of a function that can be placed in an arena, and their live ranges.

An allocation can be placed in an arena if its size is static, the memory does not escape the
function and is not cloned, and no iteration of a loop accesses the memory of an earlier one. It
is live from the first op that accesses the memory to the last one, and in all of a loop in
which it is accessed but not allocated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.buffers.allocation_uses import Allocation, AllocationUses
from xdsl_bufferization.buffers.call_effects import CallEffects
from xdsl_bufferization.buffers.live_ranges import LiveRanges
from xdsl_bufferization.buffers.program_points import ProgramPoints
from xdsl_bufferization.interfaces.memory_layout import extent_of
from xdsl_bufferization.placement.hoisting_targets import (
    AliasedMemory,
    MemoryAnywhere,
    executed_at_most_once,
    outside_of_loops,
)
from xdsl_bufferization.support.data_layout import DataLayout
from xdsl_bufferization.support.dominance import DominatorTree
from xdsl_bufferization.support.flat_memory import is_view_of_flat_memory
from xdsl_bufferization.support.names import op_name

FREED = "the program frees it"
"""Why memory stays an allocation of its own, though it would not if it were not freed yet."""


MAX_BYTES = 1 << 47
"""
The most bytes of a buffer in an arena, as many as a process on x86-64 may have. With more, only
executions that do not need the buffer go well, and the size of the arena may be no `index`.
"""
TOO_LARGE = (
    "no memory is so large, and executions that do not need it would allocate it"
)
"""Why memory stays an allocation of its own, although its size is known."""
RETURNED = "it is returned"
"""Why memory stays an allocation of its own, although its size is known."""
UNKNOWN_SIZE = "its size is not known"
"""Why memory stays an allocation of its own, unless `run_time_buffers.py` knows more."""
KNOWN_LATE = "its size is known only in a loop, a branch or another block"
"""Why memory stays an allocation of its own, although its size can be computed."""
IN_BRANCH = "it is in a branch, and executions that do not take the branch would need more memory"
"""Why memory stays an allocation of its own, although its size can be computed before."""


class StaticBuffer(NamedTuple):
    """An allocation that can be placed in an arena."""

    op: memref.AllocOp
    lower: int
    """The first position of an op at which it is live."""
    upper: int
    """The first position after `lower` at which it is no longer live."""
    size: int
    """In bytes."""
    alignment: int
    """In bytes."""
    first: Operation
    """The first op that accesses the memory; the allocation itself if none does."""
    last: Operation
    """The last op that accesses the memory; the allocation itself if none does."""


class StaticBuffers(NamedTuple):
    """The `memref.alloc`s of a function."""

    placed: Sequence[StaticBuffer]
    """Those that can be placed in an arena, in the order of its ops."""
    left: Sequence[tuple[memref.AllocOp, str]]
    """The others, each with the reason."""


def static_buffers(
    function: Operation,
    alignment: int,
    calls: CallEffects,
    *,
    any_layout: bool = False,
    assumed: Callable[[memref.AllocOp], int | None] | None = None,
) -> StaticBuffers:
    """
    The `memref.alloc`s of the function, and which of them can be placed in an arena; those
    without an `alignment` attribute are aligned to `alignment` bytes, and all to more if
    their elements need it.

    `calls` says what calls free and store. The layout of a buffer has to be one that a view
    of bytes can have, or, with `any_layout`, one that tells how much memory it takes. `assumed`
    gives the bytes of buffers of dynamic shape, which are left without it.
    """
    uses = AllocationUses(function, calls)
    data_layout = DataLayout.of(function)
    candidates: list[tuple[Allocation, AliasedMemory, int]] = []
    left: dict[Operation, str] = {}
    for allocation in uses.allocations():
        if isinstance(allocation.op, memref.AllocOp):
            size = size_in_bytes(allocation.op.memref.type, data_layout, any_layout)
            memory: AliasedMemory = allocation
            if size == UNKNOWN_SIZE and assumed is not None:
                size = assumed(allocation.op) or size
                memory = MemoryAnywhere.of(allocation)
            problem = problem_of_uses(allocation)
            if isinstance(size, str) or problem:
                left[allocation.op] = size if isinstance(size, str) else problem
            else:
                candidates.append((allocation, memory, size))
    placed: list[StaticBuffer] = []
    if candidates:
        tree = DominatorTree(function.regions)
        live_ranges = LiveRanges(uses.flow, ProgramPoints(function))
        for allocation, memory, size in candidates:
            if problem := problem_of_executions(allocation, memory, tree, live_ranges):
                left[allocation.op] = problem
            else:
                placed.append(
                    static_buffer(allocation, size, live_ranges, alignment, data_layout)
                )
    return StaticBuffers(
        placed,
        [(op, reason) for op, reason in left.items() if isinstance(op, memref.AllocOp)],
    )


def size_in_bytes(
    type: MemRefType[Attribute], data_layout: DataLayout, any_layout: bool
) -> int | str:
    """The size of a buffer with its layout; or why it is not known."""
    if not type.has_static_shape():
        return UNKNOWN_SIZE
    if not any_layout and not is_view_of_flat_memory(type):
        return (
            "no view of bytes has its layout; offsets-as-attributes does without views"
        )
    extent = extent_of(type)
    stride = data_layout.stride_in_bytes(type.element_type)
    if extent is None:
        return "nothing tells how much memory its layout takes"
    if stride is None:
        return "nothing tells how much memory its elements take"
    return extent * stride


def problem_of_uses(allocation: Allocation) -> str:
    """Why the memory needs to be an allocation of its own; empty if it need not."""
    if allocation.is_freed:
        return FREED
    if allocation.is_returned:
        return RETURNED
    if allocation.escapes:
        return "it is stored in memory, or becomes a tensor or a pointer"
    if allocation.is_cloned:
        return "it is cloned"
    uses = (use.operation for alias in allocation.aliases for use in alias.uses)
    if any(op_name(op) == "memref.distinct_objects" for op in uses):
        return "memref.distinct_objects needs an allocation of its own"
    return ""


def problem_of_executions(
    allocation: Allocation,
    memory: AliasedMemory,
    tree: DominatorTree,
    live_ranges: LiveRanges,
) -> str:
    """
    Why executions of the allocation need memory of their own; empty if none do. `memory` is
    what decides which loops the allocation may leave.
    """
    if not executed_at_most_once(outside_of_loops(memory, tree), tree):
        return "several executions of it may need memory at the same time"
    if any(live_ranges.loop_carried(allocation)):
        return "an iteration of a loop passes it to the next one"
    return ""


def static_buffer(
    allocation: Allocation,
    size: int,
    live_ranges: LiveRanges,
    alignment: int,
    layout: DataLayout,
) -> StaticBuffer:
    """
    The static buffer of a `memref.alloc` of that size, aligned to `alignment` bytes if it does
    not say otherwise.
    """
    op = allocation.op
    assert isinstance(op, memref.AllocOp)
    if op.alignment is not None:
        alignment = op.alignment.value.data
    # A smaller one of the program's does not hold for what loads and stores elements.
    element = op.memref.type.element_type
    alignment = max(alignment, layout.alignment_in_bytes(element) or 1)
    first = last = op
    touching = [touch.op for touch in live_ranges.touches(allocation)]
    if touching:
        first = min(touching, key=live_ranges.points.position)
        last = max(touching, key=live_ranges.end)
    lower, upper = live_interval(allocation, live_ranges)
    return StaticBuffer(op, lower, upper, size, alignment, first, last)


def live_interval(allocation: Allocation, live_ranges: LiveRanges) -> tuple[int, int]:
    """The first position at which the memory is live, and the first at which no longer."""
    allocated = live_ranges.points.position(allocation.op)
    lower = upper = int(allocated)
    intervals = [
        live_ranges.interval(touch.op, allocated)
        for touch in live_ranges.touches(allocation)
    ]
    if intervals:
        lower = min(lower for lower, _ in intervals)
        upper = max(last for _, last in intervals) + 1
    return lower, upper
