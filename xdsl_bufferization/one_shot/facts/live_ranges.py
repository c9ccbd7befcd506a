"""
Where a write would destroy contents that are still to be read.

    %0 = linalg.fill ins(%f) outs(%e)        // position 2: defines %0
    %1 = tensor.insert %f into %0[%i]        // position 3: a write in the live range [3, 4]
    %x = tensor.extract %0[%i]               // position 4: the read
    %2 = tensor.insert %f into %1[%i]        // position 5: after the live range

A read has a *live range* for each definition of what it reads: the positions at which
another write to the same memory would happen after the definition, and could happen before
the read. In structured control flow that is a few intervals:

- from the definition to the read, in the simplest case;
- up to the end of the outermost loop around the read that does not enclose the
  definition, as the read happens again after any write in that loop;
- without the regions that cannot run before the read: where at most one region of an op
  runs (`scf.if`), only the region of the read counts;
- in a region of several blocks, the blocks on paths from the definition to the read.

Regions to which an op passes a tensor may read what they wrote to its memory; another write
in the regions would destroy that, even if they do not need what was there before.

A read and a write conflict only if the write's position is in one of these intervals.
Whether they do then, `decisions/one_shot_analysis.py` decides.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from xdsl_bufferization.one_shot.facts.records import OpInfo, TensorOperand, ValueInfo
from xdsl_bufferization.support.regions import block_of


@dataclass(slots=True, eq=False)
class LiveRange:
    """One interval of a live range, both ends included."""

    start: int
    end: int
    read: TensorOperand
    definition: ValueInfo
    is_repeated: bool
    """Whether the read may happen again without the definition happening again."""


def live_ranges(value: ValueInfo) -> Iterator[LiveRange]:
    """The intervals in which a write would destroy what is read of the value's memory."""
    for read in value.reads:
        for definition in value.definitions:
            intervals, is_repeated = _live_intervals(read.owner, definition)
            for start, end in intervals:
                yield LiveRange(start, end, read, definition, is_repeated)
    for use in value.written_in_regions:
        # The regions may read what they have written.
        op = use.owner
        yield LiveRange(op.enter + 1, op.exit, use, value, is_repeated=False)


def _live_intervals(
    reader: OpInfo, definition: ValueInfo
) -> tuple[Sequence[tuple[int, int]], bool]:
    """
    The intervals of the live range, and whether it is repeated; found from the region of
    the reader outwards to that of the definition.
    """
    op, end = reader, reader.exit
    intervals: list[tuple[int, int]] = []
    is_repeated = False
    while True:
        region = op.region
        is_outermost = region is definition.region or region.parent is None
        if (control_flow := region.control_flow) is not None:
            known = None
            if is_outermost:
                block = control_flow.block_around(block_of(definition.value))
                known = block, definition.start
            live, again = control_flow.live_intervals(known, block_of(op.op), end)
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
            # The regions may run in any order.
            intervals.clear()
            end = parent.exit


class LiveRangeIndex:
    """
    All live ranges of a program, sorted by their start; the *rank* of a range is its index
    in this order. A `RangeSet` is a subset of them.
    """

    def __init__(self, ranges: Iterable[LiveRange]):
        self.ranges = sorted(ranges, key=lambda live_range: live_range.start)
        self.starts = [live_range.start for live_range in self.ranges]
        self.ends = [live_range.end for live_range in self.ranges]
        self.width = 1 << max(len(self.ranges) - 1, 0).bit_length()
        """The number of leaves of the trees of large sets: a power of two."""


class RangeSet:
    """
    A growing set of live ranges that finds those that overlap an interval.

    A few ranges are searched one by one. More are kept in a segment tree over the ranks.
    Node 1 is the root, `2 * n` and `2 * n + 1` are the children of node `n`, and the leaf
    of a rank is `index.width + rank`. Only nodes above a range of the set are stored, each
    with the largest end below it. To add a range takes logarithmic time, and so does to
    find the next one.
    """

    __slots__ = ("_index", "_tree", "ranks")

    _FEW = 12

    def __init__(self, index: LiveRangeIndex, ranks: list[int]):
        self._index = index
        self._tree: dict[int, int] | None = None
        """By node: the largest end below it. `None` until it is needed."""
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
