"""
The problem of static memory planning: buffers, plans, lower bounds, a check of plans, and the
components of a problem, which are planned independently.

Given are buffers with live ranges. Wanted is an offset for each in one arena, as small as
possible, such that no two buffers share a byte while both are live. The problem is known as
dynamic storage allocation, and as strip packing of rectangles whose position in time is
fixed.

Components count time in sections. A *section* is a maximal set of buffers that are live at the
same time: those live between the beginning of a buffer and the next end of one. Only the sections
matter, in order; every live range is a range of them. Buffers of different components are never
live at the same time.

Sizes, offsets, alignments and heights are in bytes. The positions that bound live ranges are
any integers, such as numbers of ops. Nothing here knows IR.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

from sortedcontainers import SortedList


@dataclass(frozen=True, slots=True)
class Buffer:
    """
    Memory that is needed during a live range.

    Two buffers whose live ranges only touch, one's `upper` being the other's `lower`, are not
    live at the same time. A buffer with an empty live range is never live.
    """

    lower: int
    """The first position at which it is live."""
    upper: int
    """The first position after `lower` at which it is no longer live."""
    size: int
    """In bytes."""
    alignment: int = 1
    """Its offset is a multiple of this, in bytes; need not be a power of two."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Offsets of buffers in an arena."""

    offsets: Sequence[int]
    """For each buffer, in the order given, its first byte in the arena."""
    height: int
    """The size of the arena, in bytes: each buffer ends there or before."""
    lower_bound: int
    """No plan for these buffers has a smaller height, in bytes."""

    @property
    def is_optimal(self) -> bool:
        """Whether it is proven that no plan has a smaller height."""
        return self.height == self.lower_bound


def check_buffers(buffers: Sequence[Buffer]) -> None:
    """Raises `ValueError`, naming the buffer, if one is invalid."""
    for index, buffer in enumerate(buffers):
        if buffer.size < 0:
            raise ValueError(f"buffer {index} has a negative size: {buffer}")
        if buffer.alignment <= 0:
            raise ValueError(
                f"buffer {index} has an alignment that is not positive: {buffer}"
            )
        if buffer.lower > buffer.upper:
            raise ValueError(f"buffer {index} ends before it starts: {buffer}")


def height_of(buffers: Sequence[Buffer], offsets: Sequence[int]) -> int:
    """The size, in bytes, of the smallest arena for the buffers at these offsets."""
    return max((o + b.size for b, o in zip(buffers, offsets, strict=True)), default=0)


def lower_bound(buffers: Sequence[Buffer]) -> int:
    """
    A height, in bytes, that no plan is below: the most bytes that are live at a time, or
    the largest buffer.

    If all alignments have a common divisor, all buffers need padding up to a multiple of it,
    except for the topmost one.
    """
    step = alignment_step(buffers)
    bound = max((buffer.size for buffer in buffers), default=0)
    live = 0
    paddings: SortedList[int] = SortedList()
    for _, begins, index in events(buffers):
        size = buffers[index].size
        padded = round_up(size, step)
        if begins:
            live += padded
            paddings.add(padded - size)
            bound = max(bound, live - paddings[-1])
        else:
            live -= padded
            paddings.remove(padded - size)
    return bound


def events(buffers: Sequence[Buffer]) -> list[tuple[int, bool, int]]:
    """
    The positions, in order, at which buffers begin to be live, and those at which they no longer
    are; these first, as live ranges are half-open. Those that are empty or never live have none.
    """
    return sorted(
        event
        for index, buffer in enumerate(buffers)
        if buffer.size and buffer.lower < buffer.upper
        for event in ((buffer.lower, True, index), (buffer.upper, False, index))
    )


def conflicts(
    buffers: Sequence[Buffer], offsets: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """
    Pairs of buffers, by index, that share bytes while both are live; for a buffer that is out
    of the arena or not aligned, the pair of it with itself. A plan is valid if there are none.
    Not all pairs of an invalid plan are found, but at least one.

    It checks plans by a sweep over the live ranges that keeps the bytes in use sorted; no planner
    does that.
    """
    for index, (buffer, offset) in enumerate(zip(buffers, offsets, strict=True)):
        if offset < 0 or offset % buffer.alignment:
            yield index, index
    live: SortedList[tuple[int, int]] = SortedList()
    for _, begins, index in events(buffers):
        item = offsets[index], index
        if not begins:
            live.remove(item)
            continue
        live.add(item)
        # Live buffers without conflicts are disjoint. So if any that starts below reaches
        # into this one, the nearest does.
        place = live.index(item)
        for (_, below), (start, above) in pairwise(live[max(place - 1, 0) : place + 2]):
            if offsets[below] + buffers[below].size > start:
                yield below, above


def alignment_step(buffers: Sequence[Buffer]) -> int:
    """The greatest common divisor of all alignments: a divisor of each offset, in bytes."""
    return math.gcd(*(b.alignment for b in buffers if b.size)) or 1


def round_up(offset: int, alignment: int) -> int:
    """The smallest multiple of the alignment that is not below the offset, in bytes."""
    return -(-offset // alignment) * alignment


@dataclass(eq=False, slots=True)
class Component:
    """
    Buffers that have to be planned together.

    Lists have an entry for each buffer, in the order of `members`. No buffer is empty or has
    an empty live range.
    """

    members: list[int]
    """The index of each buffer in the problem."""
    buffers: list[Buffer]
    first: list[int]
    """The first section of each live range."""
    end: list[int]
    """The section after the last one of each live range."""
    sections: int
    """The number of sections."""
    padded: list[int] = field(init=False)
    """The size of each buffer in bytes, with padding in which no other buffer can begin."""
    alignment: list[int] = field(init=False)
    """The alignments that sums of padded sizes do not have anyway; 1 for the others."""
    granularity: int = field(init=False)
    """The height of a plan is a multiple of this if each buffer is as low as possible."""
    bound: int = field(init=False)
    """A lower bound of the height of plans."""
    loads: list[int] = field(init=False)
    """By section: the bytes that are live, with their padding."""

    def __post_init__(self):
        step = alignment_step(self.buffers)
        self.padded = [round_up(b.size, step) for b in self.buffers]
        grid = _grid(self.padded, {b.alignment for b in self.buffers})
        self.alignment = [
            b.alignment if grid % b.alignment else 1 for b in self.buffers
        ]
        exact = all(b.size == p for b, p in zip(self.buffers, self.padded, strict=True))
        self.granularity = grid if exact else 1
        self.bound = lower_bound(self.buffers)
        changes = [0] * self.sections
        for first, end, size in zip(self.first, self.end, self.padded, strict=True):
            changes[first] += size
            if end < self.sections:
                changes[end] -= size
        self.loads = [*accumulate(changes)]


def _grid(sizes: Sequence[int], alignments: set[int]) -> int:
    """
    A divisor, as large as is easily found, of all offsets in plans in which each buffer is at
    0 or at the end of another one, rounded up to its alignment.
    """
    grid = math.gcd(*sizes)
    while coarser := [a for a in alignments if grid % a and a % grid]:
        grid = math.gcd(grid, *coarser)
    return grid


def components(buffers: Sequence[Buffer]) -> list[Component]:
    """
    The components, in the order of time. Buffers that are empty or never live are in none.
    """
    found: list[Component] = []
    members: list[int] = []
    first: dict[int, int] = {}
    end: dict[int, int] = {}
    section, live, begun = -1, 0, False
    for _, begins, index in events(buffers):
        if begins:
            if not begun:
                section += 1
            begun = True
            live += 1
            members.append(index)
            first[index] = section
            continue
        begun = False
        live -= 1
        end[index] = section + 1
        if not live:
            found.append(
                Component(
                    members,
                    [buffers[i] for i in members],
                    [first[i] for i in members],
                    [end[i] for i in members],
                    section + 1,
                )
            )
            members, section = [], -1
    return found
