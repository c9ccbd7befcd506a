"""
Buffers of branches that exclude each other share memory, also after the branches.

    %r = scf.if %c { %a = memref.alloc() ... scf.yield %a }
         else { %b = memref.alloc() ... scf.yield %b }
    "use"(%r)                              // %a or %b: both are live here, but one exists

The planner sees one buffer in their place: of the size of the larger one, and live while either is.
That is more memory for some positions if sizes differ, so the bound decides: what is planned has
the least live maximum, of all buffers apart, those of equal size together, and those of any size.

Memory of an earlier execution of a branch is dead in the next one, as `arena_buffers.py` takes no
other buffers. Takes time quadratic in the buffers in branches, `MAX_IN_BRANCHES` at most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import lcm

from xdsl_bufferization.buffers.exclusive_branches import (
    ExclusiveBranches,
    Path,
    path_of,
)
from xdsl_bufferization.placement.arena_buffers import ArenaBuffer
from xdsl_bufferization.planning import Buffer, Plan, lower_bound

MAX_IN_BRANCHES = 500
"""The most buffers in branches; if there are more, each has memory of its own."""


def plan_together(
    buffers: Sequence[ArenaBuffer], planner: Callable[[Sequence[Buffer]], Plan]
) -> Plan:
    """
    A plan for the buffers in which those of branches that exclude each other may overlap.
    """
    places = _places(buffers)
    plan = planner([place.buffer for place in places])
    offsets = [0] * len(buffers)
    for place, offset in zip(places, plan.offsets, strict=True):
        for number in place.members:
            offsets[number] = offset
    return replace(plan, offsets=offsets)


@dataclass(slots=True)
class _Place:
    """The memory that buffers share which never exist at the same time."""

    buffer: Buffer
    members: list[int]

    def overlaps(self, buffer: Buffer) -> bool:
        return self.buffer.lower < buffer.upper and buffer.lower < self.buffer.upper

    def add(self, number: int, buffer: Buffer) -> None:
        own = self.buffer
        self.buffer = Buffer(
            min(own.lower, buffer.lower),
            max(own.upper, buffer.upper),
            max(own.size, buffer.size),
            lcm(own.alignment, buffer.alignment),
        )
        self.members.append(number)


def _places(buffers: Sequence[ArenaBuffer]) -> Sequence[_Place]:
    """The places of the buffers with the least bound."""
    apart = [_Place(buffer, [number]) for number, buffer in enumerate(buffers)]
    paths = {n: path for n, b in enumerate(buffers) if (path := path_of(b.op))}
    if not 1 < len(paths) <= MAX_IN_BRANCHES:
        return apart
    candidates = [apart]
    for any_size in (False, True):
        found = _shared(buffers, paths, any_size=any_size)
        if len(found) < len(candidates[-1]):
            candidates.append(found)
    if len(candidates) == 1:
        return apart
    return min(candidates, key=lambda places: lower_bound([p.buffer for p in places]))


def _shared(
    buffers: Sequence[Buffer], paths: dict[int, Path], *, any_size: bool
) -> list[_Place]:
    """Places that buffers of exclusive branches share if they are live at the same positions."""
    branches = ExclusiveBranches()
    places = [_Place(b, [n]) for n, b in enumerate(buffers) if n not in paths]
    in_branches: list[_Place] = []
    for number in sorted(paths, key=lambda n: -buffers[n].size):
        buffer = buffers[number]
        for place in in_branches:
            if (
                (any_size or place.buffer.size == buffer.size)
                and place.overlaps(buffer)
                and all(
                    branches.exclude(paths[number], paths[m]) for m in place.members
                )
            ):
                place.add(number, buffer)
                break
        else:
            in_branches.append(_Place(buffer, [number]))
    return places + in_branches
