"""
The components of a problem, which are planned independently, with time counted in sections.

A *section* is a maximal set of buffers that are live at the same time: those live between
the beginning of a buffer and the next end of one. Only the sections matter, in order; every
live range is a range of them. Buffers of different components are never live at the same
time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl_bufferization.planning.problem import (
    Buffer,
    alignment_step,
    lower_bound,
    round_up,
)


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
    events: list[tuple[int, bool, int]] = []
    for index, buffer in enumerate(buffers):
        if buffer.size and buffer.lower < buffer.upper:
            events.append((buffer.lower, True, index))
            events.append((buffer.upper, False, index))
    # Ends precede beginnings: live ranges are half-open.
    events.sort()
    found: list[Component] = []
    members: list[int] = []
    first: dict[int, int] = {}
    end: dict[int, int] = {}
    section, live, begun = -1, 0, False
    for _, begins, index in events:
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
