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
from dataclasses import replace
from math import lcm
from typing import TypeAlias

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
    plan = planner([buffer for buffer, _ in places])
    offsets = [0] * len(buffers)
    for (_, members), offset in zip(places, plan.offsets, strict=True):
        for number in members:
            offsets[number] = offset
    return replace(plan, offsets=offsets)


_Place: TypeAlias = tuple[Buffer, Sequence[int]]
"""The memory that buffers share which never exist at the same time, and these buffers."""


def _places(buffers: Sequence[ArenaBuffer]) -> Sequence[_Place]:
    """The places of the buffers with the least bound."""
    apart = [(buffer, [n]) for n, buffer in enumerate(buffers)]
    paths = {n: path for n, b in enumerate(buffers) if (path := path_of(b.op))}
    if not 1 < len(paths) <= MAX_IN_BRANCHES:
        return apart
    candidates: list[Sequence[_Place]] = [apart]
    for any_size in (False, True):
        found = _shared(apart, paths, any_size=any_size)
        if len(found) < len(candidates[-1]):
            candidates.append(found)
    if len(candidates) == 1:
        return apart
    return min(candidates, key=lambda places: lower_bound([b for b, _ in places]))


def _shared(
    apart: Sequence[_Place], paths: dict[int, Path], *, any_size: bool
) -> Sequence[_Place]:
    """Places that buffers of exclusive branches share if they are live at the same positions."""
    branches = ExclusiveBranches()
    found = [place for n, place in enumerate(apart) if n not in paths]
    first = len(found)
    for number in sorted(paths, key=lambda n: -apart[n][0].size):
        buffer, _ = apart[number]
        for index, (other, members) in enumerate(found[first:], first):
            if (
                (any_size or other.size == buffer.size)
                and other.lower < buffer.upper
                and buffer.lower < other.upper
                and all(branches.exclude(paths[number], paths[m]) for m in members)
            ):
                found[index] = _joined(other, buffer), [*members, number]
                break
        else:
            found.append(apart[number])
    return found


def _joined(a: Buffer, b: Buffer) -> Buffer:
    return Buffer(
        min(a.lower, b.lower),
        max(a.upper, b.upper),
        max(a.size, b.size),
        lcm(a.alignment, b.alignment),
    )
