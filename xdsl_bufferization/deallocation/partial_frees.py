"""
Memory that the program frees itself, but not on all ways.

Such memory is left to the program. Where it is copied, so that what the program hands over
is not that memory any more, the program still has to free it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.buffers.block_points import BlockPoints
from xdsl_bufferization.buffers.memref_flow_graph import reachable
from xdsl_bufferization.deallocation.critical_aliases import CriticalAliases
from xdsl_bufferization.support.diagnostics import BufferizationError


def check_partial_frees(aliases: CriticalAliases, points: BlockPoints) -> None:
    """
    Raises `BufferizationError` if memory that the program frees is copied, and there are
    ways from there on which the program does not free it.
    """
    left = reachable(aliases.left, aliases.aliases)

    def sources(value: SSAValue) -> Iterator[SSAValue]:
        return (source for source in aliases.sources(value) if source in left)

    copied = [
        (slot.op, handed.value)
        for slot, handed in aliases.copied.items()
        if handed.value in left
    ]
    if not copied:
        return
    frees: dict[SSAValue, list[Operation]] = {}
    for op, value in aliases.flow.frees():
        for memory in reachable([value], sources):
            frees.setdefault(memory, []).append(op)
    for op, value in copied:
        for memory in reachable([value], sources):
            if memory in aliases.left and not _frees_later(
                op, frees.get(memory, ()), points
            ):
                free = next(iter(frees.get(memory, ())), None)
                raise BufferizationError(
                    op,
                    "hands over memory that has to be copied, and that the program frees, "
                    "but not on all ways from here",
                    related=[("it is freed", free)],
                    hint="free it on each way, or leave that to the pass",
                )


def _frees_later(
    op: Operation, frees: Iterable[Operation], points: BlockPoints
) -> bool:
    """Whether all ways from the op pass one of those that free."""
    start = points.before(op)
    for free in frees:
        end = points.before(free)
        if points.common(start, end) == end:
            return True
    return False
