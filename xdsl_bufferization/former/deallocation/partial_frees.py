"""
Memory that the program frees itself, but not on all paths.

Such memory is left to the program. Where it is copied before it is forwarded, the program
frees the copy on some paths, and nothing frees the memory itself on these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.buffers.memref_flow_graph import reachable
from xdsl_bufferization.former.copies.block_points import BlockPoints
from xdsl_bufferization.former.deallocation.critical_aliases import CriticalAliases
from xdsl_bufferization.support.diagnostics import BufferizationError


def check_partial_frees(aliases: CriticalAliases, points: BlockPoints) -> None:
    """
    Raises `BufferizationError` if memory that the program frees is copied, and the program
    does not free it on all paths from the copy.
    """
    left = reachable(aliases.left, aliases.aliases)

    def sources(value: SSAValue) -> Iterator[SSAValue]:
        return (source for source in aliases.sources(value) if source in left)

    copied = [
        (slot.op, forwarded.value)
        for slot, forwarded in aliases.copied.items()
        if forwarded.value in left
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
    """Whether all paths from the op pass one of the ops that free."""
    start = points.before(op)
    for free in frees:
        end = points.before(free)
        if points.common(start, end) == end:
            return True
    return False
