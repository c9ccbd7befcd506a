"""
How much memory a function has allocated, over time.

    position    live
    1           A (64 bytes), B (16 bytes)
    2           B, C (32 bytes)               // 80 bytes at 1 are the peak

Sizes are polynomials; a constant is one. Polynomials are ordered only in part: neither `64 * %n`
nor `4096` is always less. So memory is searched by numbers, those for sizes that are
`ASSUMED_EXTENT`, and what is found is compared with what was there by the polynomials as well.

    position    bytes that are live
    1           64 * %n + 4096            // not compared with 128 * %n: each may be more
    2           128 * %n
    3           64 * %n + 64              // never more than 128 * %n: left out

A peak is the maximum of several polynomials that are not provably ordered. It is no more than
another peak for all sizes if each of its polynomials is at most one of the other's. A polynomial
with symbols that the other peak does not have is not compared: a symbol may have another name
after a change. Sizes are 1 or more: what is empty needs no memory.

A sweep takes `n log n` time in the allocations, for polynomials times the maxima and their terms.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias, TypeVar

from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.interfaces.sizes import Expression
from xdsl_bufferization.support.polynomials import Polynomial

ASSUMED_EXTENT = 32
"""The number that stands for each size that nothing is known of."""

MAX_MAXIMA = 16
"""Polynomials of a peak, none at most another. A peak of more is not compared."""


def assumed(size: Expression) -> int:
    """The bytes; those for the assumed extent if they are known at run time only."""
    number = size.number
    return max(size.at(ASSUMED_EXTENT), 1) if number is None else max(number, 0)


class Bytes(NamedTuple):
    """Bytes that are copied, or are live at a time."""

    number: int = 0
    """As many as they are, by the assumed extents if they are known at run time only."""
    maxima: Sequence[Expression] = ()
    """The polynomials whose maximum they are, if they are known at run time only."""

    def may_exceed(self, limit: Bytes) -> bool:
        """
        Whether they are more than the limit by the assumed extents, or for some sizes that both
        depend on.
        """
        return self.number > limit.number or _may_exceed(self.maxima, limit.maxima)

    def raised(self, percent: int) -> Bytes:
        """More by so many percent."""
        factor = 100 + percent
        return Bytes(
            self.number * factor // 100,
            [
                Expression({p: n * factor // 100 for p, n in size.terms.items()})
                for size in self.maxima
            ],
        )


def total(sizes: Iterable[Expression]) -> Bytes:
    """The sum of the sizes."""
    sizes = [*sizes]
    is_known = all(size.number is not None for size in sizes)
    maxima = () if is_known else (sum(sizes, Expression({})),)
    return Bytes(sum(map(assumed, sizes)), maxima)


@dataclass(eq=False, slots=True)
class NewBuffer:
    """A buffer that the rewrite will allocate, for an operand or a result."""

    value: SSAValue
    """A tensor of the type and the sizes of the one that it holds."""
    op: Operation
    """The op that needs it."""
    place: Operation
    """The op before or after which it is allocated."""
    is_relaid: bool = False
    """Whether it has a layout that the op asks for, in the default memory space."""

    @property
    def type(self) -> Attribute:
        """The type of the tensor that it holds."""
        return self.value.type


Buffer: TypeAlias = SSAValue | NewBuffer
"""A value stands for the buffer that it will be in."""


class Touch(NamedTuple):
    """When an op, or a copy for it, reads or writes a buffer."""

    position: int
    """The position of the op in `ProgramPoints`."""
    first: int
    """When it starts, in positions times `SCALE`."""
    last: int
    """When it ends, which is when the ops in its regions do."""


@dataclass(eq=False, slots=True)
class Allocation:
    """Memory that a function allocates."""

    start: int
    """The time from which on it is allocated."""
    end: float
    """The first time at which it is not; infinite if the function does not free it."""
    size: Expression
    """In bytes."""
    space: Attribute
    """The memory space."""
    op: Operation | None = None
    """The op of the tensor program that needs it, if that is known."""
    time: int = 0
    """When it is allocated, unless it is hoisted."""
    touches: Sequence[Touch] = ()
    """When ops touch it."""
    values: Sequence[Buffer] = ()
    """The values that may alias it, and the buffer itself, which is the first."""

    @property
    def bytes(self) -> int:
        """The size, by the assumed extents if it is known at run time only."""
        return assumed(self.size)

    def is_live(self, time: float) -> bool:
        """Whether it is allocated at the time."""
        return self.start <= time < self.end


class Profile:
    """The allocations of a function in one memory space."""

    def __init__(self, allocations: Iterable[Allocation] = ()):
        self.allocations: Sequence[Allocation] = [*allocations]

    @cached_property
    def steps(self) -> Sequence[tuple[float, int]]:
        """The times at which the bytes change, ascending, with those that are live from then on."""
        ranges = ((a.start, a.end, a.bytes) for a in self.allocations)
        return [*live_sizes(ranges, 0)]

    @property
    def peak(self) -> int:
        """The most bytes that are live at a time."""
        return max((size for _, size in self.steps), default=0)

    @cached_property
    def peak_of_sizes(self) -> Bytes:
        """The peak, also for other sizes than those assumed."""
        if all(a.size.number is not None for a in self.allocations):
            return Bytes(self.peak)
        ranges = ((a.start, a.end, a.size) for a in self.allocations)
        maxima = _maxima(size for _, size in live_sizes(ranges, Expression({})))
        return Bytes(self.peak, maxima)

    @property
    def footprint(self) -> int:
        """The most bytes that one op touches, which are live in whatever order the ops run."""
        touched: dict[int, int] = defaultdict(int)
        for allocation in self.allocations:
            # What is touched at one time is live at that time.
            for time in {allocation.time, *(t.first for t in allocation.touches)}:
                touched[time] += allocation.bytes
        return max(touched.values(), default=0)

    def live_at(self, time: float) -> int:
        """The bytes that are live at a time."""
        index = bisect_right(self.steps, time, key=lambda step: step[0])
        return self.steps[index - 1][1] if index else 0

    def above(self, limit: int) -> Iterator[Allocation]:
        """The memory that is live while more bytes than the limit are."""
        times = [time for time, size in self.steps if size > limit]
        for allocation in self.allocations:
            index = bisect_left(times, allocation.start)
            if index < len(times) and times[index] < allocation.end:
                yield allocation


def profiles(allocations: Iterable[Allocation]) -> Mapping[Attribute, Profile]:
    """The allocations of a function, by memory space."""
    found: dict[Attribute, list[Allocation]] = {}
    for allocation in allocations:
        found.setdefault(allocation.space, []).append(allocation)
    return {space: Profile(allocated) for space, allocated in found.items()}


def _maxima(sizes: Iterable[Expression]) -> Sequence[Expression]:
    """Those that may be more than all others; none if there are too many."""
    found: list[Expression] = []
    for size in sizes:
        if not any(size.is_at_most(other) for other in found):
            found = [other for other in found if not other.is_at_most(size)]
            found.append(size)
            if len(found) > MAX_MAXIMA:
                return ()
    return found


def _may_exceed(peak: Sequence[Expression], limit: Sequence[Expression]) -> bool:
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
    from xdsl_bufferization.memrefs.sizes.arithmetic import Relations
    from xdsl_bufferization.memrefs.sizes.size_analysis import Sizes

    relations = Relations(Sizes().number)
    return not all(
        any(relations.is_at_most(size, other) for other in limit) for size in more
    )


_SizeT = TypeVar("_SizeT", int, Expression, Polynomial[str], Polynomial[int])


def live_sizes(
    live_ranges: Iterable[tuple[float, float, _SizeT]], nothing: _SizeT
) -> Iterator[tuple[float, _SizeT]]:
    """
    The times at which the size that is live changes, ascending, each with what is live from then
    on; given the first time of each size, and the first at which it is live no longer.
    """
    changes: dict[float, _SizeT] = {}
    for start, end, size in live_ranges:
        changes[start] = changes.get(start, nothing) + size
        changes[end] = changes.get(end, nothing) - size
    live: _SizeT = nothing
    for time in sorted(changes):
        live = live + changes[time]
        yield time, live
