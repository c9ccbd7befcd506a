"""
Polynomials with integer coefficients over hashable symbols.

A polynomial is a sum of monomials, each with its coefficient, in normal form: equal polynomials
have equal terms. Equality holds in arithmetic modulo a power of two as well, as that of `index` is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import reduce
from math import gcd
from operator import mul
from typing import Generic, TypeAlias, TypeVar, cast

SymbolT = TypeVar("SymbolT", bound=Hashable)
_OtherT = TypeVar("_OtherT", bound=Hashable)

Monomial: TypeAlias = frozenset[tuple[SymbolT, int]]
"""A product of symbols, each with its exponent; the empty product is 1."""


class Polynomial(Generic[SymbolT]):
    """A polynomial; immutable. Operations take time in the product of the numbers of terms."""

    __slots__ = ("terms",)

    def __init__(self, terms: Mapping[Monomial[SymbolT], int]):
        self.terms: dict[Monomial[SymbolT], int] = {
            product: number for product, number in terms.items() if number
        }
        """The coefficients other than zero, by monomial."""

    @classmethod
    def constant(cls, number: int) -> Polynomial[SymbolT]:
        """The polynomial of degree 0."""
        return cls({frozenset(): number})

    @classmethod
    def of(cls, symbol: SymbolT) -> Polynomial[SymbolT]:
        """The symbol itself."""
        return cls({frozenset([(symbol, 1)]): 1})

    def __add__(self, other: Polynomial[SymbolT]) -> Polynomial[SymbolT]:
        terms = dict(self.terms)
        for product, number in other.terms.items():
            terms[product] = terms.get(product, 0) + number
        return Polynomial(terms)

    def __sub__(self, other: Polynomial[SymbolT]) -> Polynomial[SymbolT]:
        return self + other.times(-1)

    def __mul__(self, other: Polynomial[SymbolT]) -> Polynomial[SymbolT]:
        terms: dict[Monomial[SymbolT], int] = {}
        for a, m in self.terms.items():
            for b, n in other.terms.items():
                product = _product(a, b)
                terms[product] = terms.get(product, 0) + m * n
        return Polynomial(terms)

    def times(self, number: int) -> Polynomial[SymbolT]:
        """The polynomial with all coefficients multiplied."""
        return Polynomial({p: n * number for p, n in self.terms.items()})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Polynomial):
            return False
        return self.terms == cast(Polynomial[Hashable], other).terms

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __repr__(self) -> str:
        return f"Polynomial({self.terms!r})"

    @property
    def number(self) -> int | None:
        """The value, if the polynomial is constant."""
        if not self.terms:
            return 0
        return self.terms.get(frozenset()) if len(self.terms) == 1 else None

    @property
    def symbol(self) -> SymbolT | None:
        """The symbol, if the polynomial is nothing else."""
        if len(self.terms) != 1:
            return None
        ((product, number),) = self.terms.items()
        if number != 1 or len(product) != 1:
            return None
        ((symbol, exponent),) = product
        return symbol if exponent == 1 else None

    @property
    def symbols(self) -> Iterator[SymbolT]:
        """The symbols, in the order of the terms; some may be repeated."""
        for product in self.terms:
            for symbol, _ in product:
                yield symbol

    @property
    def degree(self) -> int:
        """The degree; 0 for constants."""
        return max((sum(e for _, e in product) for product in self.terms), default=0)

    @property
    def content(self) -> int:
        """The greatest common divisor of the coefficients; 0 only for zero."""
        return gcd(*self.terms.values())

    def primitive(self) -> Polynomial[SymbolT]:
        """The polynomial divided by its content, which is not zero."""
        content = self.content
        return Polynomial({p: n // content for p, n in self.terms.items()})

    def substituted(
        self, values: Mapping[SymbolT, Polynomial[SymbolT]]
    ) -> Polynomial[SymbolT]:
        """The polynomial with the values in place of the symbols that have one."""
        if not any(symbol in values for symbol in self.symbols):
            return self
        return self._with_factors(lambda s: values.get(s) or Polynomial[SymbolT].of(s))

    def text(self, name: Callable[[SymbolT], str]) -> str:
        """The polynomial for people, as in `2*%x.0*%x.1 + 4`."""
        terms: list[str] = []
        for product, number in sorted(self.terms.items(), key=lambda term: not term[0]):
            factors = sorted(
                name(s) for s, exponent in product for _ in range(exponent)
            )
            if number != 1 or not factors:
                factors.insert(0, f"{number:,}")
            terms.append("*".join(factors))
        return " + ".join(terms) or "0"

    def renamed(self, name: Callable[[SymbolT], _OtherT]) -> Polynomial[_OtherT]:
        """The polynomial over other symbols; equal ones become one."""
        return self._with_factors(lambda symbol: Polynomial[_OtherT].of(name(symbol)))

    def _with_factors(
        self, factor: Callable[[SymbolT], Polynomial[_OtherT]]
    ) -> Polynomial[_OtherT]:
        """The polynomial with other polynomials in place of its symbols."""
        total = Polynomial[_OtherT]({})
        for product, number in self.terms.items():
            factors = (factor(s) for s, exponent in product for _ in range(exponent))
            total += reduce(mul, factors, Polynomial[_OtherT].constant(number))
        return total

    def at(self, number: int) -> int:
        """The value, if each symbol has the value of the number."""
        return sum(
            coefficient * number ** sum(exponent for _, exponent in product)
            for product, coefficient in self.terms.items()
        )

    def is_at_most(self, other: Polynomial[SymbolT]) -> bool:
        """
        Whether no value is more than that of the other, for all values of the symbols from 1 on;
        false if that is not evident: if the difference has a negative coefficient where each
        symbol is 1 and a number that is not negative.
        """
        more = other - self
        if any(number < 0 for number in more.terms.values()):
            one = Polynomial[SymbolT].constant(1)
            more = more.substituted(
                {s: one + Polynomial[SymbolT].of(s) for s in more.symbols}
            )
        return all(number > 0 for number in more.terms.values())

    def is_nonnegative(self, is_nonnegative: Callable[[SymbolT], bool]) -> bool:
        """
        Whether no value is negative, for all values of the symbols for which
        `is_nonnegative` holds that are not negative; false if that is not evident.
        """
        return all(
            number > 0
            and all(e % 2 == 0 or is_nonnegative(symbol) for symbol, e in product)
            for product, number in self.terms.items()
        )


def _product(a: Monomial[SymbolT], b: Monomial[SymbolT]) -> Monomial[SymbolT]:
    if not a or not b:
        return a or b
    exponents = dict(a)
    for symbol, exponent in b:
        exponents[symbol] = exponents.get(symbol, 0) + exponent
    return frozenset(exponents.items())
