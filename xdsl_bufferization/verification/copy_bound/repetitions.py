"""How often ops are executed, where constants tell."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Block, Operation

from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.support.attributes import constant_integer, integers
from xdsl_bufferization.support.names import op_name


def loops_between(op: Operation, outer: Block) -> list[Operation] | None:
    """
    The loops around the op, from the innermost on, within the block `outer`; `None` if there
    are other ops with regions between, or if the op is not within the block.
    """
    loops: list[Operation] = []
    block = op.parent
    while block is not None and block is not outer:
        around = block.parent_op()
        if around is None or not _is_loop(around) or block.parent is None:
            return None
        if block.parent.blocks.first is not block.parent.blocks.last:
            return None
        loops.append(around)
        block = around.parent
    return None if block is None else loops


def loops_around(op: Operation) -> Iterator[Operation]:
    """The loops around the op, from the innermost on."""
    around = op.parent_op()
    while around is not None:
        if _is_loop(around):
            yield around
        around = around.parent_op()


def trip_count(loop: Operation) -> int | None:
    """How many iterations a loop has; `None` if that is not known."""
    match op_name(loop):
        case "scf.for":
            bounds = [*map(constant_integer, loop.operands[:3])]
        case "scf.forall" | "scf.parallel":
            return _points(loop)
        case _:
            return None
    lower, upper, step = bounds
    if lower is None or upper is None or step is None or step <= 0:
        return None
    return max(0, -((lower - upper) // step))


def executions(op: Operation) -> int:
    """
    How often the op is executed for each execution of its function, as if each branch were
    taken; loops with unknown trip counts are counted once.
    """
    times = 1
    for loop in loops_around(op):
        count = trip_count(loop)
        times *= 1 if count is None else count
    return times


def _points(loop: Operation) -> int | None:
    """The points of an iteration space with static bounds."""
    bounds = [
        integers(loop, f"static{name}") for name in ("LowerBound", "UpperBound", "Step")
    ]
    lower, upper, step = bounds
    if not upper or DYNAMIC_INDEX in (*lower, *upper, *step):
        return None
    return prod(
        max(0, -((a - b) // s)) for a, b, s in zip(lower, upper, step, strict=True)
    )


def _is_loop(op: Operation) -> bool:
    model = BufferizableOpInterface.of(op)
    return model is not None and any(
        model.is_repetitive(op, region) for region in range(len(op.regions))
    )
