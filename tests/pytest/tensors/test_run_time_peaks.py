"""Peaks of sizes that are known at run time only are compared for all sizes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import IndexType
from xdsl.utils.test_value import create_ssa_value

from xdsl_bufferization.interfaces.sizes import Expression, Symbol
from xdsl_bufferization.support.memref_types import DEFAULT_SPACE
from xdsl_bufferization.tensors.costs.profile import (
    MAX_MAXIMA,
    Allocation,
    Bytes,
    Profile,
)


@cache
def _symbol(name: str) -> Symbol:
    return Symbol(create_ssa_value(IndexType()))


def _size(number: int = 0, **coefficients: int) -> Expression:
    """A linear polynomial: `n` is a symbol."""
    total = Expression.constant(number)
    for name, coefficient in coefficients.items():
        total += Expression.of(_symbol(name)).times(coefficient)
    return total


def _value(size: Expression, values: dict[str, int]) -> int:
    given = {
        _symbol(name): Expression.constant(value) for name, value in values.items()
    }
    number = size.substituted(given).number
    assert number is not None
    return number


@st.composite
def _live(draw: st.DrawFn) -> list[tuple[int, int, Expression]]:
    number = st.integers(0, 3)
    return [
        (
            start := draw(st.integers(0, 8)),
            start + draw(st.integers(1, 4)),
            _size(draw(number), n=draw(number), k=draw(number)),
        )
        for _ in range(draw(st.integers(0, 8)))
    ]


_VALUES = st.fixed_dictionaries({"n": st.integers(1, 9), "k": st.integers(1, 9)})


def _peak(live: Sequence[tuple[int, int, Expression]]) -> Sequence[Expression]:
    # One size that is known at run time only.
    live = [*live, (20, 20, _size(n=1))]
    profile = Profile(Allocation(a, b, size, DEFAULT_SPACE) for a, b, size in live)
    return profile.peak_of_sizes.maxima


def _may_exceed(peak: Sequence[Expression], limit: Sequence[Expression]) -> bool:
    return Bytes(0, peak).may_exceed(Bytes(0, limit))


@given(_live(), _VALUES)
def test_the_peak_is_the_largest_of_the_polynomials(
    live: list[tuple[int, int, Expression]], values: dict[str, int]
):
    real = max(
        sum(_value(size, values) for a, b, size in live if a <= time < b)
        for time in range(13)
    )
    peak = _peak(live)
    assert max((_value(size, values) for size in peak), default=0) == real
    assert not any(a.is_at_most(b) for a in peak for b in peak if a is not b)


@given(_live(), _live(), _VALUES)
def test_a_peak_that_may_not_exceed_another_is_not_higher(
    live: list[tuple[int, int, Expression]],
    other: list[tuple[int, int, Expression]],
    values: dict[str, int],
):
    # Both symbols are known in the limit.
    limit = _peak([*other, (20, 21, _size(n=1, k=1))])
    peak = _peak(live)
    if not _may_exceed(peak, limit):
        assert max((_value(size, values) for size in peak), default=0) <= max(
            _value(size, values) for size in limit
        )


@pytest.mark.parametrize(
    ("peak", "limit", "exceeds"),
    [
        ([_size(n=2)], [_size(n=2)], False),
        ([_size(n=2)], [_size(n=1)], True),
        # For few rows, the first may be more; not if there is one at least.
        ([_size(4096)], [_size(n=64)], True),
        ([_size(36, n=28)], [_size(n=64)], False),
        ([_size(37, n=28)], [_size(n=64)], True),
        ([_size(4096), _size(n=64)], [_size(4096, n=64)], False),
        # Not compared: another name of a symbol, and a peak that is not known.
        ([_size(m=2)], [_size(n=1)], False),
        ([_size(n=2)], [], False),
    ],
)
def test_comparison(peak: list[Expression], limit: list[Expression], exceeds: bool):
    assert _may_exceed(peak, limit) is exceeds


def test_a_limit_may_be_raised():
    assert not _may_exceed([_size(n=6)], Bytes(0, [_size(n=4)]).raised(50).maxima)
    assert _may_exceed([_size(n=7)], Bytes(0, [_size(n=4)]).raised(50).maxima)


def test_too_many_maxima_are_not_compared():
    live = [(i, i + 1, _size(**{f"n{i}": 1})) for i in range(MAX_MAXIMA + 1)]
    assert len(_peak(live[:-1])) == MAX_MAXIMA
    assert _peak(live) == ()
