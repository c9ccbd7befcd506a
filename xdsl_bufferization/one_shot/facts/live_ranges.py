"""
Where a write would destroy contents that are still to be read.

The *live range* of a read, with respect to one definition of what it reads, is the set of
positions at which another write to the same memory happens after the definition and may
happen before the read. In structured control flow it is a few intervals:

- from the definition to the read, in the simplest case;
- up to the end of the outermost loop around the read that does not enclose the
  definition, as the read happens again after any write in that loop;
- without the regions that can not run before the read: of an op of which at most one
  region runs (`scf.if`), only the region of the read counts;
- in a region of several blocks, those from which the read can be reached, and only to the
  definition, which a path to the read passes.

A read and a write conflict only if the write's position is in one of these intervals;
`conflicts.py` decides which of those that are do.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from xdsl.ir import Block

from xdsl_bufferization.one_shot.facts.program import OpInfo, TensorOperand, ValueInfo


@dataclass(slots=True, eq=False)
class LiveRange:
    """One interval of positions, both ends included."""

    start: int
    end: int
    read: TensorOperand
    definition: ValueInfo
    is_repeated: bool
    """Whether the read may happen again, and see the same definition."""


def live_ranges(read: TensorOperand) -> Iterator[LiveRange]:
    """The intervals in which a write would destroy what `read` reads."""
    for definition in read.value.definitions:
        intervals, is_repeated = _live_intervals(read.owner, definition)
        for start, end in intervals:
            yield LiveRange(start, end, read, definition, is_repeated)


def _live_intervals(
    reader: OpInfo, definition: ValueInfo
) -> tuple[Sequence[tuple[int, int]], bool]:
    """
    The intervals, from the innermost region to that of the definition, and whether the
    reader may run again in between.
    """
    op, end = reader, reader.exit
    intervals: list[tuple[int, int]] = []
    is_repeated = False
    while True:
        region = op.region
        is_outermost = region is definition.region or region.parent is None
        if (control_flow := region.control_flow) is not None:
            known = _block_and_start(definition) if is_outermost else None
            live, again = control_flow.live_intervals(known, _block(op), end)
            if again:
                # All of the op runs again.
                intervals.clear()
                is_repeated = True
            intervals.extend(live)
        elif is_outermost:
            intervals.append((definition.start, end))
        if is_outermost or (parent := region.parent) is None:
            return intervals, is_repeated
        op = parent
        if region.is_repetitive:
            # The read happens again after whatever the region does.
            intervals.clear()
            is_repeated = True
            end = parent.exit
        elif control_flow is not None:
            end = parent.enter
        elif parent.model is not None and parent.model.has_exclusive_regions(parent.op):
            intervals.append((region.first, end))
            end = parent.enter
        elif len(parent.op.regions) > 1:
            # Nothing is known about the order of the regions.
            intervals.clear()
            end = parent.exit


def _block(op: OpInfo) -> Block:
    block = op.op.parent
    assert block is not None
    return block


def _block_and_start(definition: ValueInfo) -> tuple[Block, int]:
    owner = definition.value.owner
    block = owner if isinstance(owner, Block) else owner.parent
    assert block is not None
    return block, definition.start


class LiveRangeIndex:
    """
    All live ranges of a program, sorted by their start: a range is named by its rank.

    `RangeSet` holds a subset of them.
    """

    def __init__(self, ranges: Iterable[LiveRange]):
        self.ranges = sorted(ranges, key=lambda live_range: live_range.start)
        self.starts = [live_range.start for live_range in self.ranges]
        self.ends = [live_range.end for live_range in self.ranges]
        self.width = 1 << max(len(self.ranges) - 1, 0).bit_length()
        """The number of leaves of the tree that large sets are searched by."""


class RangeSet:
    """
    A growing set of live ranges that finds those that overlap an interval.

    A few ranges are searched one by one. More of them are kept in a segment tree over
    their ranks, of which only the occupied nodes are stored, each with the largest end
    below it: adding a range takes logarithmic time, and so does finding the next one.
    """

    __slots__ = ("_index", "_tree", "ranks")

    _FEW = 12

    def __init__(self, index: LiveRangeIndex, ranks: list[int]):
        self._index = index
        self._tree: dict[int, int] | None = None
        self.ranks = ranks

    def __len__(self) -> int:
        return len(self.ranks)

    def __iter__(self) -> Iterator[LiveRange]:
        return map(self._index.ranges.__getitem__, self.ranks)

    def update(self, other: RangeSet) -> None:
        """Add the ranges of another set, which must be disjoint from this one."""
        self.ranks.extend(other.ranks)
        if self._tree is not None:
            self._insert(self._tree, other.ranks)

    def overlapping(self, first: int, last: int) -> Iterator[LiveRange]:
        """The ranges that contain one of the positions, found lazily."""
        index = self._index
        if len(self.ranks) <= self._FEW:
            for rank in self.ranks:
                if index.starts[rank] <= last and first <= index.ends[rank]:
                    yield index.ranges[rank]
            return
        if self._tree is None:
            self._tree = {}
            self._insert(self._tree, self.ranks)
        tree = self._tree
        started = bisect_right(index.starts, last)
        stack = [(1, 0, index.width)]
        while stack:
            node, rank, width = stack.pop()
            if rank >= started or tree.get(node, -1) < first:
                continue
            if width == 1:
                yield index.ranges[rank]
            else:
                half = width // 2
                stack.append((2 * node + 1, rank + half, half))
                stack.append((2 * node, rank, half))

    def _insert(self, tree: dict[int, int], ranks: Iterable[int]) -> None:
        width, ends = self._index.width, self._index.ends
        for rank in ranks:
            node, end = width + rank, ends[rank]
            while node and tree.get(node, -1) < end:
                tree[node] = end
                node >>= 1
