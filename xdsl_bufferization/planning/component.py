"""
The parts of a problem that can be planned apart, with time counted in sections.

A *section* is a set of buffers that are alive at once to which no more can be added: the
positions between where buffers begin and where one ends next. All of time that matters is
the sections, in order, and every buffer is alive in a range of them. Buffers of different
components are never alive at the same time.
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

    What is a list has an entry a buffer, in the order of `members`, if nothing else is
    said; none of them is empty or never alive.
    """

    members: list[int]
    """The index that each buffer has in the problem."""
    buffers: list[Buffer]
    first: list[int]
    """The section that each buffer's life begins with."""
    end: list[int]
    """The section after that which each buffer's life ends with."""
    sections: int
    """How many there are."""
    padded: list[int] = field(init=False)
    """
    The bytes that each buffer keeps from others: none can begin in the padding after it.
    """
    alignment: list[int] = field(init=False)
    """What offsets that are sums of padded sizes still have to be rounded up to."""
    grain: int = field(init=False)
    """If each buffer lies as low as it can, the height is a multiple of this."""
    bound: int = field(init=False)
    """A height that no plan is below."""

    def __post_init__(self):
        step = alignment_step(self.buffers)
        self.padded = [round_up(b.size, step) for b in self.buffers]
        grid = _grid(self.padded, {b.alignment for b in self.buffers})
        self.alignment = [
            b.alignment if grid % b.alignment else 1 for b in self.buffers
        ]
        exact = all(b.size == p for b, p in zip(self.buffers, self.padded, strict=True))
        self.grain = grid if exact else 1
        self.bound = lower_bound(self.buffers)


def _grid(sizes: Sequence[int], alignments: set[int]) -> int:
    """
    A step, as large as is easily found, that all offsets are multiples of where each
    buffer is at 0 or at the end of another, rounded up to its alignment.
    """
    grid = math.gcd(*sizes)
    while coarser := [a for a in alignments if grid % a and a % grid]:
        grid = math.gcd(grid, *coarser)
    return grid


def components(buffers: Sequence[Buffer]) -> list[Component]:
    """
    The components, in the order of time. Buffers that are empty or never alive are in
    none of them.
    """
    events: list[tuple[int, bool, int]] = []
    for index, buffer in enumerate(buffers):
        if buffer.size and buffer.lower < buffer.upper:
            events.append((buffer.lower, True, index))
            events.append((buffer.upper, False, index))
    # Ends come before beginnings: lives are half-open.
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
