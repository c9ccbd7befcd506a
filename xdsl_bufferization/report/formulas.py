"""
Numbers of bytes that are known at run time only, as polynomials over what the program names.

    %b = memref.alloc(%n) : memref<?x16xf32>    // 64*%x.0, with `%n` the first size of `%x`

The names are those that `assume` takes. Sizes of a program are not negative, and neither are, here,
the integers that sizes are computed from: so more of each product is more.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from xdsl_bufferization.support.polynomials import Polynomial

Formula: TypeAlias = Polynomial[str]
"""A number of bytes; its symbols are names such as `%x.0`."""

NONE: Formula = Polynomial({})
"""No bytes."""

_TYPICAL = 1024
"""The number that all names stand for where formulas are put in an order."""


class Sized:
    """A buffer, or contents, of a size that may be known at run time only."""

    __slots__ = ()
    bytes: Formula | None
    """The bytes; `None` if they do not follow from what the program names."""

    @property
    def size(self) -> int | None:
        """The bytes, if they are known now."""
        return None if self.bytes is None else self.bytes.number


def number_of(count: int) -> Formula:
    """So many bytes."""
    return Polynomial[str].constant(count)


def total(amounts: Iterable[Formula | None]) -> tuple[Formula, int]:
    """The sum of the known amounts, and the number of unknown ones."""
    known, unknown = NONE, 0
    for number in amounts:
        if number is None:
            unknown += 1
        else:
            known += number
    return known, unknown


def formula_text(formula: Formula) -> str:
    """The formula for people: `4,096 + 64*%x.0`."""
    return formula.text(str)


def magnitude(formula: Formula | None) -> int:
    """A number that is larger for most values of names if the formula is."""
    return -1 if formula is None else formula.at(_TYPICAL)


def is_at_most(a: Formula, b: Formula) -> bool:
    """Whether the one is never more than the other."""
    return (b - a).is_nonnegative(lambda _: True)
