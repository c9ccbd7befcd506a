"""
Comparison of sizes by what the program says of the integers that they depend on.

    %h = arith.floordivsi %n1, %c2      // %n1 = %n + 1: %n <= 2 * %h <= %n + 1
    %m = arith.minsi %n, %c1000         // %m <= %n and %m <= 1000
    %p = arith.maxsi %m, %c0            // %m <= %p; and %p <= %m, as %m is 1 or more

If sizes are 1 or more, `64 * %h <= 64 * %n` holds as 2 * (64 * %n - 64 * %h), with the upper bound
in place of `%h`, is `64 * %n - 64`. Symbols are eliminated one by one, each by the bound that makes
the difference least. Takes time linear in the terms, for `MAX_ELIMINATED` symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.sizes import Expression, Symbol, clamp_of
from xdsl_bufferization.support.attributes import constant_integer
from xdsl_bufferization.support.limits import MAX_ELIMINATED
from xdsl_bufferization.support.names import op_name

_DOWN = {"arith.floordivsi", "arith.divsi", "arith.divui", "index.floordivs"}
"""Quotients rounded down, if the dividend is not negative; `arith.divsi` rounds to zero."""
_UP = {"arith.ceildivsi", "arith.ceildivui", "index.ceildivs", "index.ceildivu"}
MINIMA = {"arith.minsi", "arith.minui", "index.mins", "index.minu"}
MAXIMA = {"arith.maxsi", "arith.maxui", "index.maxs", "index.maxu"}
QUOTIENTS = _DOWN | _UP


class _Bounds(NamedTuple):
    """`lower <= factor * symbol <= upper`, for each of the bounds."""

    factor: int = 1
    lower: Sequence[Expression] = ()
    upper: Sequence[Expression] = ()


def is_evident(difference: Expression) -> bool:
    """Whether the difference is evidently not negative if all symbols are 1 or more."""
    return Expression({}).is_at_most(difference)


class Relations:
    """
    Bounds of the integers of a program that does not change, by the ops that compute them. `number`
    gives the polynomials of values, and `is_evident` the differences that are not negative.
    """

    def __init__(
        self,
        number: Callable[[SSAValue], Expression],
        is_evident: Callable[[Expression], bool] = is_evident,
    ) -> None:
        self._number = number
        self._is_evident = is_evident

    def is_at_most(self, size: Expression, other: Expression) -> bool:
        """Whether the size is never more than the other; false if that is not evident."""
        return self._is_positive(other - size, MAX_ELIMINATED)

    def _is_positive(self, difference: Expression, depth: int) -> bool:
        if self._is_evident(difference):
            return True
        if not depth:
            MAX_ELIMINATED.met()
            return False
        return any(
            self._is_positive(reduced, depth - 1)
            for symbol in dict.fromkeys(difference.symbols)
            for reduced in self._without(difference, symbol)
        )

    def _without(self, difference: Expression, symbol: Symbol) -> Iterator[Expression]:
        """Expressions without the symbol, at most a positive multiple of the difference."""
        bounds = self._bounds(symbol)
        if bounds is None:
            return
        terms = [(dict(p), number) for p, number in difference.terms.items()]
        if any(factors.get(symbol, 0) > 1 for factors, _ in terms):
            return
        signs = {number > 0 for factors, number in terms if symbol in factors}
        # Only the bounds of the signs that there are have to be known.
        lower = bounds.lower if True in signs else (Expression({}),)
        upper = bounds.upper if False in signs else (Expression({}),)
        for low, high in product(lower, upper):
            total = Expression({})
            for factors, number in terms:
                if symbol not in factors:
                    total += Expression({frozenset(factors.items()): number}).times(
                        bounds.factor
                    )
                    continue
                rest = frozenset((s, e) for s, e in factors.items() if s != symbol)
                total += Expression({rest: number}) * (low if number > 0 else high)
            yield total

    def _bounds(self, symbol: Symbol) -> _Bounds | None:
        """The bounds by the op that computes the symbol; `None` if there are none."""
        op = symbol.value.owner
        if symbol.dimension is not None or not isinstance(op, Operation):
            return None
        name = op_name(op)
        if name in QUOTIENTS:
            value, divisor = self._number(op.operands[0]), divisor_of(op)
            if divisor is None or not self._is_natural(value):
                return None
            rounded = Expression.constant(divisor - 1)
            if name in _UP:
                return _Bounds(divisor, [value], [value + rounded])
            return _Bounds(divisor, [value - rounded], [value])
        operands = [self._number(operand) for operand in op.operands]
        if name in MINIMA:
            return _Bounds(upper=operands)
        if name in MAXIMA:
            first, second = operands
            at_most = [
                a
                for a, b in ((first, second), (second, first))
                if self.is_at_most(b, a)
            ]
            return _Bounds(lower=operands, upper=at_most)
        clamp = clamp_of(symbol.value)
        if clamp is None or (clamp.lower, clamp.upper) != (None, None):
            return None
        value = self._number(clamp.value)
        return _Bounds(lower=[value], upper=[value])

    def _is_natural(self, value: Expression) -> bool:
        return self._is_positive(value, 1)


def divisor_of(op: Operation) -> int | None:
    """The constant, positive divisor of a quotient; `None` for another one."""
    divisor = constant_integer(op.operands[1])
    return divisor if divisor is not None and divisor > 0 else None
