"""
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
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from xdsl_bufferization.interfaces.sizes import Expression

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

    relations = Relations()
    return not all(
        any(relations.is_at_most(size, other) for other in limit) for size in more
    )
