"""
Sizes of buffers in bytes, also of those that are known at run time only, for assumed numbers.

    %n = memref.dim %x, %c0                         // %x.0
    %b = memref.alloc(%n) : memref<?x16xf32>        // 64*%x.0 bytes: 2,048 for %x.0=32

Numbers of bytes that are known at run time only, as polynomials over what the program names.

    %b = memref.alloc(%n) : memref<?x16xf32>    // 64*%x.0, with `%n` the first size of `%x`

The names are those that `assume` takes. Sizes of a program are not negative, and neither are, here,
the integers that sizes are computed from: so more of each product is more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import SSAValue

from xdsl_bufferization.interfaces.memory_layout import extent_of
from xdsl_bufferization.support.data_layout import bytes_of_contents, layout_at
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.memref_types import has_identity_layout
from xdsl_bufferization.support.names import did_you_mean, escaped
from xdsl_bufferization.support.polynomials import Polynomial

if TYPE_CHECKING:
    from xdsl_bufferization.interfaces.sizes import Expression, Symbol
    from xdsl_bufferization.sizes.size_analysis import Sizes


class Assumed:
    """
    Numbers for sizes and `index` values that nothing is known of, by name: `%x.0` is the first
    size of `%x`.
    """

    def __init__(self, numbers: Mapping[str, int] | None = None):
        self.numbers = numbers or {}
        self.names: dict[str, None] = {}
        """The names that sizes asked for depend on, if any numbers are assumed."""

    def verify(self) -> None:
        """
        Raise `BufferizationError` if a number is assumed for a name on which no size asked for so
        far depends.
        """
        for name in self.numbers:
            if name not in self.names:
                known = ", ".join(self.names)
                raise BufferizationError(
                    None,
                    f"bufferization-report: assume: no size depends on {escaped(name)}"
                    + (f"; there are: {known}" if known else ", all are known"),
                    hint=did_you_mean(name, self.names),
                )


class BufferSizes:
    """The sizes of the buffers of a program that does not change, in its names of values."""

    def __init__(self, name: Callable[[SSAValue], str], assumed: Assumed):
        self._name = name
        self.assumed = assumed

    def of_contents(self, value: SSAValue) -> Formula | None:
        """
        The bytes of all elements of a tensor or memref, in terms of values with names if they
        are known at run time only; `None` if they are unknown.
        """
        if (known := bytes_of_contents(value)) is not None:
            return number_of(known)
        type = value.type
        if not isinstance(type, TensorType | MemRefType):
            return None
        if (stride := layout_at(value).stride_in_bytes(type.element_type)) is None:
            return None
        product = number_of(stride)
        for size in self._analysis.shape(value) or [None]:
            named = None if size is None else self._named(size)
            if named is None:
                return None
            product *= number_of(0) if (named.number or 0) < 0 else named
        return product

    def _named(self, size: Expression) -> Formula | None:
        """The size in terms of names; `None` if a symbol has none."""
        if self.assumed.numbers:
            size = self._with_assumed(size)
        names: dict[Symbol, str] = {}
        for symbol in size.symbols:
            written = self._name(symbol.value)
            if written == _NAMELESS or not written.startswith("%"):
                return None
            dimension = symbol.dimension
            names[symbol] = written if dimension is None else f"{written}.{dimension}"
        return size.renamed(names.__getitem__)

    def of_memory(self, value: SSAValue) -> Formula | None:
        """
        As `of_contents`, for the bytes of a memref up to the last element, with the gaps of the
        layout before and between the elements.
        """
        type = value.type
        if not isinstance(type, MemRefType) or has_identity_layout(type):
            return self.of_contents(value)
        extent = extent_of(type)
        stride = layout_at(value).stride_in_bytes(type.element_type)
        if extent is None or stride is None:
            return None
        return number_of(extent * stride)

    def number(self, value: SSAValue) -> Formula | None:
        """The value of an integer, in terms of values with names."""
        return self._named(self._analysis.number(value))

    def _with_assumed(self, size: Expression) -> Expression:
        # Few programs have sizes that are assumed.
        from xdsl_bufferization.interfaces.sizes import Expression
        from xdsl_bufferization.sizes.computation import names_of

        names = {symbol: names_of(Expression.of(symbol)) for symbol in size.symbols}
        self.assumed.names |= dict.fromkeys(names.values())
        return size.substituted(
            {
                symbol: Expression.constant(self.assumed.numbers[name])
                for symbol, name in names.items()
                if name in self.assumed.numbers
            }
        )

    @cached_property
    def _analysis(self) -> Sizes:
        # As above.
        from xdsl_bufferization.sizes.size_analysis import Sizes

        return Sizes()


_NAMELESS = "%?"
"""The name that a source gives to values that are not written in it."""


def assumed_numbers(entries: Iterable[str]) -> Mapping[str, int]:
    """
    The numbers in entries such as `%x.0=32`, by the name before the sign.

    Raises `BufferizationError` if an entry is not of that form, or names a value twice.
    """
    numbers: dict[str, int] = {}
    for entry in entries:
        name, _, text = entry.partition("=")
        if not (name.startswith("%") and text.isdecimal() and name not in numbers):
            raise BufferizationError(
                None,
                f"bufferization-report: '{escaped(entry)}' is not a value of assume; it takes "
                'sizes with a number each, such as assume="%x.0=32"',
            )
        numbers[name] = int(text)
    return numbers


Formula: TypeAlias = Polynomial[str]
"""A number of bytes; its symbols are names such as `%x.0`."""

NONE: Formula = Polynomial({})
"""No bytes."""
UNKNOWN: Formula = Polynomial[str].of("?")
"""A number of bytes that does not follow from what the program names."""

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
    return without_unknown(sum((it or UNKNOWN for it in amounts), NONE))


def without_unknown(sum: Formula) -> tuple[Formula, int]:
    """The known part of a sum, and how often it has an unknown number."""
    terms = dict(sum.terms)
    (unknown,) = UNKNOWN.terms
    number = terms.pop(unknown, 0)
    return Polynomial(terms), number


def formula_text(formula: Formula) -> str:
    """The formula for people: `4,096 + 64*%x.0`."""
    return formula.text(str)


def magnitude(formula: Formula | None) -> int:
    """A number that is larger for most values of names if the formula is."""
    return -1 if formula is None else formula.at(_TYPICAL)


def is_at_most(a: Formula, b: Formula) -> bool:
    """Whether the one is never more than the other."""
    return (b - a).is_nonnegative(lambda _: True)
