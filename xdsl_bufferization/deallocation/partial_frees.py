"""
Memory that the program frees itself, but not on all ways.

Such memory is left to the program. Where it is copied, so that what the program hands over
is not that memory any more, the program still has to free it.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.buffers.post_dominators import PostDominators
from xdsl_bufferization.deallocation.critical_aliases import CriticalAliases, reached
from xdsl_bufferization.support.diagnostics import BufferizationError


def check_partial_frees(aliases: CriticalAliases, points: PostDominators) -> None:
    """
    Raises `BufferizationError` if memory that the program frees is copied, and there are
    ways from there on which the program does not free it.
    """
    left = reached(aliases.left, aliases.aliases)
    copied = [
        (slot.op, handed.value)
        for slot, handed in aliases.copied.items()
        if handed.value in left
    ]
    if not copied:
        return
    sources: dict[SSAValue, list[SSAValue]] = {}
    for value in left:
        for alias in aliases.aliases.get(value, ()):
            sources.setdefault(alias, []).append(value)
    frees: dict[SSAValue, list[Operation]] = {}
    for op, value in aliases.flow.frees():
        for memory in reached([value], sources):
            frees.setdefault(memory, []).append(op)
    for op, value in copied:
        for memory in reached([value], sources):
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
    op: Operation, frees: Iterable[Operation], points: PostDominators
) -> bool:
    """Whether all ways from the op pass one of those that free."""
    start = points.before(op)
    for free in frees:
        end = points.before(free)
        if points.common(start, end) == end:
            return True
    return False
