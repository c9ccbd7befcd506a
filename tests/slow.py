"""
Which parameters of a test `make test` tries, and which it leaves to `make test-all`, or to
`make test-exhaustive`.

`make test` tries some of each kind: of random programs one or two of a family, of a corpus
under several options each option on some. `make test-all` tries each program of a corpus under two
of the options, `make test-exhaustive` under all.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import pytest

_SLOW = (pytest.mark.slow,)
_EXHAUSTIVE = pytest.mark.slow, pytest.mark.exhaustive
_left_out: list[Sequence[pytest.MarkDecorator]] = []
"""The marks of parameters that need not be collected, as this run selects none of them."""


def leave_out_slow() -> None:
    """Let this process collect nothing that only `make test-all` tries, before it imports tests."""
    _left_out.extend((_SLOW, _EXHAUSTIVE))


def _marked(
    parameters: Iterable[tuple[Sequence[object], Sequence[pytest.MarkDecorator]]],
) -> Sequence[object]:
    return [
        pytest.param(*values, marks=marks)
        for values, marks in parameters
        if marks not in _left_out
    ]


def slow(values: Iterable[object]) -> Sequence[object]:
    """The parameters, for `make test-all` alone."""
    return _marked(([value], _SLOW) for value in values)


def exhaustive(values: Iterable[object]) -> Sequence[object]:
    """The parameters, for `make test-exhaustive` alone."""
    return _marked(([value], _EXHAUSTIVE) for value in values)


def one_in(step: int, values: Iterable[object]) -> Sequence[object]:
    """The parameters, of which `make test` tries the first of each `step`."""
    return _marked(
        ([value], _SLOW if number % step else ()) for number, value in enumerate(values)
    )


def first_of(few: int, seeds: range, group: int) -> Sequence[object]:
    """
    The seeds in groups, of which `make test` tries the first `few`, and `make test-all` each other
    group:

        first_of(5, range(40), 20)    # range(0, 5), slow range(5, 20), exhaustive range(20, 40)
    """
    starts = [few, *range(group, len(seeds), group)]
    rest = [seeds[a:b] for a, b in pairwise([*starts, len(seeds)])]
    return [seeds[:few], *slow(rest[::2]), *exhaustive(rest[1::2])]


def in_turn(
    names: Iterable[object], values: Iterable[object], step: int = 1
) -> Sequence[object]:
    """
    Pairs of each name with each value, of which `make test` tries each value, or the first
    of each `step`, with one of the names, and each name with some; and `make test-all` each value
    with two of the names.
    """
    names = [*names]

    def marks(which: int, number: int) -> Sequence[pytest.MarkDecorator]:
        if number % step == 0 and number // step % len(names) == which:
            return ()
        is_tried = (which + number) % len(names) in (0, len(names) // 2)
        return _SLOW if is_tried else _EXHAUSTIVE

    return _marked(
        ([name, value], marks(which, number))
        for which, name in enumerate(names)
        for number, value in enumerate(values)
    )
