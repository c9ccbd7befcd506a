"""Slices: which of them have all elements of a tensor."""

from __future__ import annotations

import pytest

from xdsl_bufferization.interfaces.subset import Slice


@pytest.mark.parametrize(
    "part, shape, is_all",
    [
        (Slice((0, 0), (4, 1), (1, 1)), (4, 1), True),
        (Slice((0, 0), (2, 1), (1, 1)), (4, 1), False),
        (Slice((3, 0), (4, 1), (-1, 1)), (4, 1), False),
        (Slice((0,), (4,), (1,)), (-1,), False),
    ],
    ids=["all", "a part", "reversed", "of unknown size"],
)
def test_a_slice_of_all_elements(part: Slice, shape: tuple[int, ...], is_all: bool):
    assert part.is_all_of(shape) == is_all
