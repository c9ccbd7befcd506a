"""
Arenas: one piece of memory for many buffers of a function, in regions for buffers of one unit each.

Buffers of sizes `c * N`, with one unit `N`, are planned by their coefficients `c`: offsets are
`k * N`, and the region is as close to the live maximum as one of static size, for every `N`. That
of constant sizes, whose unit is 1, comes first.

Alignment holds for every `N`. Let `A` be the alignment of the region. The buffer with the
coefficient `k` of its offset is at `A * ceil(k * N / A) + A * d`, where its *level* `d` counts
unaligned offsets in the stack below it. Let `u = 1` if `A` does not divide `k`, and 0 otherwise. If
`(k', c')` is live at the same time and below, so `k' + c' <= k`, its level satisfies
`d >= d' + u'`, and it ends at

    A * ceil(k' * N / A) + A * d' + c' * N  <=  (k' + c') * N + A * (d' + u')  <=  k * N + A * d.

So no two buffers overlap, and each rounding costs less than `A` bytes once, not for each `N`.
If `A` divides all coefficients, nothing is lost. With the unit 1, `A` is 1, as the offsets are
planned with the alignments.

Units differ in size at run time, so regions of two units are in two places if they are live at the
same time. Where a region starts is the maximum of the ends of those before it that are live
together with it. Therefore buffers of one unit that are not live in one stretch are in several
regions. A unit that is negative counts as 0: its buffers are never allocated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import lcm

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, i8
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.buffers.program_points import ProgramPoints
from xdsl_bufferization.interfaces.sizes import Expression
from xdsl_bufferization.placement.arena_buffers import (
    ONE,
    ArenaBuffer,
    ArenaBuffers,
    by_unit,
)
from xdsl_bufferization.placement.exclusive_buffers import plan_together
from xdsl_bufferization.planning import Buffer, Method, Plan, lower_bound, plan

ARENA_ATTRIBUTE = "bufferize.arena"
"""On arguments that are arenas: their alignment, in bytes."""

MAX_STACKED = 500
"""Buffers of a region for which levels are computed; in larger ones all offsets are aligned."""

MAX_REGIONS = 32
"""Regions of an arena that may share memory; if there are more, each unit has one region."""

_SMALL_ENOUGH = 500
"""The heuristic accepts an arena that exceeds the lower bound by one part in this many."""

Planner = Callable[[Sequence[Buffer]], Plan]


@dataclass(eq=False, frozen=True)
class Region:
    """Buffers of one unit, with the coefficients of their offsets."""

    unit: Expression
    buffers: Sequence[ArenaBuffer]
    plan: Plan
    alignment: int = 1
    """Of the places, in bytes: a multiple of that of each buffer, unless all are constants."""

    @property
    def is_static(self) -> bool:
        """Whether sizes and offsets are constants."""
        return self.unit == ONE

    @cached_property
    def levels(self) -> Sequence[int]:
        """By buffer, how often the alignment is added to its offset."""
        return levels_of(self.buffers, self.plan.offsets, self.alignment)

    @property
    def level(self) -> int:
        """How often the alignment is added to the size of the region."""
        return max(
            level + (offset % self.alignment > 0)
            for level, offset in zip(self.levels, self.plan.offsets, strict=True)
        )

    @property
    def lower(self) -> int:
        """The first position at which one of the buffers is live."""
        return min(buffer.lower for buffer in self.buffers)

    @property
    def upper(self) -> int:
        """The first position at which none is live any more."""
        return max(buffer.upper for buffer in self.buffers)

    def overlaps(self, other: Region) -> bool:
        """Whether both are live at a time."""
        return other.lower < self.upper and self.lower < other.upper


@dataclass(eq=False, frozen=True)
class Arena:
    """One piece of memory for buffers of a function."""

    function: Operation
    memory_space: Attribute
    regions: Sequence[Region]
    """The one of constant sizes first, the others by how long they are live."""
    available: Operation | None = None
    """The op of the function's first block after which the arena is allocated, if not first."""
    base: int = 0
    """Its first byte, as an offset in the memory that it is a part of."""

    @property
    def is_static(self) -> bool:
        """Whether its size is a constant."""
        return self.regions[-1].is_static

    @property
    def plan(self) -> Plan:
        """The plan of the first region."""
        return self.regions[0].plan

    @property
    def end(self) -> int:
        """The first byte after a static arena, as an offset in the memory that it is a part of."""
        return self.base + self.plan.height

    @property
    def type(self) -> MemRefType[Attribute]:
        """The memref type of the arena: bytes."""
        size = self.plan.height if self.is_static else DYNAMIC_INDEX
        return MemRefType(i8, [size], memory_space=self.memory_space)

    @property
    def alignment(self) -> int:
        """The alignment of the arena itself, in bytes."""
        return lcm(
            *(region.alignment for region in self.regions),
            *(b.alignment for region in self.regions for b in region.buffers),
        )


def plan_arenas(
    function: Operation, found: ArenaBuffers, planner: Planner, *, together: bool = True
) -> Iterator[Arena]:
    """
    The arenas for the buffers, as few as possible for each memory space. Those of constant size,
    and those whose size depends on arguments only, are apart from others unless all are to be
    `together`.
    """
    by_space: dict[Attribute, list[ArenaBuffer]] = {}
    for buffer in found.placed:
        by_space.setdefault(buffer.op.memref.type.memory_space, []).append(buffer)
    for space, buffers in by_space.items():
        static = [buffer for buffer in buffers if buffer.unit == ONE]
        dynamic = [buffer for buffer in buffers if buffer.unit != ONE]
        for group, start in _by_start(dynamic, found.points, together=together):
            end = _end(start, found.points)
            if together and all(found.points.position(b.op) > end for b in static):
                group, static = [*static, *group], []
            yield Arena(function, space, _regions(group, planner), start)
        if static:
            yield Arena(function, space, _regions(static, planner))


def _by_start(
    buffers: Sequence[ArenaBuffer], points: ProgramPoints, *, together: bool
) -> Iterator[tuple[list[ArenaBuffer], Operation | None]]:
    """
    The buffers by the op after which they can be allocated, `None` for the start of the function;
    together as long as none is allocated before, those at the start of the function only if they
    are to be `together` with others.
    """
    starts = {buffer: _start(buffer.unit, points) for buffer in buffers}
    group: list[ArenaBuffer] = []
    last: Operation | None = None
    for buffer in sorted(buffers, key=lambda b: _end(starts[b], points)):
        start = starts[buffer]
        end = _end(start, points)
        is_apart = not together and last is None and start is not None
        if group and (is_apart or any(points.position(b.op) <= end for b in group)):
            yield group, last
            group = []
        group.append(buffer)
        last = start
    if group:
        yield group, last


def _start(unit: Expression, points: ProgramPoints) -> Operation | None:
    """The last op that defines a symbol of the unit; `None` if all are arguments."""
    owners = (symbol.value.owner for symbol in unit.symbols)
    ops = [owner for owner in owners if isinstance(owner, Operation)]
    return max(ops, key=points.position, default=None)


def _end(start: Operation | None, points: ProgramPoints) -> int:
    """The position after which the arena that starts there is allocated."""
    return -1 if start is None else points.end(start)


def _regions(buffers: Sequence[ArenaBuffer], planner: Planner) -> Sequence[Region]:
    """The regions of an arena, the static one first, then those that are live for longest."""
    alignment = lcm(*(buffer.alignment for buffer in buffers))
    units = by_unit(buffers)
    static = units.pop(ONE, None)
    parts = [part for group in units.values() for part in _stretches(group)]
    if len(parts) > MAX_REGIONS:
        parts = [*units.values()]
    dynamic = [_region(part, alignment, planner) for part in parts]
    dynamic.sort(key=lambda region: region.lower - region.upper)
    if static is None:
        return dynamic
    return [Region(ONE, static, plan_together(static, planner)), *dynamic]


def _stretches(buffers: Iterable[ArenaBuffer]) -> Iterator[list[ArenaBuffer]]:
    """The buffers by stretches of time in which some of them are live."""
    stretch: list[ArenaBuffer] = []
    end = 0
    for buffer in sorted(buffers, key=lambda b: (b.lower, b.upper)):
        if stretch and buffer.lower >= end:
            yield stretch
            stretch = []
        end = max(end, buffer.upper) if stretch else buffer.upper
        stretch.append(buffer)
    if stretch:
        yield stretch


def _region(buffers: Sequence[ArenaBuffer], alignment: int, planner: Planner) -> Region:
    planned = 1 if len(buffers) <= MAX_STACKED else alignment
    parts = [replace(buffer, alignment=planned) for buffer in buffers]
    plan = plan_together(parts, planner)
    return Region(buffers[0].unit, buffers, plan, alignment)


def plan_buffers(
    buffers: Sequence[Buffer],
    method: Method = Method.HEURISTIC,
    time_limit: float = 60,
) -> Plan:
    """A plan for the buffers that is small enough."""
    bound = lower_bound(buffers)
    # The last few bytes take as long to save as all others together.
    enough = bound + bound // _SMALL_ENOUGH if method is Method.HEURISTIC else bound
    return plan(buffers, method=method, time_limit=time_limit, target=enough)


def levels_of(
    buffers: Sequence[Buffer], offsets: Sequence[int], alignment: int
) -> Sequence[int]:
    """
    The levels of buffers with these coefficients of their offsets. Takes quadratic time, but only
    if an offset is not aligned.
    """
    levels = [0] * len(buffers)
    if not any(offset % alignment for offset in offsets):
        return levels
    placed: list[int] = []
    for number in sorted(range(len(buffers)), key=lambda n: (offsets[n], n)):
        buffer = buffers[number]
        levels[number] = max(
            (
                levels[other] + (offsets[other] % alignment > 0)
                for other in placed
                if buffers[other].lower < buffer.upper
                and buffer.lower < buffers[other].upper
                and offsets[other] + buffers[other].size <= offsets[number]
            ),
            default=0,
        )
        placed.append(number)
    return levels
