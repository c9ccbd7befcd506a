"""
Static memory planning: buffers with lives, plans that place them, and what holds of both.

Given are buffers that are alive for a while; wanted is an offset for each in one arena
such that no two share a byte while both are alive, and the arena as small as possible. It
is known as dynamic storage allocation, and as strip packing of rectangles whose place in
time is fixed.

Sizes, offsets, alignments and heights are bytes. The positions that bound lives are any
integers, such as numbers of ops. Nothing here knows IR.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sortedcontainers import SortedList


@dataclass(frozen=True, slots=True)
class Buffer:
    """
    Memory that is needed for a while.

    Two buffers whose lives only touch, one's `upper` being the other's `lower`, are not
    alive at the same time. A buffer with an empty life is never alive.
    """

    lower: int
    """The first position at which it is alive."""
    upper: int
    """The first position at which it is no longer alive."""
    size: int
    """In bytes."""
    alignment: int = 1
    """Its offset is a multiple of this, in bytes; not only powers of two."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Where buffers go in an arena."""

    offsets: Sequence[int]
    """For each buffer, in the order given, the first byte of the arena that it has."""
    height: int
    """The size of the arena, in bytes: each buffer ends there or before."""
    lower_bound: int
    """No plan for these buffers has a smaller height, in bytes."""

    @property
    def is_optimal(self) -> bool:
        """Whether it is proven that no plan has a smaller height."""
        return self.height == self.lower_bound


def check_buffers(buffers: Sequence[Buffer]) -> None:
    """Raises `ValueError`, naming the buffer, if one is not sound."""
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
    """The bytes that an arena needs for the buffers at these offsets."""
    return max((o + b.size for b, o in zip(buffers, offsets, strict=True)), default=0)


def lower_bound(buffers: Sequence[Buffer]) -> int:
    """
    A height, in bytes, that no plan is below: the most bytes that are alive at a time, or
    the largest buffer.

    Where all alignments have a common divisor, only the topmost buffer can spare the
    padding that brings its end to a multiple of that.
    """
    step = alignment_step(buffers)
    changes: list[tuple[int, bool, int, int]] = []
    for buffer in buffers:
        if buffer.size and buffer.lower < buffer.upper:
            padded = round_up(buffer.size, step)
            padding = padded - buffer.size
            changes.append((buffer.lower, True, padded, padding))
            changes.append((buffer.upper, False, padded, padding))
    changes.sort()
    bound = max((buffer.size for buffer in buffers), default=0)
    live = 0
    paddings: SortedList[int] = SortedList()
    for _, begins, padded, padding in changes:
        if begins:
            live += padded
            paddings.add(padding)
            bound = max(bound, live - paddings[-1])
        else:
            live -= padded
            paddings.remove(padding)
    return bound


def conflicts(
    buffers: Sequence[Buffer], offsets: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """
    Pairs of buffers, by index, that share bytes while both are alive, or a buffer twice
    that is out of the arena or not aligned. A plan is valid if there are none.

    It sweeps over the lives with the bytes in use kept sorted, which no planner does: a
    check of theirs rather than a part. Every plan that is not valid has a pair, but not
    all of its pairs are found.
    """
    events: list[tuple[int, bool, int]] = []
    for index, (buffer, offset) in enumerate(zip(buffers, offsets, strict=True)):
        if offset < 0 or offset % buffer.alignment:
            yield index, index
        if buffer.size and buffer.lower < buffer.upper:
            events.append((buffer.lower, True, index))
            events.append((buffer.upper, False, index))
    # Ends come before beginnings: lives are half-open.
    events.sort()
    live: SortedList[tuple[int, int]] = SortedList()
    for _, begins, index in events:
        item = offsets[index], index
        if not begins:
            live.remove(item)
            continue
        place = live.bisect_left(item)
        live.add(item)
        # Buffers that are alive and have no conflict are disjoint, so that one that
        # starts below and reaches into this one is the nearest.
        if place:
            below = live[place - 1][1]
            if offsets[below] + buffers[below].size > offsets[index]:
                yield below, index
        if place + 1 < len(live):
            above = live[place + 1][1]
            if offsets[index] + buffers[index].size > offsets[above]:
                yield index, above


def alignment_step(buffers: Sequence[Buffer]) -> int:
    """All offsets are multiples of this many bytes, whatever the plan."""
    return math.gcd(*(b.alignment for b in buffers if b.size)) or 1


def round_up(offset: int, alignment: int) -> int:
    """The first multiple of an alignment from an offset on, both in bytes."""
    return -(-offset // alignment) * alignment
