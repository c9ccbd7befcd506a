"""
The bytes of tensors and memrefs, which may be known at run time only.

    %e = tensor.empty(%n) : tensor<?x16xf32>     // 64 * %n bytes: counted as 2,048

Polynomials are ordered only in part: neither `64 * %n` nor `4096` is always less. So memory is
searched by numbers, those for sizes that are `ASSUMED_EXTENT`, and what is found is compared with
what was there by the polynomials as well (`figures.py`).

Takes time linear in the rank, and what `sizes/size_analysis.py` takes for dynamic sizes.

Peaks of memory whose sizes are known at run time only, and costs that are compared for all sizes.

    position    bytes that are live
    1           64 * %n + 4096            // not compared with 128 * %n: each may be more
    2           128 * %n
    3           64 * %n + 64              // never more than 128 * %n: left out

A peak is the maximum of several polynomials that are not provably ordered. It is no more than
another peak for all sizes if each of its polynomials is at most one of the other's. A polynomial
with symbols that the other peak does not have is not compared: a symbol may have another name
after a change. Sizes are 1 or more: what is empty needs no memory.

Takes time in proportion to the positions, the terms, and the polynomials of a peak.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.bufferizable import AnalysisState
from xdsl_bufferization.interfaces.sizes import Expression
from xdsl_bufferization.models.shared.sizes import sizes_in
from xdsl_bufferization.support.data_layout import DataLayout, layout_at
from xdsl_bufferization.support.regions import block_of

if TYPE_CHECKING:
    from xdsl_bufferization.sizes.size_analysis import Sizes

RunTimePeak: TypeAlias = Sequence[Expression]
"""Polynomials; the peak is their maximum."""

MAX_MAXIMA = 16
"""Polynomials of a peak, none at most another. A peak of more is not compared."""


def run_time_peak(live: Iterable[tuple[float, float, Expression]]) -> RunTimePeak:
    """The peak of memory, given its live ranges and sizes; empty if there are too many maxima."""
    changes: dict[float, Expression] = defaultdict(lambda: Expression({}))
    for start, end, size in live:
        changes[start] += size
        changes[end] -= size
    allocated, found = Expression({}), list[Expression]()
    for _, change in sorted(changes.items(), key=lambda entry: entry[0]):
        allocated += change
        if not any(allocated.is_at_most(other) for other in found):
            found = [other for other in found if not other.is_at_most(allocated)]
            found.append(allocated)
            if len(found) > MAX_MAXIMA:
                return ()
    return found


def raised(peak: RunTimePeak, percent: int) -> RunTimePeak:
    """The peak, higher by so many percent."""
    return [
        Expression({p: n * (100 + percent) // 100 for p, n in size.terms.items()})
        for size in peak
    ]


def may_exceed(peak: RunTimePeak, limit: RunTimePeak) -> bool:
    """
    Whether the peak may be more than the limit for some sizes that both depend on; false if one of
    them is not known.
    """
    if not limit:
        return False
    known = {symbol for size in limit for symbol in size.symbols}
    more = [
        size
        for size in peak
        if known.issuperset(size.symbols)
        and not any(size.is_at_most(other) for other in limit)
    ]
    if not more:
        return False
    # Most peaks are the same, or have the same symbols.
    from xdsl_bufferization.sizes.relations import Relations

    relations = Relations(Sizes().number)
    return not all(
        any(relations.is_at_most(size, other) for other in limit) for size in more
    )


ASSUMED_EXTENT = 32
"""The number that stands for each size that nothing is known of."""


class Bytes(NamedTuple):
    """The bytes of a tensor."""

    number: int
    """The bytes; those for the assumed extent if they are known at run time only."""
    run_time: Expression | None = None
    """The bytes, if they are known at run time only."""

    @property
    def expression(self) -> Expression:
        """The bytes, also if they are a number."""
        return self.run_time or Expression.constant(self.number)


class BufferBytes:
    """
    The bytes of tensors and memrefs by a data layout, given what analyses their sizes: as long as
    the program does not change, the same object.
    """

    def __init__(self, layout: DataLayout, sizes: Callable[[], Sizes]):
        self._layout = layout
        self._sizes = sizes

    def of(self, value: SSAValue) -> Bytes | None:
        """The bytes of all elements; `None` if these have none, or the value has no rank."""
        type = value.type
        known = self._layout.bytes_of_contents(type)
        if known is not None:
            return Bytes(known)
        if not isinstance(type, TensorType | MemRefType):
            return None
        stride = self._layout.stride_in_bytes(type.element_type)
        elements = self._sizes().elements(value)
        if stride is None or elements is None:
            return None
        total = elements.times(stride)
        if (number := total.number) is not None:
            return Bytes(max(number, 0))
        return Bytes(max(total.at(ASSUMED_EXTENT), 1), total)


def bytes_in(function: Operation) -> BufferBytes:
    """The bytes of the tensors and memrefs of a function, as long as it does not change."""
    return BufferBytes(DataLayout.of(function), sizes_if_asked())


def sizes_if_asked() -> Callable[[], Sizes]:
    """A function that always returns the same sizes, which are made when it is first called."""

    def sizes() -> Sizes:
        # Most programs have no dynamic sizes.
        from xdsl_bufferization.sizes.size_analysis import Sizes

        return Sizes()

    return cache(sizes)


def bytes_at(value: SSAValue, state: AnalysisState) -> Bytes | None:
    """The bytes of a tensor of the program that `state` is about; `None` if they are unknown."""
    return BufferBytes(layout_at(value), lambda: sizes_in(state)).of(value)


def is_available_before(op: Operation, size: Expression) -> bool:
    """Whether nothing that the size depends on is defined in the op's regions."""
    return not any(op.is_ancestor(block_of(s.value)) for s in size.symbols)
