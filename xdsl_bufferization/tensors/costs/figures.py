"""Figures: copies, bytes, and the peak of what is allocated at a time."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from xdsl.ir import Attribute, Operation

from xdsl_bufferization.interfaces.sizes import Expression
from xdsl_bufferization.tensors.costs.buffer_bytes import (
    Bytes,
    RunTimePeak,
    may_exceed,
    run_time_peak,
)
from xdsl_bufferization.tensors.costs.moves import NO_MOVES, Moves


class Copies(NamedTuple):
    """Copies in the text of a program, those in loops counted once."""

    number: int = 0
    size: int = 0
    """Their bytes, as far as these are known or assumed (`buffer_bytes.py`)."""
    run_time: RunTimePeak = ()
    """The one polynomial that their bytes are, if these are known at run time only."""
    repeated: int = 0
    """The bytes that they copy in further iterations of loops (`executions.py`)."""

    def __add__(self, other: object) -> Copies:
        assert isinstance(other, Copies)
        size = Bytes(self.size, *self.run_time), Bytes(other.size, *other.run_time)
        return copies_of(size)._replace(
            number=self.number + other.number, repeated=self.repeated + other.repeated
        )

    def are_no_more_than(self, other: Copies) -> bool:
        """Whether neither number nor bytes are more."""
        return (
            self.number <= other.number
            and self.size <= other.size
            and not may_exceed(self.run_time, other.run_time)
        )


def copies_of(sizes: Sequence[Bytes]) -> Copies:
    """The copies of so many bytes."""
    run_time: RunTimePeak = ()
    if any(size.run_time is not None for size in sizes):
        run_time = [sum((size.expression for size in sizes), Expression({}))]
    return Copies(len(sizes), sum(size.number for size in sizes), run_time)


class Cost(NamedTuple):
    """The copies, moves and peaks of a function."""

    copies: Copies
    peaks: Mapping[Attribute, int]
    """
    By memory space: the most bytes that it has allocated at a time, as far as these are known or
    assumed.
    """
    moves: Moves = NO_MOVES
    run_time_peaks: Mapping[Attribute, RunTimePeak] = MappingProxyType({})
    """By memory space: the peak, if it depends on sizes that are known at run time only."""

    @property
    def traffic(self) -> tuple[int, int]:
        """The number of copies and moves, and the bytes that they read and write."""
        copies, moves = self.copies, self.moves
        return (
            copies.number + moves.number,
            2 * copies.size + moves.read + moves.written,
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
            and all(
                peak <= other.peaks.get(space, 0) for space, peak in self.peaks.items()
            )
            and not any(
                may_exceed(peak, other.run_time_peaks.get(space, ()))
                for space, peak in self.run_time_peaks.items()
            )
        )


class LiveMemory(NamedTuple):
    """Memory that an op allocates."""

    start: int
    """The position from which on it is allocated."""
    end: float
    """The first position at which it is not; infinite if the function does not free it."""
    size: int
    """In bytes; those that are assumed if they are known at run time only (`buffer_bytes.py`)."""
    space: Attribute
    """The memory space."""
    op: Operation | None
    """The op of the tensor program that needs it, if that is known."""
    run_time: Expression | None = None
    """The bytes, if they are known at run time only."""


class FunctionCosts:
    """
    The costs of one function, given its copies, the memory that it allocates, the memory space
    of each result that is a buffer, its moves, and by memory space the bytes that some op
    touches, if they are known.
    """

    def __init__(
        self,
        copies: Copies,
        live: Iterable[LiveMemory],
        spaces_of_results: Sequence[Attribute],
        moves: Moves = NO_MOVES,
        footprints: Mapping[Attribute, int] | None = None,
    ):
        self.footprints: Mapping[Attribute, int] | None = footprints
        """By memory space: bytes that are alive at a time in whatever order the ops run."""
        self.copies = copies
        self.moves = moves
        self.spaces_of_results = spaces_of_results
        self.live: dict[Attribute, list[LiveMemory]] = defaultdict(list)
        """By memory space: the memory that is allocated."""
        for memory in live:
            self.live[memory.space].append(memory)

    @cached_property
    def cost(self) -> Cost:
        """Copies, peaks and moves."""
        peaks = {space: peak_of(live) for space, live in self.live.items()}
        run_time_peaks = {
            space: _run_time_peak(live)
            for space, live in self.live.items()
            if any(memory.run_time is not None for memory in live)
        }
        return Cost(self.copies, peaks, self.moves, run_time_peaks)


def _run_time_peak(live: Iterable[LiveMemory]) -> RunTimePeak:
    return run_time_peak(
        (m.start, m.end, m.run_time or Expression.constant(m.size)) for m in live
    )


def peak_of(live: Iterable[LiveMemory]) -> int:
    """The most bytes of the memory that are alive at a time."""
    return max((size for _, size in allocated_at(live)), default=0)


def alive_above(live: Iterable[LiveMemory], limit: int) -> Iterator[LiveMemory]:
    """The memory that is alive while more bytes than the limit are allocated."""
    live = [*live]
    above = [p for p, allocated in allocated_at(live) if allocated > limit]
    for memory in live:
        index = bisect_left(above, memory.start)
        if index < len(above) and above[index] < memory.end:
            yield memory


def allocated_at(live: Iterable[LiveMemory]) -> Iterator[tuple[float, int]]:
    """Positions at which the bytes that are allocated change, with the bytes from there on."""
    changes: dict[float, int] = defaultdict(int)
    for memory in live:
        changes[memory.start] += memory.size
        changes[memory.end] -= memory.size
    allocated = 0
    for position, change in sorted(changes.items()):
        allocated += change
        yield position, allocated
