"""How often ops are executed, where constants tell."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, Operation

from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.loop_like import trip_count
from xdsl_bufferization.support.regions import ancestors


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
    _, *around = ancestors(op)
    yield from filter(_is_loop, around)


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


def _is_loop(op: Operation) -> bool:
    model = BufferizableOpInterface.of(op)
    return model is not None and any(
        model.is_repetitive(op, region) for region in range(len(op.regions))
    )
