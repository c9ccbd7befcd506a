"""Polynomials are in normal form, and compute like the numbers in the place of their symbols."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from xdsl_bufferization.support.polynomials import Polynomial

_NAMES = "xyz"

_polynomials = st.recursive(
    st.one_of(
        st.integers(-5, 5).map(Polynomial[str].constant),
        st.sampled_from(_NAMES).map(Polynomial[str].of),
    ),
    lambda parts: st.one_of(
        st.tuples(parts, parts).map(lambda p: p[0] + p[1]),
        st.tuples(parts, parts).map(lambda p: p[0] - p[1]),
        st.tuples(parts, parts).map(lambda p: p[0] * p[1]),
    ),
    max_leaves=6,
)

_values = st.fixed_dictionaries({name: st.integers(-9, 9) for name in _NAMES})


def _value(polynomial: Polynomial[str], values: dict[str, int]) -> int:
    constants = {n: Polynomial[str].constant(v) for n, v in values.items()}
    number = polynomial.substituted(constants).number
    assert number is not None
    return number


@given(_polynomials, _polynomials, _values)
def test_arithmetic(
    a: Polynomial[str], b: Polynomial[str], values: dict[str, int]
) -> None:
    x, y = _value(a, values), _value(b, values)
    assert _value(a + b, values) == x + y
    assert _value(a - b, values) == x - y
    assert _value(a * b, values) == x * y


@given(_polynomials, _polynomials)
def test_normal_form(a: Polynomial[str], b: Polynomial[str]) -> None:
    assert (a + b) * (a - b) == a * a - b * b
    assert hash(a + b) == hash(b + a)


@given(_polynomials, _values)
def test_content_and_primitive_part(a: Polynomial[str], values: dict[str, int]) -> None:
    if a.terms:
        assert a.primitive().times(a.content) == a
        assert a.primitive().content == 1
        assert a.content > 0


@given(_polynomials, _values)
def test_not_negative(a: Polynomial[str], values: dict[str, int]) -> None:
    if a.is_nonnegative(lambda symbol: symbol != "x"):
        values = {n: v if n == "x" else abs(v) for n, v in values.items()}
        assert _value(a, values) >= 0


def test_not_negative_in_the_obvious_case() -> None:
    x, y = (Polynomial[str].of(name) for name in "xy")
    expression = x * x * y + y.times(3)
    assert expression.is_nonnegative(lambda symbol: symbol == "y")
    assert not expression.is_nonnegative(lambda symbol: symbol == "x")
    assert not (x - y).is_nonnegative(lambda symbol: True)
