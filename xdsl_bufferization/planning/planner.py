"""
Plans static memory: greedily first (`fill_skyline`), then by searching for better plans
(`Search`). One file of more than 600 lines: these are two halves of one planner.

The component whose plan is the highest is improved, step by step, by searches for a plan of a
height that is not known to be impossible. Their preferences are perturbed, with fixed seeds.

The greedy planner fills the arena from below, each time with the preferred buffer that fits. The
skyline is the upper boundary, over the sections, of what is filled so far. On its lowest
segment the planner places the buffer with the highest preference among those whose live
range is within the segment; if there is none, it raises the segment to its lower neighbour.

Sources: best fit for strip packing, Burke, Kendall and Whitwell, "A New Placement
Heuristic for the Orthogonal Stock-Cutting Problem" (Operations Research, 2004); for
memory, Sekiyama, Imai, Negishi and Kawachiya, "Profile-guided memory optimization for deep
neural networks" (2018).

The search is for a plan within a given height, and complete: it finds one, or proves that there
is none. It fills the arena from below. The *floor* of a section is the lowest offset of the
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

import heapq
import random
import time
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import accumulate, pairwise
from math import inf
from operator import mul, sub

from sortedcontainers import SortedDict

from xdsl_bufferization.host.commands import with_progress
from xdsl_bufferization.planning.problem import (
    Buffer,
    Component,
    Plan,
    check_buffers,
    components,
    height_of,
    lower_bound,
    round_up,
)

_MOST_REMEMBERED = 50_000
"""The number of failed states that a search remembers at most."""


@dataclass(slots=True)
class Work:
    """A budget of work: what may still be done until one of both limits is reached."""

    left: float
    """In visits of sections, so that results are the same on every machine."""
    deadline: float = inf
    """By the clock `time.monotonic`."""

    def is_done(self) -> bool:
        """Whether the budget is spent."""
        return self.left <= 0 or time.monotonic() >= self.deadline


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
    taken: tuple[int, int, int, list[int], list[int]] | None = None
    """The option that is being tried: buffer, sections, and their former floors and loads."""


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
    ) -> bool | None:
        """
        Searches for a plan within the height, trying buffers with a higher preference first.
        Returns whether there is one, which is in `offsets` then; `None` if the work is done
        before that is known. With `fresh_weights`, the weights of sections from earlier
        searches are not used.
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
        self._loads = [*component.loads]
        self._remaining = self._from[0]
        part = self._parts(0, component.sections, None, None)
        nodes: list[_Node] = []
        while part is not None:
            if work.is_done():
                return None
            self._compared = 0
            nodes.append(self._node(part))
            work.left -= part.end - part.first + self._compared
            while nodes and not nodes[-1].options:
                self._fail(nodes)
            if not nodes:
                return False
            part = self._try_next(nodes[-1])
        return True

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
        node.taken = b, first, end, self._floors[first:end], self._loads[first:end]
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
        b, first, end, floors, loads = node.taken
        self._floors[first:end] = floors
        self._loads[first:end] = loads
        node.taken = None
        if b >= 0:
            self._remaining ^= 1 << b

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


EFFORT = 3_000_000
"""The work that improves greedy plans if there is no time limit: some seconds."""

_GREEDY_EFFORT = 4_000_000
"""After this much work, no further greedy plans of a component are made."""

_MOST_SEARCHED = 4000
"""Components of more buffers are not searched: that takes a step for each pair."""

_NOISE = 0.5
"""The range of factors by which preferences are perturbed."""

_FIRST_SEARCHES = ((0.0, 2000),) * 3 + ((0.5, 500),) * 2
"""
The first searches, one for each preference: the height to search for, from 0 for the lowest
that is not proven impossible to 1 for the best found; and the number of nodes.
"""

_SEARCHES = ((0.0, False), (0.5, True), (0.0, False), (0.0, True))
"""
The searches after those, in turn: the height, and whether the weights that earlier searches
learned are ignored, as they are by the first ones.
"""


class Method(Enum):
    """How much effort is spent on a small arena."""

    HEURISTIC = auto()
    """A good plan within seconds; the same on every machine."""
    EXACT = auto()
    """A plan that is proven optimal, or the best one found within the time limit."""


def plan(
    buffers: Sequence[Buffer],
    *,
    method: Method = Method.HEURISTIC,
    time_limit: float = 60.0,
    target: int | None = None,
    effort: int = EFFORT,
) -> Plan:
    """
    Offsets for buffers, in bytes, such that buffers that are live at the same time do not
    overlap, and the arena that holds them all is small.

    The heuristic does a bounded amount of work, about N log N for N buffers. The exact method
    improves greedy plans until no smaller arena is possible or `time_limit` seconds have passed.
    Both stop at `target`, if given: a height in bytes that is small enough. `effort` is the work
    by which the heuristic may improve greedy plans. Components of more than 4000 buffers are
    planned greedily only.

    Raises `ValueError` for a buffer with a negative size, an alignment that is not
    positive, or a live range that ends before it starts.
    """
    check_buffers(buffers)
    started = time.monotonic()
    work = Work(effort)
    if method is Method.EXACT:
        work = Work(inf, started + time_limit)
    states = [_State(component) for component in components(buffers)]
    bound = lower_bound(buffers)
    goal = max(bound, target or 0)
    for state in states:
        state.start(goal)
    for _ in with_progress(_improve(states, goal, work), None, "search for an arena"):
        pass
    offsets = [0] * len(buffers)
    for state in states:
        bound = max(bound, state.lower_bound)
        for member, offset in zip(state.component.members, state.offsets, strict=True):
            offsets[member] = offset
    return Plan(tuple(offsets), height_of(buffers, offsets), bound)


def _improve(states: Sequence[_State], goal: int, work: Work) -> Iterator[None]:
    """Improves the highest plan, step by step, until it is low enough or work is done."""
    while states and not work.is_done():
        highest = max(states, key=lambda state: state.height)
        if highest.height <= goal:
            break
        if highest.is_finished():
            goal = highest.height
        else:
            highest.improve(work)
            yield


class _State:
    """The best plan of a component so far, with bounds; all in bytes."""

    def __init__(self, component: Component):
        self.component = component
        self.offsets: list[int] = []
        """Those of the best plan so far."""
        self.height = -1
        self.lower_bound = component.bound
        """No plan of the component has a smaller height."""
        self._preferences = _preferences(component)
        self._search: Search | None = None
        self._searches = 0

    def start(self, goal: int) -> None:
        """Makes greedy plans until one reaches the goal."""
        component = self.component
        done = 0
        count = len(component.members)
        for preference in self._preferences:
            self._keep_if_better(fill_skyline(component, preference))
            done += 8 * count * count.bit_length()
            if self.height <= goal or done > _GREEDY_EFFORT:
                break

    def is_finished(self) -> bool:
        """Whether the plan is optimal, or too large for a search."""
        return self.height <= self.lower_bound or (
            len(self.component.members) > _MOST_SEARCHED
        )

    def improve(self, work: Work) -> None:
        """Does one search for a better plan, or to prove that there is none."""
        component = self.component
        if self._search is None:
            self._search = Search(component)
        number = self._searches
        self._searches += 1
        kinds = len(self._preferences)
        preference = self._preferences[number % kinds]
        fresh_weights = True
        if number < kinds:
            share, nodes = _FIRST_SEARCHES[number]
        else:
            preference = _perturbed(preference, number)
            turn, kind = divmod(number - kinds, len(_SEARCHES))
            share, fresh_weights = _SEARCHES[kind]
            nodes = 300 * _luby(turn + 1)
        granularity = component.granularity
        rest = self.height - granularity - self.lower_bound
        height = self.lower_bound + int(rest * share) // granularity * granularity
        given = min(nodes * component.sections, work.left)
        part = Work(given, work.deadline)
        is_found = self._search.run(
            height, preference, part, fresh_weights=fresh_weights
        )
        work.left -= given - part.left
        if is_found:
            self._keep_if_better(self._search.offsets)
        elif is_found is not None:
            self.lower_bound = height + granularity

    def _keep_if_better(self, offsets: Sequence[int]) -> None:
        """Keeps the plan if it is lower than the best one so far."""
        height = height_of(self.component.buffers, offsets)
        if self.height < 0 or height < self.height:
            self.offsets, self.height = [*offsets], height


def _preferences(component: Component) -> Sequence[Sequence[float]]:
    """Orders to place buffers in: for each, a number by buffer, the highest first."""
    lengths = [b.upper - b.lower for b in component.buffers]
    sizes = component.padded
    return [
        lengths,
        sizes,
        [*map(mul, sizes, lengths)],
        [*map(sub, component.end, component.first)],
        _peaks(component),
    ]


def _peaks(component: Component) -> list[int]:
    """For each buffer, the most bytes that are live at a time of its live range."""
    # For each k, the maximum of the 2**k sections from each section on.
    levels = [component.loads]
    while (step := 1 << (len(levels) - 1)) < component.sections:
        below = levels[-1]
        levels.append([*map(max, below, below[step:] + below[-1:] * step)])
    most: list[int] = []
    for first, end in zip(component.first, component.end, strict=True):
        level = (end - first).bit_length() - 1
        most.append(max(levels[level][first], levels[level][end - (1 << level)]))
    return most


def _perturbed(preference: Sequence[float], seed: int) -> list[float]:
    """The preference with random factors close to 1; the seed determines them."""
    generator = random.Random(seed)
    return [p * (1 + _NOISE * (generator.random() - 0.5)) for p in preference]


def _luby(number: int) -> int:
    """
    The term of that number, from 1, in the sequence 1, 1, 2, 1, 1, 2, 4, ...: how long to
    search before a restart if the run time is unknown (Luby, Sinclair and Zuckerman,
    "Optimal Speedup of Las Vegas Algorithms", 1993).
    """
    while (number + 1) & number:
        number -= (1 << (number.bit_length() - 1)) - 1
    return (number + 1) // 2


def fill_skyline(component: Component, preference: Sequence[float]) -> list[int]:
    """
    The offsets of the buffers, in bytes; those with a higher preference are placed first.
    The time is about N log N for N buffers.
    """
    unplaced = _UnplacedBuffers(component, preference)
    offsets = [0] * len(component.members)
    skyline = SortedDict[int, float]({0: 0, component.sections: inf})
    """The height of each segment, by its first section; it ends where the next one begins."""
    starts, heights = skyline.keys(), skyline.values()
    heap: list[tuple[float, int, int]] = [(0, 0, component.sections)]
    left = len(offsets)
    while left:
        floor, start, end = heapq.heappop(heap)
        if skyline.get(start) != floor or starts[skyline.bisect_right(start)] != end:
            # The segment has changed.
            continue
        b = unplaced.take(start, end)
        if b is None:
            first, after = start, end
            index = skyline.bisect_left(start)
            top = min(heights[index - 1] if index else inf, skyline[end])
        else:
            left -= 1
            offsets[b] = round_up(int(floor), component.alignment[b])
            top = offsets[b] + component.padded[b]
            first, after = component.first[b], component.end[b]
        # What remains of the segment is on both sides of the new one.
        skyline.setdefault(after, floor)
        skyline[first] = top
        for boundary in (first, after):
            index = skyline.bisect_left(boundary)
            if index and heights[index - 1] == heights[index]:
                del skyline[boundary]
        index = skyline.bisect_right(start) - 1
        while starts[index] < end:
            heapq.heappush(heap, (heights[index], starts[index], starts[index + 1]))
            index += 1
    return offsets


class _UnplacedBuffers:
    """
    The buffers without an offset, in a segment tree over the sections in which they begin.
    """

    def __init__(self, component: Component, preference: Sequence[float]):
        first, end = component.first, component.end
        self._order = sorted(range(len(first)), key=lambda b: (first[b], end[b]))
        """By leaf: its buffer."""
        self._first = [first[b] for b in self._order]
        self._by_rank = sorted(
            range(len(first)),
            key=lambda leaf: (preference[self._order[leaf]], -self._order[leaf]),
        )
        """The leaves by preference."""
        self._leaves = leaves = 1 << max(len(first) - 1, 0).bit_length()
        self._empty: tuple[int, int, int] = (component.sections + 1, 0, -1)
        self._nodes: list[tuple[int, int, int]] = [self._empty] * (2 * leaves)
        """
        By node, the earliest and the latest end of a live range, and the highest rank. The children
        of node n are the nodes 2n and 2n + 1.
        """
        for rank, leaf in enumerate(self._by_rank):
            its_end = end[self._order[leaf]]
            self._nodes[leaves + leaf] = its_end, its_end, rank
        for node in reversed(range(1, leaves)):
            self._update(node)

    def take(self, start: int, end: int) -> int | None:
        """
        Removes and returns the buffer with the highest preference whose live range is
        within the sections; `None` if there is none.
        """
        low, high = bisect_left(self._first, start), bisect_left(self._first, end)
        found = -1
        # Each node with the range of the leaves below it.
        stack = [(1, 0, self._leaves)]
        while stack:
            node, begin, stop = stack.pop()
            if stop <= low or high <= begin:
                continue
            earliest, latest, best = self._nodes[node]
            if earliest > end or best <= found:
                continue
            if low <= begin and stop <= high and latest <= end:
                found = best
                continue
            middle = (begin + stop) // 2
            stack.append((2 * node, begin, middle))
            stack.append((2 * node + 1, middle, stop))
        if found < 0:
            return None
        leaf = self._by_rank[found]
        node = self._leaves + leaf
        self._nodes[node] = self._empty
        while node := node // 2:
            self._update(node)
        return self._order[leaf]

    def _update(self, node: int) -> None:
        one, other = self._nodes[2 * node], self._nodes[2 * node + 1]
        self._nodes[node] = (
            min(one[0], other[0]),
            max(one[1], other[1]),
            max(one[2], other[2]),
        )
