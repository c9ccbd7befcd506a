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

The traffic of a function, which is copies and moves, its peaks, and the bytes of its tensors and
memrefs, which may be known at run time only.

    %e = tensor.empty(%n) : tensor<?x16xf32>     // 64 * %n bytes

How often ops run each time their function does: traffic in a loop counts once an iteration.

    scf.for %i = %c0 to %c8 step %c1 { ... }    // 8: bounds and step are constants
    scf.while ... { ... }                       // UNKNOWN_TRIP_COUNT

Each branch counts as taken. Takes time in proportion to the loops around the op, and linear in the
rank and what `memrefs/sizes/size_analysis.py` takes for dynamic sizes.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.contents import move_of
from xdsl_bufferization.interfaces.loop_like import trip_count
from xdsl_bufferization.interfaces.parallel_combining import combines_in_parallel
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.interfaces.sizes import Expression
from xdsl_bufferization.support.data_layout import DataLayout
from xdsl_bufferization.support.polynomials import Polynomial

if TYPE_CHECKING:
    from xdsl_bufferization.memrefs.sizes.size_analysis import Sizes


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


class BufferBytes:
    """
    The bytes of tensors and memrefs by a data layout, given what analyses their sizes: as long as
    the program does not change, the same object.
    """

    def __init__(self, layout: DataLayout, sizes: Callable[[], Sizes]):
        self._layout = layout
        self._sizes = sizes

    def of(self, value: SSAValue) -> Expression | None:
        """The bytes of all elements; `None` if these have none, or the value has no rank."""
        type = value.type
        known = self._layout.bytes_of_contents(type)
        if known is not None:
            return Expression.constant(known)
        if not isinstance(type, TensorType | MemRefType):
            return None
        stride = self._layout.stride_in_bytes(type.element_type)
        elements = self._sizes().elements(value)
        if stride is None or elements is None:
            return None
        return elements.times(stride)


def sizes_if_asked() -> Callable[[], Sizes]:
    """A function that always returns the same sizes, which are made when it is first called."""

    def sizes() -> Sizes:
        # Most programs have no dynamic sizes.
        from xdsl_bufferization.memrefs.sizes.size_analysis import Sizes

        return Sizes()

    return cache(sizes)


class Copies(NamedTuple):
    """Copies in the text of a program, those in loops counted once."""

    number: int = 0
    bytes: Bytes = Bytes()
    repeated: int = 0
    """The bytes that they copy in further iterations of loops (`executions`)."""

    @property
    def size(self) -> int:
        """Their bytes, as far as these are known or assumed."""
        return self.bytes.number

    def are_no_more_than(self, other: Copies) -> bool:
        """Whether neither number nor bytes are more."""
        return self.number <= other.number and not self.bytes.may_exceed(other.bytes)


class Moves(NamedTuple):
    """
    Moves in the text of a program: the ops that only move elements from one tensor to another;
    those in loops counted once.
    """

    number: int = 0
    size: int = 0
    """The bytes that they read and write, as far as these are known or assumed."""
    repeated: int = 0
    """The bytes that they read and write in further iterations of loops (`executions`)."""


NO_MOVES = Moves()


def moves_of(ops: Iterable[Operation], sizes: BufferBytes) -> Moves:
    """The moves among ops on tensors, given the sizes of the tensors."""
    number = moved = repeated = 0
    for op in ops:
        if not op.results or (move := move_of(op)) is None or move.map is None:
            continue
        number += 1
        size = sizes.of(op.results[0])
        source = sizes.of(move.source)
        if size is not None and source is not None:
            written = assumed(size)
            bytes = min(assumed(source), written) + written
            moved += bytes
            repeated += bytes * (executions(op) - 1)
    return Moves(number, moved, repeated)


class Cost(NamedTuple):
    """The copies, moves and peaks of a function."""

    copies: Copies
    memory: Mapping[Attribute, Bytes]
    """By memory space: the most bytes that it has allocated at a time."""
    moves: Moves = NO_MOVES

    @property
    def peaks(self) -> Mapping[Attribute, int]:
        """By memory space: the peak, as far as it is known or assumed."""
        return {space: peak.number for space, peak in self.memory.items()}

    @property
    def depends_on_sizes(self) -> bool:
        """Whether a peak depends on sizes that are known at run time only."""
        return any(peak.maxima for peak in self.memory.values())

    @property
    def traffic(self) -> tuple[int, int]:
        """The number of copies and moves, and the bytes that they read and write."""
        copies, moves = self.copies, self.moves
        return (
            copies.number + moves.number,
            2 * copies.size + moves.size,
        )

    @property
    def executed(self) -> int:
        """The bytes that copies and moves read and write each time the function runs."""
        return self.traffic[1] + 2 * self.copies.repeated + self.moves.repeated

    def is_no_more_than(self, other: Cost) -> bool:
        """
        Whether nothing is more. Moves may be more if they take the place of copies that read
        and write as much.
        """
        return (
            self.copies.are_no_more_than(other.copies)
            and self.traffic[0] <= other.traffic[0]
            and self.traffic[1] <= other.traffic[1]
            and not any(
                peak.may_exceed(other.memory.get(space, Bytes()))
                for space, peak in self.memory.items()
            )
        )


UNKNOWN_TRIP_COUNT = 16
"""The iterations that are assumed of a loop whose bounds are no constants."""


def executions(op: Operation) -> int:
    """The number of times that the op runs each time its function does."""
    number, nested = 1, op
    while (parent := nested.parent_op()) is not None:
        number *= _trip_count(parent, nested)
        nested = parent
    return number


def _trip_count(op: Operation, nested: Operation) -> int:
    """The number of times that the region around the nested op runs each time the op does."""
    if (known := trip_count(op)) is not None:
        return known
    region = nested.parent_region()
    if region is None or combines_in_parallel(nested):
        return 1
    index = op.get_region_index(region)
    models = RegionBranchOpInterface.of(op), BufferizableOpInterface.of(op)
    if any(model is not None and model.is_repetitive(op, index) for model in models):
        return UNKNOWN_TRIP_COUNT
    return 1
