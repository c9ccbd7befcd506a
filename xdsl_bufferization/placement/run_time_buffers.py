"""
Allocations whose sizes are known at run time, and that can be placed in an arena.

The size of such an allocation is a polynomial, the product of its *coefficient* in bytes and a
*unit*: `1024 * %x.0` and `64 * %x.0` have the unit `%x.0`. The conditions are those of
`static_buffers.py`, and two more:

- All that the size depends on is known in the first block of the function, so that the arena can
  be allocated there, in whichever loop the program computes the size.
- A buffer in a branch that may not be taken needs no memory that its function would not need
  otherwise, unless the unit is a sum of sizes of tensors or memrefs, and numbers: a branch may be
  there to keep `%n * %n` small. For a product of integers that are no sizes, which may wrap, a loop
  that may have no iteration is a branch, too.

      scf.if %is_small { %m = memref.alloc(%n, %n) ... }
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects import memref
from xdsl.ir import Block, BlockArgument, Operation

from xdsl_bufferization.buffers.allocation_uses import AllocationUses
from xdsl_bufferization.buffers.call_effects import CallEffects
from xdsl_bufferization.buffers.live_ranges import LiveRanges
from xdsl_bufferization.buffers.program_points import ProgramPoints
from xdsl_bufferization.interfaces.loop_like import runs_at_least_once
from xdsl_bufferization.interfaces.region_branch import is_loop
from xdsl_bufferization.interfaces.sizes import Expression
from xdsl_bufferization.placement.hoisting_targets import MemoryAnywhere
from xdsl_bufferization.placement.static_buffers import (
    IN_BRANCH,
    KNOWN_LATE,
    TOO_LARGE,
    UNKNOWN_SIZE,
    StaticBuffer,
    problem_of_executions,
    problem_of_uses,
    static_buffer,
)
from xdsl_bufferization.planning import Buffer, lower_bound
from xdsl_bufferization.sizes.bounds import UpperBounds
from xdsl_bufferization.sizes.computation import is_never_negative
from xdsl_bufferization.sizes.size_analysis import Sizes
from xdsl_bufferization.support.call_graph import within_function
from xdsl_bufferization.support.data_layout import DataLayout
from xdsl_bufferization.support.dominance import DominatorTree
from xdsl_bufferization.support.memref_types import has_identity_layout
from xdsl_bufferization.support.regions import block_of

MAX_BOUND = 1 << 20
"""
The bound, in bytes, of a buffer that is always there, though the program may need less; beyond it,
the buffer is allocated when it is needed.
"""


MAX_COEFFICIENT = 1 << 31
"""
The most bytes for each element of a unit. With more, their product may be no `index`, though the
unit is the size of a tensor in memory:

    scf.if %c { %m = memref.alloc(%n) : memref<?x4294967296xf32> ... }
"""


class RunTimeBuffer(NamedTuple):
    """An allocation of run-time size that can be placed in an arena."""

    part: StaticBuffer
    """The buffer, with its coefficient as the size."""
    unit: Expression
    """The size is the product of the unit and the coefficient."""
    available: Operation | None
    """The op of the first block after which the unit can be computed; `None` for its start."""
    position: float
    """The position of the allocation."""


class RunTimeBuffers(NamedTuple):
    """The `memref.alloc`s of dynamic shape of a function."""

    placed: Sequence[RunTimeBuffer]
    bounded: Sequence[StaticBuffer]
    """Those that can be placed with the size that they may have at most."""
    left: Sequence[tuple[memref.AllocOp, str]]
    """The others, each with the reason."""
    points: ProgramPoints


def run_time_buffers(
    function: Operation,
    alignment: int,
    calls: CallEffects,
    sizes: Sizes,
    *,
    any_bound: bool = False,
) -> RunTimeBuffers:
    """
    The `memref.alloc`s of dynamic shape in the function, and which of them can be placed in an
    arena. `alignment`, in bytes, is that of allocations without an attribute. With `any_bound`, all
    that have a bound are placed by it; otherwise those that cannot be placed without it, and whose
    bound is `MAX_BOUND` or less.
    """
    bounds = UpperBounds(function, sizes)
    bounded: list[StaticBuffer] = []
    uses = AllocationUses(function, calls)
    tree = DominatorTree(function.regions)
    points = ProgramPoints(function)
    live_ranges = LiveRanges(uses.flow, points)
    layout = DataLayout.of(function)
    first = function.regions[0].first_block
    found: list[RunTimeBuffer] = []
    left: dict[memref.AllocOp, str] = {}
    for allocation in uses.allocations():
        op = allocation.op
        if not isinstance(op, memref.AllocOp) or op.memref.type.has_static_shape():
            continue
        if problem := problem_of_uses(allocation) or problem_of_executions(
            allocation, MemoryAnywhere.of(allocation), tree, live_ranges
        ):
            left[op] = problem
            continue
        size = _size_in_bytes(op, layout, sizes)
        problem = size if isinstance(size, str) else _problem_of_symbols(size, first)
        most = _most_bytes(op, layout, bounds) if problem or any_bound else None
        if most is not None and (any_bound or most <= MAX_BOUND):
            bounded.append(
                static_buffer(allocation, most, live_ranges, alignment, layout)
            )
            continue
        if problem or isinstance(size, str):
            left[op] = problem
            continue
        coefficient, unit = _factored(size)
        found.append(
            RunTimeBuffer(
                static_buffer(allocation, coefficient, live_ranges, alignment, layout),
                unit,
                _available(unit, points),
                points.position(op),
            )
        )
    in_branches = {*_raising_in_branches(found)}
    left.update((buffer.part.op, IN_BRANCH) for buffer in in_branches)
    placed = [buffer for buffer in found if buffer not in in_branches]
    return RunTimeBuffers(placed, bounded, [*left.items()], points)


def _most_bytes(
    op: memref.AllocOp, layout: DataLayout, bounds: UpperBounds
) -> int | None:
    """The most bytes that the buffer may need; `None` if no bound is known."""
    stride = layout.stride_in_bytes(op.memref.type.element_type)
    if stride is None or not has_identity_layout(op.memref.type):
        return None
    elements = bounds.elements(op.memref, op)
    return None if elements is None else elements * stride


def _size_in_bytes(
    op: memref.AllocOp, layout: DataLayout, sizes: Sizes
) -> Expression | str:
    """The size of the buffer in bytes; or why it is not known."""
    type = op.memref.type
    stride = layout.stride_in_bytes(type.element_type)
    if stride is None:
        return "nothing tells how much memory its elements take"
    if not has_identity_layout(type):
        return "its size is not known, and neither are the strides of its layout"
    elements = sizes.elements(op.memref)
    total = None if elements is None else elements.times(stride)
    if total is None:
        return UNKNOWN_SIZE
    if any(abs(number) > MAX_COEFFICIENT for number in total.terms.values()):
        return TOO_LARGE
    return total


def _factored(size: Expression) -> tuple[int, Expression]:
    """The greatest common divisor of the coefficients, and what it is multiplied with."""
    if not size.terms:
        return 0, Expression.constant(1)
    return size.content, size.primitive()


def _problem_of_symbols(size: Expression, first: Block | None) -> str:
    """Why the size cannot be computed in the first block of the function; empty if it can."""
    for symbol in size.symbols:
        if block_of(symbol.value) is not first:
            return KNOWN_LATE
    return ""


def _available(unit: Expression, points: ProgramPoints) -> Operation | None:
    """The last op that defines a symbol of the unit; `None` if all are arguments."""
    owners = [
        owner
        for symbol in unit.symbols
        if not isinstance(symbol.value, BlockArgument)
        and isinstance(owner := symbol.value.owner, Operation)
    ]
    return max(owners, key=points.position, default=None)


def _raising_in_branches(buffers: Iterable[RunTimeBuffer]) -> Iterator[RunTimeBuffer]:
    """The buffers in branches that would raise what other executions need."""
    by_unit: dict[Expression, list[RunTimeBuffer]] = {}
    for buffer in buffers:
        by_unit.setdefault(buffer.unit, []).append(buffer)
    for unit, group in by_unit.items():
        is_linear, is_size = unit.degree <= 1, is_never_negative(unit)
        if is_linear and is_size:
            continue
        # A product of integers may wrap where nothing of that size is allocated.
        loops_run = is_size or all(
            sum(exponent for symbol, exponent in product if symbol.dimension is None)
            < 2
            for product in unit.terms
        )
        in_branch = {b for b in group if _is_in_branch(b.part.op, loops_run)}
        certain = [b for b in group if b not in in_branch]
        if in_branch and _peak(group) > _peak(certain):
            yield from in_branch


def _peak(buffers: Sequence[RunTimeBuffer]) -> int:
    return lower_bound([as_planned(b.part, 1) for b in buffers])


def as_planned(part: StaticBuffer, alignment: int) -> Buffer:
    """The buffer as the planner takes it."""
    return Buffer(part.lower, part.upper, part.size, alignment)


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
