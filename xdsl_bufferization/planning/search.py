"""
A search for a plan within a given height. It is complete: it finds a plan, or proves that
there is none.

The search fills the arena from below. The *floor* of a section is the lowest offset of the
next buffer that is live in it. A *valley* is a range of sections with equal floors, with
higher floors on both sides. The lowest of the remaining buffers in a section of a valley
either fits into the valley and lies on its floor, or the floor of the section can be raised
to the lowest offset that another buffer could have. These are the options of a node. The
bytes below a raised floor are lost; a section fails when its floor and its remaining buffers
exceed the height.

The search branches on the section with the fewest options, and prefers sections that failed
before. Where no remaining buffer spans two adjacent sections, the remaining problem splits
into parts, which are solved one after the other. States that were found to be impossible are
remembered.

Sources: solutions where each buffer lies on another, partitions in time and inference of
floors are from Moffitt, "MiniMalloc: A Lightweight Memory Allocator for Hardware-
Accelerated Machine Learning" (ASPLOS 2023); the weights of sections from Boussemart,
Hemery, Lecoutre and Sais, "Boosting Systematic Search by Weighting Constraints" (ECAI
2004).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import accumulate, pairwise

from xdsl_bufferization.planning.problem import Component, round_up

_MOST_REMEMBERED = 50_000
"""The number of failed states that a search remembers at most."""


class Outcome(Enum):
    """How a search ended."""

    FOUND = auto()
    IMPOSSIBLE = auto()
    OUT_OF_WORK = auto()


@dataclass(slots=True)
class Work:
    """A budget of work: what may still be done until one of both limits is reached."""

    left: int | None
    """In visits of sections, so that results are the same on every machine."""
    deadline: float | None = None
    """By the clock `time.monotonic`."""

    def is_done(self) -> bool:
        """Whether the budget is spent."""
        return (self.left is not None and self.left <= 0) or (
            self.deadline is not None and time.monotonic() >= self.deadline
        )

    def spend(self, amount: int) -> None:
        """Subtracts visits of sections."""
        if self.left is not None:
            self.left -= amount

    def part(self, amount: int) -> Work:
        """A budget of this amount, or of what is left."""
        if self.left is not None:
            amount = min(amount, self.left)
        return Work(amount, self.deadline)


@dataclass(eq=False, slots=True)
class _Part:
    """Adjacent sections whose remaining buffers are live in no others."""

    first: int
    end: int
    origin: _Node | None
    """The node whose option split it off: that option fails if this part does."""
    next: _Part | None
    """The part to solve after it."""


@dataclass(eq=False, slots=True)
class _Node:
    """A node of the search tree, whose options are tried one after the other."""

    part: _Part
    state: tuple[int, ...]
    options: list[tuple[int, int, int, int]]
    """
    The best last: a buffer, or -1 to raise the floor only; the range of sections whose floor
    changes, as first and end; and the new floor.
    """
    taken: tuple[int, int, int, list[int]] | None = None
    """The option that is being tried: buffer, sections, and their former floors."""


class Search:
    """
    Searches for plans of a component within a height, in bytes. The weights of sections are
    kept from search to search.
    """

    def __init__(self, component: Component):
        self.offsets: list[int] = [0] * len(component.members)
        """The last plan that was found."""
        self._component = component
        self._learned = [1] * component.sections
        self._weights = self._learned
        """By section: one more than the number of times that it had no options."""
        self._height = -1
        self._failed: set[tuple[int, ...]] = set()
        """States of parts for which there is no plan within `_height`."""
        # Sets of buffers are integers, with a bit for each buffer.
        sections = component.sections
        begins, ends = [0] * (sections + 1), [0] * (sections + 1)
        for b, (first, end) in enumerate(
            zip(component.first, component.end, strict=True)
        ):
            begins[first] |= 1 << b
            ends[end] |= 1 << b
        for s in reversed(range(sections)):
            begins[s] |= begins[s + 1]
        for s in range(sections):
            ends[s + 1] |= ends[s]
        self._from = begins
        """By section: the buffers whose live ranges begin there or later."""
        self._until = ends
        """By section: the buffers whose live ranges end before it."""
        everything = begins[0]
        self._live = [everything & ~ends[s] & ~begins[s + 1] for s in range(sections)]
        """By section: the buffers that are live in it."""
        self._spanning = [a & b for a, b in pairwise(self._live)]
        """By section: the buffers that are live in it and in the next one."""
        self._roof = 0
        """The height including padding, which no buffer may exceed, in bytes."""
        self._floors: list[int] = []
        self._loads: list[int] = []
        """By section: the bytes of the remaining buffers."""
        self._remaining = 0
        self._preference: Sequence[float] = ()
        self._compared = 0
        """The pairs of buffers that were compared for a node."""

    def run(
        self,
        height: int,
        preference: Sequence[float],
        work: Work,
        *,
        fresh_weights: bool = False,
    ) -> Outcome:
        """
        Searches for a plan within the height, trying buffers with a higher preference first,
        until it is found and in `offsets`, or proven not to exist, or the work is done. With
        `fresh_weights`, the weights of sections from earlier searches are not used.
        """
        component = self._component
        if height != self._height:
            self._failed.clear()
        self._height = height
        self._weights = [1] * component.sections if fresh_weights else self._learned
        self._roof = height + max(
            p - b.size for p, b in zip(component.padded, component.buffers, strict=True)
        )
        self._preference = preference
        self._floors = [0] * component.sections
        self._loads = [0] * component.sections
        for first, end, size in zip(
            component.first, component.end, component.padded, strict=True
        ):
            for s in range(first, end):
                self._loads[s] += size
        self._remaining = self._from[0]
        if component.bound > height:
            return Outcome.IMPOSSIBLE
        return self._search(work)

    def _search(self, work: Work) -> Outcome:
        part = self._parts(0, self._component.sections, None, None)
        nodes: list[_Node] = []
        while part is not None:
            if work.is_done():
                return Outcome.OUT_OF_WORK
            self._compared = 0
            nodes.append(self._node(part))
            work.spend(part.end - part.first + self._compared)
            while nodes and not nodes[-1].options:
                self._fail(nodes)
            if not nodes:
                return Outcome.IMPOSSIBLE
            part = self._try_next(nodes[-1])
        return Outcome.FOUND

    def _parts(
        self, first: int, end: int, origin: _Node | None, then: _Part | None
    ) -> _Part | None:
        """The parts that a range of sections now splits into, followed by `then`."""
        begin = first
        for s in range(first, end):
            if s + 1 == end or not self._remaining & self._spanning[s]:
                # Only a part of one section can have no remaining buffers.
                if self._remaining & self._live[begin]:
                    then = _Part(begin, s + 1, origin, then)
                begin = s + 1
        return then

    def _node(self, part: _Part) -> _Node:
        floors = self._floors
        inside = self._remaining & self._from[part.first] & self._until[part.end]
        state = (inside, *floors[part.first : part.end])
        if state in self._failed:
            return _Node(part, state, [])
        valley, section = self._choose(part)
        options = self._options(part, valley, section)
        if not options:
            self._weights[section] += 1
        return _Node(part, state, options)

    def _choose(self, part: _Part) -> tuple[range, int]:
        """A valley, and the section of it for which the fewest options are expected."""
        floors, weights, loads, roof = (
            self._floors,
            self._weights,
            self._loads,
            self._roof,
        )
        fewest = float("inf")
        chosen = range(part.first, part.end), part.first
        start = part.first
        while start < part.end:
            floor, stop = floors[start], start + 1
            while stop < part.end and floors[stop] == floor:
                stop += 1
            if (start == part.first or floors[start - 1] > floor) and (
                stop == part.end or floors[stop] > floor
            ):
                fitting = self._remaining & self._from[start] & self._until[stop]
                for s in range(start, stop):
                    count = (fitting & self._live[s]).bit_count()
                    if not count:
                        return range(start, stop), s
                    estimate = (2 * count + (floor + loads[s] < roof)) / weights[s]
                    if estimate < fewest:
                        fewest = estimate
                        chosen = range(start, stop), s
            start = stop
        return chosen

    def _options(
        self, part: _Part, valley: range, section: int
    ) -> list[tuple[int, int, int, int]]:
        """The options for a section, the best last."""
        component = self._component
        floor = self._floors[section]
        fitting = self._remaining & self._from[valley.start] & self._until[valley.stop]
        candidates = fitting & self._live[section]
        options: list[tuple[int, int, int, int]] = []
        if floor + self._loads[section] < self._roof:
            raised = self._raised(part, section, fitting)
            if raised + self._loads[section] <= self._roof:
                options.append((-1, section, section + 1, raised))
        alike: set[tuple[int, int, int, int]] = set()
        placed: list[tuple[float, tuple[int, int, int, int]]] = []
        for b in _members(candidates):
            buffer = component.buffers[b]
            first, end = component.first[b], component.end[b]
            offset = round_up(floor, component.alignment[b])
            if offset + buffer.size > self._height:
                continue
            kind = first, end, buffer.size, component.alignment[b]
            if kind in alike:
                continue
            alike.add(kind)
            wasted = offset - floor
            if wasted and floor + wasted + max(self._loads[first:end]) > self._roof:
                continue
            top = offset + component.padded[b]
            placed.append((self._preference[b], (b, first, end, top)))
        placed.sort()
        options.extend(option for _, option in placed)
        return options

    def _raised(self, part: _Part, section: int, fitting: int) -> int:
        """
        The lowest offset that a remaining buffer of the section can have if none of them lies
        on the floor of the valley. `fitting` are the buffers that fit into the valley.
        """
        component, floors = self._component, self._floors
        floor = floors[section]
        remaining = self._remaining & self._live[section]
        lowest = self._roof + 1
        # Maximum floors from the section to each section on its left, and on its right.
        left = [*accumulate(reversed(floors[part.first : section + 1]), max)]
        right = [*accumulate(floors[section : part.end], max)]
        for b in _members(remaining & ~fitting):
            below = max(
                left[section - component.first[b]],
                right[component.end[b] - 1 - section],
            )
            lowest = min(lowest, round_up(below, component.alignment[b]))
        # A buffer that fits must lie on another one, which is not live in the section.
        others = fitting & ~self._live[section]
        for b in _members(remaining & fitting) if others else ():
            beside = (
                others
                & ~self._until[component.first[b]]
                & ~self._from[component.end[b]]
            )
            self._compared += beside.bit_count()
            for other in _members(beside):
                below = floor + component.padded[other]
                if below < lowest:
                    lowest = min(lowest, round_up(below, component.alignment[b]))
        return lowest

    def _try_next(self, node: _Node) -> _Part | None:
        """Takes the next option; returns the part to solve next."""
        b, first, end, top = node.options.pop()
        node.taken = b, first, end, self._floors[first:end]
        self._floors[first:end] = [top] * (end - first)
        part = node.part
        if b < 0:
            return _Part(part.first, part.end, node, part.next)
        self._remaining ^= 1 << b
        size = self._component.padded[b]
        self.offsets[b] = top - size
        for s in range(first, end):
            self._loads[s] -= size
        return self._parts(part.first, part.end, node, part.next)

    def _undo(self, node: _Node) -> None:
        if node.taken is None:
            return
        b, first, end, floors = node.taken
        self._floors[first:end] = floors
        node.taken = None
        if b >= 0:
            self._remaining ^= 1 << b
            size = self._component.padded[b]
            for s in range(first, end):
                self._loads[s] += size

    def _fail(self, nodes: list[_Node]) -> None:
        """
        Backtracks from a node without options to the node that split off its part; nodes of
        other parts, solved in between, do not change that this one fails.
        """
        node = nodes.pop()
        if len(self._failed) < _MOST_REMEMBERED:
            self._failed.add(node.state)
        origin = node.part.origin
        while nodes and nodes[-1] is not origin:
            self._undo(nodes.pop())
        if nodes:
            self._undo(nodes[-1])


def _members(bits: int) -> Iterator[int]:
    """The indices of the bits that are set."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
