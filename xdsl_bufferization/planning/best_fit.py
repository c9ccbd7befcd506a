"""
Plain best fit: the greedy plan that planners are measured by.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence

from xdsl_bufferization.planning.component import Component
from xdsl_bufferization.planning.problem import round_up


def best_fit(component: Component) -> list[int]:
    """
    The offsets of the buffers, in bytes. Largest first, each goes to the smallest gap
    between those alive at the same time that it fits in, the lowest of several, or above
    them all. It takes as many steps as there are pairs of buffers that are alive at once,
    and some for sorting.
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
                place = round_up(top, alignment)
                if place + size <= offset:
                    best_gap, best_offset = gap, place
            top = max(top, end)
        offsets[b] = best_offset if best_gap >= 0 else round_up(top, alignment)
    return offsets


def _neighbours(component: Component, order: Sequence[int]) -> list[list[int]]:
    """For each buffer, those earlier in the order that are alive at the same time."""
    rank = [0] * len(order)
    for place, b in enumerate(order):
        rank[b] = place
    neighbours: list[list[int]] = [[] for _ in order]
    live: list[tuple[int, int]] = []
    """Where lives end, and the buffers."""
    for b in sorted(range(len(order)), key=lambda b: component.first[b]):
        del live[: bisect_left(live, (component.first[b] + 1, -1))]
        for _, other in live:
            if rank[other] < rank[b]:
                neighbours[b].append(other)
            else:
                neighbours[other].append(b)
        insort(live, (component.end[b], b))
    return neighbours


def pairs(component: Component) -> int:
    """How many pairs of buffers are alive at the same time."""
    before = [0] * (component.sections + 1)
    """By section, how many lives begin before it."""
    for first in component.first:
        before[first + 1] += 1
    same = sum(count * (count + 1) // 2 for count in before)
    for s in range(component.sections):
        before[s + 1] += before[s]
    # Each buffer with those that begin during its life; of two that begin together, only
    # one of both ways counts, and no buffer with itself.
    during = sum(
        before[end] - before[first]
        for first, end in zip(component.first, component.end, strict=True)
    )
    return during - same
