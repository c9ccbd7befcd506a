"""
The greedy planner: it fills the arena from below, each time with the preferred buffer that fits.

The skyline is the upper boundary, over the sections, of what is filled so far. On its lowest
segment the planner places the buffer with the highest preference among those whose live
range is within the segment; if there is none, it raises the segment to its lower neighbour.

Sources: best fit for strip packing, Burke, Kendall and Whitwell, "A New Placement
Heuristic for the Orthogonal Stock-Cutting Problem" (Operations Research, 2004); for
memory, Sekiyama, Imai, Negishi and Kawachiya, "Profile-guided memory optimization for deep
neural networks" (2018).
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from xdsl_bufferization.planning.problem import Component, round_up


def fill_skyline(component: Component, preference: Sequence[float]) -> list[int]:
    """
    The offsets of the buffers, in bytes; those with a higher preference are placed first.
    The time is about N log N for N buffers.
    """
    unplaced = _UnplacedBuffers(component, preference)
    offsets = [0] * len(component.members)
    # Segments by their first section: the section after the last, the height, and the first
    # section of the segment before. Heap entries of segments that have changed are skipped.
    stop = {0: component.sections}
    height = {0: 0}
    before = {0: -1}
    heap = [(0, 0, component.sections)]
    left = len(offsets)
    while left:
        floor, start, end = heapq.heappop(heap)
        if stop.get(start) != end or height[start] != floor:
            continue
        b = unplaced.take(start, end)
        if b is None:
            first, after = start, end
            # It has a neighbour: a segment of all sections would fit any buffer.
            top = min(height[s] for s in (before[start], end) if s in height)
        else:
            left -= 1
            offsets[b] = round_up(floor, component.alignment[b])
            top = offsets[b] + component.padded[b]
            first, after = component.first[b], component.end[b]
        previous = before[start]
        # What remains of the segment on both sides, and the new segment between.
        pieces = [(start, first, floor), (first, after, top), (after, end, floor)]
        for begin, finish, level in pieces:
            if begin == finish:
                continue
            if previous >= 0 and height[previous] == level:
                if begin == start:
                    # It merges with the segment before it.
                    del stop[start], height[start], before[start]
                begin = previous
            else:
                before[begin] = previous
                height[begin] = level
            stop[begin] = finish
            previous = begin
        if end in height:
            if height[end] == height[previous]:
                stop[previous] = stop.pop(end)
                del height[end], before[end]
            else:
                before[end] = previous
            if stop[previous] in height:
                before[stop[previous]] = previous
        s = previous
        while s >= 0 and stop[s] > start:
            heapq.heappush(heap, (height[s], s, stop[s]))
            s = before[s]
    return offsets


class _UnplacedBuffers:
    """
    The buffers without an offset, in a segment tree over the sections in which they begin.
    """

    def __init__(self, component: Component, preference: Sequence[float]):
        self._end = component.end
        order = sorted(
            range(len(component.members)),
            key=lambda b: (component.first[b], component.end[b]),
        )
        self._begin = [len(order)] * (component.sections + 1)
        """By section: the first leaf whose buffer begins there or later."""
        for index in reversed(range(len(order))):
            self._begin[component.first[order[index]]] = index
        for s in reversed(range(component.sections)):
            self._begin[s] = min(self._begin[s], self._begin[s + 1])
        self._never = component.sections + 1
        self._leaves = leaves = 1 << max(len(order) - 1, 0).bit_length()
        # The children of node n are the nodes 2n and 2n + 1.
        self._earliest = [self._never] * (2 * leaves)
        """By node: the earliest end of a live range."""
        self._latest = [0] * (2 * leaves)
        """By node: the latest end of a live range."""
        self._best = [-1] * (2 * leaves)
        """By node: the highest rank of a buffer by preference."""
        ranks = sorted(range(len(order)), key=lambda b: (preference[b], -b))
        self._by_rank = ranks
        self._leaf = [0] * len(order)
        for index, b in enumerate(order):
            self._leaf[b] = index
            node = leaves + index
            self._earliest[node] = self._latest[node] = self._end[b]
        for rank, b in enumerate(ranks):
            self._best[leaves + self._leaf[b]] = rank
        for node in reversed(range(1, leaves)):
            self._update(node)

    def take(self, start: int, end: int) -> int | None:
        """
        Removes and returns the buffer with the highest preference whose live range is
        within the sections; `None` if there is none.
        """
        low, high = self._begin[start], self._begin[end]
        earliest, latest, best = self._earliest, self._latest, self._best
        found = -1
        # Each node with the range of the leaves below it.
        stack = [(1, 0, self._leaves)]
        while stack:
            node, begin, stop = stack.pop()
            if stop <= low or high <= begin:
                continue
            if earliest[node] > end or best[node] <= found:
                continue
            if low <= begin and stop <= high and latest[node] <= end:
                found = best[node]
                continue
            middle = (begin + stop) // 2
            stack.append((2 * node, begin, middle))
            stack.append((2 * node + 1, middle, stop))
        if found < 0:
            return None
        b = self._by_rank[found]
        node = self._leaves + self._leaf[b]
        self._earliest[node], self._latest[node], self._best[node] = self._never, 0, -1
        while node := node // 2:
            self._update(node)
        return b

    def _update(self, node: int) -> None:
        one, other = 2 * node, 2 * node + 1
        self._earliest[node] = min(self._earliest[one], self._earliest[other])
        self._latest[node] = max(self._latest[one], self._latest[other])
        self._best[node] = max(self._best[one], self._best[other])
