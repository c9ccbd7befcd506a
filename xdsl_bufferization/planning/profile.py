"""
How much is live at a time: one sweep over live ranges.

    live from 1 to 4: 16    live from 2 to 3: 8    ->    (1, 16), (2, 24), (3, 16), (4, 0)

Amounts are numbers, polynomials, or whatever else can be added and subtracted. Takes `n log n` time
in the live ranges. Nothing here knows IR.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, Self, TypeVar


class _Amount(Protocol):
    def __add__(self, other: Self, /) -> Self: ...

    def __sub__(self, other: Self, /) -> Self: ...


AmountT = TypeVar("AmountT", bound=_Amount)


def live_amounts(
    live_ranges: Iterable[tuple[float, float, AmountT]], nothing: AmountT
) -> Iterator[tuple[float, AmountT]]:
    """
    The positions at which the amount that is live changes, ascending, each with what is live from
    there on; given the first position of each amount, and the first at which it is live no longer.
    """
    changes: dict[float, AmountT] = {}
    for start, end, amount in live_ranges:
        changes[start] = changes.get(start, nothing) + amount
        changes[end] = changes.get(end, nothing) - amount
    live = nothing
    for position in sorted(changes):
        live += changes[position]
        yield position, live
