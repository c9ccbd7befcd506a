"""
The allocations of a function that can be placed in an arena, and their live ranges.

An allocation can be placed in an arena if the memory does not escape the function and is not
cloned, and no iteration of a loop accesses the memory of an earlier one. It is live from the first
op that accesses the memory to the last one, and in all of a loop in which it is accessed but not
allocated.

Its size is a polynomial, the product of a number and a *unit*: `1024 * %x.0` and `64 * %x.0` have
the unit `%x.0`, and constants the unit 1. If it is not constant, there are two more conditions:

- All that the size depends on is known in the first block of the function, so that the arena can
  be allocated there, in whichever loop the program computes the size
  (`memrefs/calling_conventions/available_sizes.py`).
- A buffer in a branch that may not be taken needs no memory that its function would not need
  otherwise, unless the unit is a sum of sizes of tensors or memrefs, and numbers: a branch may be
  there to keep `%n * %n` small. For a product of integers that are no sizes, which may wrap, a loop
  that may have no iteration is a branch, too.

      scf.if %is_small { %m = memref.alloc(%n, %n) ... }
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.interfaces.loop_like import runs_at_least_once
from xdsl_bufferization.interfaces.memory_layout import extent_of
from xdsl_bufferization.interfaces.region_branch import is_loop
from xdsl_bufferization.interfaces.sizes import Expression
from xdsl_bufferization.memrefs.buffers.allocation_uses import (
    Allocation,
    AllocationUses,
    LiveRanges,
)
from xdsl_bufferization.memrefs.buffers.program_points import ProgramPoints
from xdsl_bufferization.memrefs.calling_conventions.available_sizes import (
    AvailableSizes,
)
from xdsl_bufferization.memrefs.placement.hoisting_targets import (
    executed_at_most_once,
    outermost_block,
)
from xdsl_bufferization.memrefs.sizes.computation import is_size
from xdsl_bufferization.memrefs.sizes.size_analysis import UpperBounds
from xdsl_bufferization.planning.problem import Buffer, lower_bound
from xdsl_bufferization.support.call_graph import within_function
from xdsl_bufferization.support.data_layout import DataLayout
from xdsl_bufferization.support.memref_types import (
    has_identity_layout,
    is_view_of_flat_memory,
)
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import DominatorTree, block_of

MAX_BYTES = 1 << 47
"""
The most bytes of a buffer in an arena, as many as a process on x86-64 may have. With more, only
executions that do not need the buffer go well, and the size of the arena may be no `index`.
"""

MAX_COEFFICIENT = 1 << 31
"""
The most bytes for each element of a unit. With more, their product may be no `index`, though the
unit is the size of a tensor in memory:

    scf.if %c { %m = memref.alloc(%n) : memref<?x4294967296xf32> ... }
"""

MAX_BOUND = 1 << 20
"""
The bound, in bytes, of a buffer that is always there, though the program may need less; beyond it,
the buffer is allocated when it is needed.
"""

FREED = "the program frees it"
"""Why memory stays an allocation of its own, though it would not if it were not freed yet."""
RETURNED = "it is returned"
"""Why memory stays an allocation of its own, although its size is known."""
TOO_LARGE = (
    "no memory is so large, and executions that do not need it would allocate it"
)
"""Why memory stays an allocation of its own, although its size is known."""
UNKNOWN_SIZE = "its size is not known"
"""Why memory stays an allocation of its own if only constant sizes are planned."""
KNOWN_LATE = "its size is known only in a loop, a branch or another block"
"""Why memory stays an allocation of its own, although its size can be computed."""
IN_BRANCH = "it is in a branch, and executions that do not take the branch would need more memory"
"""Why memory stays an allocation of its own, although its size can be computed before."""
_UNKNOWN_STRIDE = "nothing tells how much memory its elements take"

ONE = Expression.constant(1)
"""The unit of sizes that are constants."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaBuffer(Buffer):
    """An allocation that can be placed in an arena; its size is a number of units."""

    op: memref.AllocOp
    first: Operation
    """The first op that accesses the memory; the allocation itself if none does."""
    last: Operation
    """The last op that accesses the memory; the allocation itself if none does."""
    unit: Expression = ONE


class ArenaBuffers(NamedTuple):
    """The `memref.alloc`s of a function."""

    placed: Sequence[ArenaBuffer]
    """Those that can be placed in an arena."""
    left: Sequence[tuple[memref.AllocOp, str]]
    """The others, in the order of its ops, each with the reason."""


def arena_buffers(
    uses: AllocationUses,
    points: ProgramPoints,
    alignment: int,
    size: Callable[[memref.AllocOp], Expression | str],
) -> ArenaBuffers:
    """
    The `memref.alloc`s of a function, and which of them can be placed in an arena; those without
    an `alignment` attribute are aligned to `alignment` bytes, and all to more if their elements
    need it.

    `size` says how many bytes an allocation has, or why that is not known.
    """
    function = uses.flow.function
    tree = DominatorTree(function.regions)
    live_ranges = LiveRanges(uses.flow, points)
    layout = DataLayout.of(function)
    placed: list[ArenaBuffer] = []
    left: dict[memref.AllocOp, str] = {}
    for allocation in uses.allocations():
        if isinstance(op := allocation.op, memref.AllocOp):
            found = _problem(allocation, tree, live_ranges) or size(op)
            if isinstance(found, str):
                left[op] = found
            else:
                placed.append(
                    arena_buffer(allocation, found, live_ranges, alignment, layout)
                )
    in_branches = {*_raising_in_branches(placed)}
    left.update((buffer.op, IN_BRANCH) for buffer in in_branches)
    placed = [buffer for buffer in placed if buffer not in in_branches]
    in_order = sorted(left.items(), key=lambda entry: points.position(entry[0]))
    return ArenaBuffers(placed, in_order)


class BufferSizes:
    """
    The sizes of the buffers of a function in arenas.

    With `any_layout`, a layout is enough that tells how much memory it takes; or else a view of
    bytes needs to have it. With `constant`, no sizes are wanted that are known at run time only.
    """

    def __init__(
        self,
        available: AvailableSizes,
        *,
        any_layout: bool = False,
        constant: bool = False,
    ):
        function = available.function
        self._first = function.regions[0].first_block
        self._layout = DataLayout.of(function)
        self._available = available
        self._bounds = UpperBounds(function, available.sizes)
        self._any_layout = any_layout
        self._constant = constant

    def __call__(self, op: memref.AllocOp) -> Expression | str:
        """The size in bytes, or why it is not known."""
        type = op.memref.type
        if not type.has_static_shape():
            return self._of_dynamic(op)
        size = size_in_bytes(type, self._layout, self._any_layout)
        if isinstance(size, str):
            return size
        return Expression.constant(size) if size <= MAX_BYTES else TOO_LARGE

    def _of_dynamic(self, op: memref.AllocOp) -> Expression | str:
        type = op.memref.type
        stride = self._layout.stride_in_bytes(type.element_type)
        if stride is None:
            return _UNKNOWN_STRIDE
        if not has_identity_layout(type):
            return "its size is not known, and neither are the strides of its layout"
        elements = self._available.sizes.elements(op.memref)
        if elements is None:
            return UNKNOWN_SIZE
        size = elements.times(stride)
        if not (problem := self._problem(size)):
            return size
        bound = self._bounds.elements(op.memref, op)
        most = MAX_BYTES if self._constant else MAX_BOUND
        if bound is not None and bound * stride <= most:
            return Expression.constant(bound * stride)
        is_late = math.isinf(self._available.start(size).position)
        return problem if problem != KNOWN_LATE or is_late or self._constant else size

    def _problem(self, size: Expression) -> str:
        """Why the buffer is rather planned by a bound of its size; empty if it is not."""
        if any(abs(number) > MAX_COEFFICIENT for number in size.terms.values()):
            return TOO_LARGE
        if any(block_of(symbol.value) is not self._first for symbol in size.symbols):
            return KNOWN_LATE
        return UNKNOWN_SIZE if self._constant and size.number is None else ""


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
    return _UNKNOWN_STRIDE if stride is None else extent * stride


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


def _problem(
    allocation: Allocation, tree: DominatorTree, live_ranges: LiveRanges
) -> str:
    """Why the memory, or that of each execution, needs to be its own; empty if it need not."""
    if problem := problem_of_uses(allocation):
        return problem
    # Its size can be computed in any block.
    block = outermost_block(
        allocation.block, tree, allocation.entered, allocation.joined
    )
    if not executed_at_most_once(block, tree):
        return "several executions of it may need memory at the same time"
    if any(live_ranges.loop_carried(allocation)):
        return "an iteration of a loop passes it to the next one"
    return ""


def arena_buffer(
    allocation: Allocation,
    size: Expression,
    live_ranges: LiveRanges,
    alignment: int,
    layout: DataLayout,
) -> ArenaBuffer:
    """
    The buffer of a `memref.alloc` of so many bytes, aligned to `alignment` bytes if it does not say
    otherwise.
    """
    op = allocation.op
    assert isinstance(op, memref.AllocOp)
    if op.alignment is not None:
        alignment = op.alignment.value.data
    # A smaller one of the program's does not hold for what loads and stores elements.
    element = op.memref.type.element_type
    alignment = max(alignment, layout.alignment_in_bytes(element) or 1)
    touching = [touch.op for touch in live_ranges.touches(allocation)] or [op]
    lower, upper = live_interval(allocation, live_ranges)
    number = size.number
    return ArenaBuffer(
        lower=lower,
        upper=upper,
        size=size.content if number is None else max(number, 0),
        alignment=alignment,
        op=op,
        first=min(touching, key=live_ranges.points.position),
        last=max(touching, key=live_ranges.points.end),
        unit=size.primitive() if number is None else ONE,
    )


def live_interval(allocation: Allocation, live_ranges: LiveRanges) -> tuple[int, int]:
    """The first position at which the memory is live, and the first at which no longer."""
    allocated = live_ranges.points.position(allocation.op)
    intervals = [
        live_ranges.interval(touch.op, allocated)
        for touch in live_ranges.touches(allocation)
    ] or [(int(allocated), int(allocated) - 1)]
    return min(first for first, _ in intervals), max(last for _, last in intervals) + 1


def by_unit(buffers: Iterable[ArenaBuffer]) -> dict[Expression, list[ArenaBuffer]]:
    """The buffers of each unit."""
    found: dict[Expression, list[ArenaBuffer]] = {}
    for buffer in buffers:
        found.setdefault(buffer.unit, []).append(buffer)
    return found


def _raising_in_branches(buffers: Iterable[ArenaBuffer]) -> Iterator[ArenaBuffer]:
    """The buffers in branches that would raise what other executions need."""
    for unit, group in by_unit(buffers).items():
        of_sizes = unit.is_nonnegative(is_size)
        if unit.degree <= 1 and of_sizes:
            continue
        # A product of integers may wrap where nothing of that size is allocated.
        loops_run = of_sizes or all(
            sum(exponent for symbol, exponent in product if symbol.dimension is None)
            < 2
            for product in unit.terms
        )
        in_branch = {b for b in group if _is_in_branch(b.op, loops_run)}
        certain = [b for b in group if b not in in_branch]
        if in_branch and _peak(group) > _peak(certain):
            yield from in_branch


def _peak(buffers: Iterable[ArenaBuffer]) -> int:
    return lower_bound([replace(buffer, alignment=1) for buffer in buffers])


def _is_in_branch(op: Operation, loops_run: bool) -> bool:
    """
    Whether the function may run without executing the op; if `loops_run`, each loop has an
    iteration.
    """
    return any(
        block_of(around).prev_block is not None
        or not (
            around is op
            or runs_at_least_once(around)
            or (loops_run and is_loop(around))
        )
        for around in within_function(op)
    )
