"""
Which parameters of a test `make test` tries, and which it leaves to `make test-all`.

`make test` tries some of each kind: of random programs one or two of a family, of a corpus
under several options each program under one and each option on some.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import pytest


def slow(values: Iterable[object]) -> Sequence[object]:
    """The parameters, for `make test-all` alone."""
    return [pytest.param(value, marks=pytest.mark.slow) for value in values]


def one_in(step: int, values: Iterable[object]) -> Sequence[object]:
    """The parameters, of which `make test` tries the first of each `step`."""
    return [
        pytest.param(value, marks=[pytest.mark.slow] if number % step else [])
        for number, value in enumerate(values)
    ]


def first_of(few: int, seeds: range, group: int) -> Sequence[object]:
    """
    The seeds in groups, of which `make test` tries the first `few`:

        first_of(5, range(40), 20)    # range(0, 5), slow range(5, 20), slow range(20, 40)
    """
    starts = [few, *range(group, len(seeds), group)]
    rest = [seeds[a:b] for a, b in pairwise([*starts, len(seeds)])]
    return [seeds[:few], *slow(rest)]


def in_turn(
    names: Iterable[object], values: Iterable[object], step: int = 1
) -> Sequence[object]:
    """
    Pairs of each name with each value, of which `make test` tries each value, or the first
    of each `step`, with one of the names, and each name with some.
    """
    names = [*names]
    return [
        pytest.param(
            name,
            value,
            marks=[]
            if number % step == 0 and number // step % len(names) == which
            else [pytest.mark.slow],
        )
        for which, name in enumerate(names)
        for number, value in enumerate(values)
    ]
