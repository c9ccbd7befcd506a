"""
Plain best fit: the greedy planner that others are compared with.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence

from xdsl_bufferization.planning.component import Component
from xdsl_bufferization.planning.problem import round_up


def best_fit(component: Component) -> list[int]:
    """
    The offsets of the buffers, in bytes. Largest first, each buffer is placed in the smallest
    gap that it fits in between those that are live at the same time, the lowest of several,
    or above them all. The time is that of sorting plus a step for each pair of buffers that
    are live at the same time.
    """
    offsets = [0] * len(component.members)
    order = sorted(range(len(offsets)), key=lambda b: -component.padded[b])
    neighbours = _neighbours(component, order)
    for b in order:
        size, alignment = component.padded[b], component.alignment[b]
        top = 0
        best_gap, best_offset = -1, -1
        for offset, end in sorted(
            (offsets[other], offsets[other] + component.padded[other])
            for other in neighbours[b]
        ):
            gap = offset - top
            if gap >= size and (best_gap < 0 or gap < best_gap):
                candidate = round_up(top, alignment)
                if candidate + size <= offset:
                    best_gap, best_offset = gap, candidate
            top = max(top, end)
        offsets[b] = best_offset if best_gap >= 0 else round_up(top, alignment)
    return offsets


def _neighbours(component: Component, order: Sequence[int]) -> list[list[int]]:
    """For each buffer, those earlier in the order that are live at the same time."""
    rank = [0] * len(order)
    for position, b in enumerate(order):
        rank[b] = position
    neighbours: list[list[int]] = [[] for _ in order]
    live: list[tuple[int, int]] = []
    """The ends of live ranges, and the buffers."""
    for b in sorted(range(len(order)), key=lambda b: component.first[b]):
        del live[: bisect_left(live, (component.first[b] + 1, -1))]
        for _, other in live:
            if rank[other] < rank[b]:
                neighbours[b].append(other)
            else:
                neighbours[other].append(b)
        insort(live, (component.end[b], b))
    return neighbours


def count_neighbours(component: Component) -> int:
    """The number of pairs of buffers that are live at the same time."""
    before = [0] * (component.sections + 1)
    """By section, how many live ranges begin before it."""
    for first in component.first:
        before[first + 1] += 1
    same = sum(count * (count + 1) // 2 for count in before)
    for s in range(component.sections):
        before[s + 1] += before[s]
    # Count each buffer with those that begin during its live range. Of buffers that begin
    # in the same section, that counts each pair twice, and each buffer with itself.
    during = sum(
        before[end] - before[first]
        for first, end in zip(component.first, component.end, strict=True)
    )
    return during - same
