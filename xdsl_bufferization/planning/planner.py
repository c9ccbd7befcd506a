"""
Plans static memory: greedily at first, then by searching for better plans.

The component that is highest so far is improved, a slice of work after the other: by
searches for a plan within a height that is not known to be impossible, and by filling
skylines again with preferences that were changed a little. All that is random comes from
fixed seeds.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from itertools import accumulate

from xdsl_bufferization.planning.best_fit import best_fit, pairs
from xdsl_bufferization.planning.component import Component, components
from xdsl_bufferization.planning.problem import (
    Buffer,
    Plan,
    check_buffers,
    height_of,
    lower_bound,
)
from xdsl_bufferization.planning.search import Outcome, Search, Work
from xdsl_bufferization.planning.skyline import fill_skyline
from xdsl_bufferization.support.progress import with_progress

EFFORT = 3_000_000
"""How much work is done to improve on greedy plans without a time limit: some seconds."""

_GREEDY_EFFORT = 4_000_000
"""Once greedy plans of a component took so much work, no more are made."""

_MOST_PAIRS = 500_000
"""Up to so many pairs of buffers that are alive at once, plain best fit is tried."""

_MOST_SEARCHED = 4000
"""Components of more buffers are not searched, which would take a step for each pair."""

_NOISE = 0.5
"""By what part preferences change from run to run."""

_FIRST_SEARCHES = (
    (0.0, 2000, True),
    (0.0, 2000, True),
    (0.0, 2000, True),
    (0.5, 500, True),
    (0.5, 500, True),
)
"""
Of the first searches, one for each preference: which height, from 0 for the lowest that is
not proven impossible to 1 for the best found; how many nodes; and whether it goes without
what earlier ones learned.
"""

_SEARCHES = ((0.0, False), (0.5, True), (0.0, False), (0.0, True))
"""Of the searches in turn after those: which height, and whether without."""


class Method(Enum):
    """How much is done for a small arena."""

    HEURISTIC = auto()
    """A good plan soon; the same on every machine."""
    EXACT = auto()
    """A plan that is proven optimal, or the best that is found within the time limit."""


def plan(
    buffers: Sequence[Buffer],
    *,
    method: Method = Method.HEURISTIC,
    time_limit: float = 60.0,
    target: int | None = None,
) -> Plan:
    """
    Offsets for buffers, in bytes, such that no two that are alive at the same time
    overlap, and the arena that holds them all is small.

    The heuristic does a bounded amount of work, at most about N log N for N buffers, and
    is never higher than plain best fit, unless more than 500,000 pairs of buffers of a
    component are alive at once. The exact method starts from greedy plans and goes on
    until no smaller arena is possible or `time_limit` seconds have passed. Both stop at
    the `target`, in bytes, if there is one: a height that is small enough. Components of
    more than 4000 buffers are planned greedily only.

    Raises `ValueError` for a buffer with a negative size, an alignment that is not
    positive, or a life that ends before it starts.
    """
    check_buffers(buffers)
    started = time.monotonic()
    if method is Method.EXACT:
        work = Work(None, started + time_limit)
    else:
        work = Work(EFFORT, None)
    states = [_State(component) for component in components(buffers)]
    goal = max(lower_bound(buffers), target or 0)
    for state in states:
        state.start(goal)
    for _ in with_progress(_improve(states, goal, work), None, "search for an arena"):
        pass
    offsets = [0] * len(buffers)
    bound = lower_bound(buffers)
    for state in states:
        bound = max(bound, state.possible)
        for member, offset in zip(state.component.members, state.offsets, strict=True):
            offsets[member] = offset
    return Plan(tuple(offsets), height_of(buffers, offsets), bound)


def _improve(states: Sequence[_State], goal: int, work: Work) -> Iterator[None]:
    """Improves the highest component, slice by slice, until it is low enough."""
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
    """What is known of the plans of a component, in bytes."""

    def __init__(self, component: Component):
        self.component = component
        self.offsets: list[int] = []
        """Of the best plan so far."""
        self.height = -1
        self.possible = component.bound
        """No plan has a smaller height."""
        self._preferences = _preferences(component)
        self._best = 0
        """Which of the preferences made the best greedy plan."""
        self._search: Search | None = None
        self._slices = 0
        self._searches = 0

    def start(self, goal: int) -> None:
        """Makes greedy plans until one reaches the goal."""
        component = self.component
        done = 0
        for index, preference in enumerate(self._preferences):
            if self._offer(fill_skyline(component, preference)):
                self._best = index
            done += self._filling()
            if self.height <= goal or done > _GREEDY_EFFORT:
                break
        if self.height > goal and pairs(component) <= _MOST_PAIRS:
            self._offer(best_fit(component))

    def is_finished(self) -> bool:
        """Whether nothing can be improved, or this knows no way to."""
        return self.height <= self.possible or (
            len(self.component.members) > _MOST_SEARCHED
        )

    def improve(self, work: Work) -> None:
        """Tries to find a better plan, or to prove that there is none, for a while."""
        number = self._slices
        self._slices += 1
        if number % 2 and number > 2 * len(self._preferences):
            preference = _shaken(self._preferences[self._best], number)
            self._offer(fill_skyline(self.component, preference))
            work.spend(self._filling())
            return
        self._look(work)

    def _look(self, work: Work) -> None:
        component = self.component
        if self._search is None:
            self._search = Search(component)
        number = self._searches
        self._searches += 1
        kinds = len(self._preferences)
        preference = self._preferences[number % kinds]
        if number < kinds:
            share, nodes, anew = _FIRST_SEARCHES[number]
        else:
            preference = _shaken(preference, number)
            turn, kind = divmod(number - kinds, len(_SEARCHES))
            share, anew = _SEARCHES[kind]
            nodes = 300 * _luby(turn + 1)
        grain = component.grain
        rest = self.height - grain - self.possible
        height = self.possible + int(rest * share) // grain * grain
        part = work.part(nodes * component.sections)
        given = part.left or 0
        outcome = self._search.run(height, preference, part, anew=anew)
        work.spend(given - (part.left or 0))
        if outcome is Outcome.FOUND:
            self._offer(self._search.offsets)
        elif outcome is Outcome.IMPOSSIBLE:
            self.possible = height + component.grain

    def _offer(self, offsets: Sequence[int]) -> bool:
        """Keeps a plan if it is better than the one before; returns whether it is."""
        height = height_of(self.component.buffers, offsets)
        if self.height >= 0 and height >= self.height:
            return False
        self.offsets, self.height = [*offsets], height
        return True

    def _filling(self) -> int:
        """How much work it is to fill a skyline."""
        count = len(self.component.members)
        return 8 * count * count.bit_length()


def _preferences(component: Component) -> list[list[float]]:
    """What buffers might come first for, the more the sooner."""
    buffers = component.buffers
    lives = [b.upper - b.lower for b in buffers]
    sizes = component.padded
    crowd = _crowd(component)
    return [
        [float(life) for life in lives],
        [float(size) for size in sizes],
        [float(size * life) for size, life in zip(sizes, lives, strict=True)],
        [
            float(end - first)
            for first, end in zip(component.first, component.end, strict=True)
        ],
        [float(c) for c in crowd],
    ]


def _crowd(component: Component) -> list[int]:
    """For each buffer, the most bytes that are alive at a time of its life."""
    live = [0] * (component.sections + 1)
    for first, end, size in zip(
        component.first, component.end, component.padded, strict=True
    ):
        live[first] += size
        live[end] -= size
    # Then the largest of 2**k sections from each on, for each k.
    levels = [[*accumulate(live)]]
    while (step := 1 << (len(levels) - 1)) < component.sections:
        below = levels[-1]
        levels.append([*map(max, below, below[step:] + below[-1:] * step)])
    most: list[int] = []
    for first, end in zip(component.first, component.end, strict=True):
        level = (end - first).bit_length() - 1
        most.append(max(levels[level][first], levels[level][end - (1 << level)]))
    return most


def _shaken(preference: Sequence[float], seed: int) -> list[float]:
    """A preference that differs a little, in a way that the seed decides."""
    generator = random.Random(seed)
    return [p * (1 + _NOISE * (generator.random() - 0.5)) for p in preference]


def _luby(number: int) -> int:
    """
    The terms 1, 1, 2, 1, 1, 2, 4, ... from number 1 on: how long to search before
    starting anew if nothing is known of how long it takes (Luby, Sinclair and Zuckerman,
    "Optimal Speedup of Las Vegas Algorithms", 1993).
    """
    while (number + 1) & number:
        number -= (1 << (number.bit_length() - 1)) - 1
    return (number + 1) // 2
