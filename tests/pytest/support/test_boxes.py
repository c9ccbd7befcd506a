"""Boxes of elements."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from xdsl_bufferization.interfaces.tiling import Box

Index = tuple[int, ...]


def elements(box: Box) -> set[Index]:
    """The indices in the box."""
    return {*product(*(range(o, o + s) for o, s in zip(*box, strict=True)))}


def boxes(rank: int) -> st.SearchStrategy[Box]:
    """Boxes near the origin, in so many dimensions."""
    offsets = st.tuples(*[st.integers(0, 3)] * rank)
    sizes = st.tuples(*[st.integers(1, 3)] * rank)
    return st.builds(Box, offsets, sizes)


@given(st.integers(0, 3).flatmap(lambda rank: st.tuples(boxes(rank), boxes(rank))))
def test_what_is_in_both_and_in_one_only_is_all(both: tuple[Box, Box]):
    a, b = both
    common, rest = a.common(b), [*a.without(b)]

    assert (set() if common is None else elements(common)) == elements(a) & elements(b)
    assert a.common_elements(b) == len(elements(a) & elements(b))
    # The boxes of the rest do not overlap.
    assert sorted(e for box in rest for e in elements(box)) == sorted(
        elements(a) - elements(b)
    )


@given(boxes(2), st.tuples(st.integers(-2, 2), st.integers(-2, 2)))
def test_a_box_is_moved_there_and_back(box: Box, distances: tuple[int, int]):
    assert box.moved(distances).moved_back(distances) == box
    assert elements(box.moved(distances)) == {
        (i + distances[0], j + distances[1]) for i, j in elements(box)
    }
