"""
Buffers of branches that exclude each other, and so are never live at the same time.

A buffer is not live in a branch that excludes its allocation. After the branches, the buffers of
only one of them are live: the branch with the most memory counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from xdsl.ir import Block, Operation, Region

from xdsl_bufferization.buffers.exclusive_branches import (
    ExclusiveBranches,
    Path,
    path_of,
)
from xdsl_bufferization.buffers.live_ranges import LiveRanges
from xdsl_bufferization.buffers.program_points import ProgramPoints
from xdsl_bufferization.report.model import Buffer, Span
from xdsl_bufferization.support.walk import blocks_in_order


@dataclass(frozen=True, slots=True)
class _Memory:
    """Buffers that may be there at the same time, in branches of the same path."""

    path: Path
    size: tuple[int, int]
    """The known bytes, and the number of buffers of unknown size."""
    buffers: tuple[int, ...]


class Branches:
    """The branches of a function."""

    def __init__(self, points: ProgramPoints, live_ranges: LiveRanges):
        self._points = points
        self._live_ranges = live_ranges
        self._branches = ExclusiveBranches()

    def with_gaps(
        self, buffers: Sequence[Buffer], made_by: Mapping[int, Operation]
    ) -> list[Buffer]:
        """
        The buffers, with the gaps in which they are not there: `made_by` has the op that
        allocates each buffer that may have any, by the index of the buffer.
        """
        paths: dict[int, Path] = {}
        for number, op in made_by.items():
            buffer = buffers[number]
            # If a loop may leave one, branches of its next iteration do not exclude it.
            leaves = buffer.loop is not None or buffer.ending != "freed"
            if not (buffer.loops and leaves) and (path := path_of(op)):
                paths[number] = path
        gaps = {
            number: [*self._excluding(buffers[number].taken, path)]
            for number, path in paths.items()
        }
        for number, span in self._outweighed(buffers, paths, gaps):
            gaps[number].append(span)
        return [
            replace(buffer, gaps=_joined(gaps[number])) if number in gaps else buffer
            for number, buffer in enumerate(buffers)
        ]

    def _excluding(self, span: Span, path: Path) -> Iterator[Span]:
        """The parts of the span that are in branches outside of the path."""
        for branch in path:
            for block in self._branches.others(branch):
                if block.first_op is not None and block.last_op is not None:
                    first = int(self._points.position(block.first_op)) - 1
                    end = self._live_ranges.points.end(block.last_op) + 1
                    if first < span.end and span.first < end:
                        yield Span(max(first, span.first), min(end, span.end))

    # After branches

    def _outweighed(
        self,
        buffers: Sequence[Buffer],
        paths: Mapping[int, Path],
        gaps: Mapping[int, Sequence[Span]],
    ) -> Iterator[tuple[int, Span]]:
        """The spans in which buffers of other branches are there, each with a buffer."""
        events: dict[int, list[tuple[int, bool]]] = {}
        for number in paths:
            for span in without(buffers[number].taken, _joined(gaps[number])):
                events.setdefault(span.first, []).append((number, True))
                events.setdefault(span.end, []).append((number, False))
        alive: dict[int, None] = {}
        for position, following in pairwise(sorted(events)):
            for number, is_there in sorted(
                events[position], key=lambda event: event[1]
            ):
                if is_there:
                    alive[number] = None
                else:
                    alive.pop(number)
            if len(alive) > 1:
                counted = self._counted(buffers, paths, alive)
                for number in alive:
                    if number not in counted:
                        yield number, Span(position, following)

    def _counted(
        self,
        buffers: Sequence[Buffer],
        paths: Mapping[int, Path],
        alive: Iterable[int],
    ) -> set[int]:
        """Those of the buffers that are alive in the branches with the most memory."""
        by_depth: dict[int, list[_Memory]] = {}
        for number in alive:
            size, path = buffers[number].size, paths[number]
            memory = _Memory(path, (size or 0, size is None), (number,))
            by_depth.setdefault(len(path), []).append(memory)
        for depth in range(max(by_depth), 0, -1):
            branches: dict[tuple[Path, Operation | Region], list[_Memory]] = {}
            for memory in by_depth.pop(depth, ()):
                *outer, last = memory.path
                branches.setdefault((tuple(outer), last.of), []).append(memory)
            for (path, of), memories in branches.items():
                largest = self._largest(of, memories)
                by_depth.setdefault(depth - 1, []).append(replace(largest, path=path))
        return {number for memory in by_depth[0] for number in memory.buffers}

    def _largest(self, of: Operation | Region, memories: Sequence[_Memory]) -> _Memory:
        """The most memory that branches of the same op or region have at the same time."""
        by_branch: dict[Region | Block, _Memory] = {}
        for memory in memories:
            taken = memory.path[-1].taken
            by_branch[taken] = _sum(memory, by_branch.get(taken))
        if isinstance(of, Operation):
            return max(by_branch.values(), key=lambda memory: memory.size)
        best: dict[Block, _Memory] = {}
        for block in blocks_in_order(of):
            if (memory := by_branch.get(block)) is not None:
                before = [
                    m for b, m in best.items() if block in self._branches.reachable(b)
                ]
                most = max(before, key=lambda memory: memory.size, default=None)
                best[block] = _sum(memory, most)
        return max(best.values(), key=lambda memory: memory.size)


def _sum(memory: _Memory, more: _Memory | None) -> _Memory:
    if more is None:
        return memory
    size = memory.size[0] + more.size[0], memory.size[1] + more.size[1]
    return _Memory(memory.path, size, memory.buffers + more.buffers)


def _joined(spans: Iterable[Span]) -> Sequence[Span]:
    """The spans in order; those that touch or overlap are one."""
    joined: list[Span] = []
    for span in sorted(spans, key=lambda span: span.first):
        if joined and span.first <= joined[-1].end:
            joined[-1] = Span(joined[-1].first, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined


def without(span: Span, gaps: Sequence[Span]) -> Iterator[Span]:
    """The parts of the span that are not in the gaps, which are in order."""
    first = span.first
    for gap in gaps:
        if first < gap.first < span.end:
            yield Span(first, gap.first)
        first = max(first, gap.end)
    if first < span.end:
        yield Span(first, span.end)
