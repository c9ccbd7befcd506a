"""The set of live ranges finds what a search of all of them finds."""

from __future__ import annotations

from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from xdsl_bufferization.one_shot.facts.live_ranges import (
    LiveRange,
    LiveRangeIndex,
    RangeSet,
)
from xdsl_bufferization.one_shot.facts.records import TensorOperand, ValueInfo

positions = st.integers(0, 60)
intervals = st.tuples(positions, positions).map(lambda ends: (min(ends), max(ends)))
members = st.tuples(intervals, st.booleans())
# A few ranges are searched one by one, many of them by a tree.
few_or_many = st.lists(members, max_size=10) | st.lists(
    members, min_size=40, max_size=60
)


def live_range(start: int, end: int) -> LiveRange:
    # Neither the read nor the definition matters to the set.
    return LiveRange(
        start, end, cast(TensorOperand, None), cast(ValueInfo, None), False
    )


@given(few_or_many, intervals, st.booleans())
def test_overlapping_finds_what_is_in_the_set_and_overlaps(
    ranges: list[tuple[tuple[int, int], bool]],
    query: tuple[int, int],
    searched_before: bool,
):
    index = LiveRangeIndex(live_range(start, end) for (start, end), _ in ranges)
    # The index sorts the ranges by their start and keeps the order of equal ones.
    is_ours = [mine for (_, mine) in sorted(ranges, key=lambda r: r[0][0])]
    ours = RangeSet(index, [rank for rank, mine in enumerate(is_ours) if mine])
    others = RangeSet(index, [rank for rank, mine in enumerate(is_ours) if not mine])
    if searched_before:
        # What is built for the first search has to be kept up to date.
        list(ours.overlapping(*query))
        list(others.overlapping(*query))
    only_ours = [
        (start, end)
        for (start, end), mine in ranges
        if mine and start <= query[1] and query[0] <= end
    ]
    assert sorted(found(ours, query)) == sorted(only_ours)

    ours.update(others)
    everything = [
        (start, end)
        for (start, end), _ in ranges
        if start <= query[1] and query[0] <= end
    ]
    assert sorted(found(ours, query)) == sorted(everything)
    assert len(ours) == len(ranges)


def found(ranges: RangeSet, query: tuple[int, int]) -> list[tuple[int, int]]:
    return [(r.start, r.end) for r in ranges.overlapping(*query)]
