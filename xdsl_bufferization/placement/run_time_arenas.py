"""
Arenas whose size is known at run time: regions for buffers of one unit each.

Buffers of sizes `c * N`, with one unit `N`, are planned by their coefficients `c`: offsets are
`k * N`, and the arena is as close to the live maximum as one of static size, for every `N`.

Alignment holds for every `N`. Let `A` be the alignment of the region. The buffer with the
coefficient `k` of its offset is at `A * ceil(k * N / A) + A * d`, where its *level* `d` counts
unaligned offsets in the stack below it. Let `u = 1` if `A` does not divide `k`, and 0 otherwise. If
`(k', c')` is live at the same time and below, so `k' + c' <= k`, its level satisfies
`d >= d' + u'`, and it ends at

    A * ceil(k' * N / A) + A * d' + c' * N  <=  (k' + c') * N + A * (d' + u')  <=  k * N + A * d.

So no two buffers overlap, and each rounding costs less than `A` bytes once, not for each `N`.
If `A` divides all coefficients, nothing is lost.

Units differ in size at run time, so regions of two units are in two places if they are live at the
same time. Where a region starts is the maximum of the ends of those before it that are live
together with it. Therefore buffers of one unit that are not live in one stretch are in several
regions. A unit that is negative counts as 0: its buffers are never allocated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import lcm
from typing import Protocol

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, i8
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.interfaces.sizes import Expression
from xdsl_bufferization.placement.arenas import Arena
from xdsl_bufferization.placement.exclusive_buffers import plan_together
from xdsl_bufferization.placement.run_time_buffers import (
    RunTimeBuffer,
    RunTimeBuffers,
    as_planned,
)
from xdsl_bufferization.placement.static_buffers import StaticBuffer
from xdsl_bufferization.planning import Buffer, Plan

MAX_STACKED = 500
"""Buffers of a region for which levels are computed; in larger ones all offsets are aligned."""

MAX_REGIONS = 32
"""Regions of an arena that may share memory; if there are more, each unit has one region."""

Planner = Callable[[Sequence[Buffer]], Plan]


@dataclass(eq=False, frozen=True)
class Region:
    """Buffers of one unit, with the coefficients of their offsets."""

    unit: Expression
    buffers: Sequence[StaticBuffer]
    plan: Plan
    alignment: int
    """In bytes, that of the arena: a multiple of that of each buffer."""
    levels: Sequence[int]
    """By buffer, how often the alignment is added to its offset."""

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


@dataclass(eq=False, frozen=True)
class RunTimeArena:
    """One allocation for an arena of static size, if there is one, and for regions."""

    function: Operation
    memory_space: Attribute
    static: Arena | None
    regions: Sequence[Region]
    """Those that are live for longest come first, after the static arena."""
    below: Sequence[Sequence[int]]
    """By region, those before it that are live together with it."""
    available: Operation | None
    """The op of the function's first block after which the arena is allocated, if not first."""

    @property
    def type(self) -> MemRefType[Attribute]:
        """The memref type of the arena: bytes."""
        return MemRefType(i8, [DYNAMIC_INDEX], memory_space=self.memory_space)

    @property
    def alignment(self) -> int:
        """The alignment of the arena, in bytes."""
        return self.regions[0].alignment


def run_time_arenas(
    function: Operation,
    found: RunTimeBuffers,
    static: Mapping[Attribute, Arena],
    planner: Planner,
    *,
    together: bool,
) -> Iterator[RunTimeArena]:
    """
    The arenas for the buffers, as few as possible; those of static size, by memory space, become
    parts of them where they can. Those whose size depends on arguments only are apart from others
    unless all are to be `together`.
    """
    by_space: dict[Attribute, list[RunTimeBuffer]] = {}
    for buffer in found.placed:
        space = buffer.part.op.memref.type.memory_space
        by_space.setdefault(space, []).append(buffer)
    for space, buffers in by_space.items():
        arena = static.get(space)
        for group in _by_start(buffers, found, together=together):
            available = max(
                (b.available for b in group if b.available is not None),
                key=found.points.position,
                default=None,
            )
            if arena is not None and _can_wait(arena, available, found):
                own, arena = arena, None
            else:
                own = None
            alignment = lcm(
                1 if own is None else lcm(*(b.alignment for b in own.buffers)),
                *(b.part.alignment for b in group),
            )
            regions = [*_regions(group, alignment, planner)]
            yield RunTimeArena(
                function, space, own, regions, _overlaps(regions), available
            )


def _by_start(
    buffers: Sequence[RunTimeBuffer], found: RunTimeBuffers, *, together: bool
) -> Iterator[Sequence[RunTimeBuffer]]:
    """
    The buffers by where they can be allocated; together as long as none is allocated before, those
    at the start of the function only if they are to be `together` with others.
    """

    def start(buffer: RunTimeBuffer) -> float:
        op = buffer.available
        return -1 if op is None else found.points.end(op)

    group: list[RunTimeBuffer] = []
    for buffer in sorted(buffers, key=start):
        is_apart = bool(group) and not together and start(group[0]) < 0 <= start(buffer)
        if is_apart or any(other.position <= start(buffer) for other in group):
            yield group
            group = []
        group.append(buffer)
    if group:
        yield group


def _can_wait(arena: Arena, available: Operation | None, found: RunTimeBuffers) -> bool:
    """Whether all buffers of the arena are allocated after the op, none in its regions."""
    return available is None or all(
        found.points.position(buffer.op) > found.points.end(available)
        for buffer in arena.buffers
    )


def _regions(
    buffers: Sequence[RunTimeBuffer], alignment: int, planner: Planner
) -> Iterator[Region]:
    """The regions of an arena, those first that are live for longest."""
    by_unit: dict[Expression, list[StaticBuffer]] = {}
    for buffer in buffers:
        by_unit.setdefault(buffer.unit, []).append(buffer.part)
    stretches = [(u, s) for u, parts in by_unit.items() for s in _stretches(parts)]
    if len(stretches) > MAX_REGIONS:
        stretches = [*by_unit.items()]
    regions = [
        _region(unit, stretch, alignment, planner) for unit, stretch in stretches
    ]
    yield from sorted(regions, key=lambda region: region.lower - region.upper)


def _stretches(buffers: Iterable[StaticBuffer]) -> Iterator[list[StaticBuffer]]:
    """The buffers by stretches of time in which some of them are live."""
    stretch: list[StaticBuffer] = []
    end = 0
    for buffer in sorted(buffers, key=lambda b: (b.lower, b.upper)):
        if stretch and buffer.lower >= end:
            yield stretch
            stretch = []
        end = max(end, buffer.upper) if stretch else buffer.upper
        stretch.append(buffer)
    if stretch:
        yield stretch


def _region(
    unit: Expression, buffers: Sequence[StaticBuffer], alignment: int, planner: Planner
) -> Region:
    planned_alignment = 1 if len(buffers) <= MAX_STACKED else alignment
    plan = plan_together(
        buffers, [as_planned(b, planned_alignment) for b in buffers], planner
    )
    levels = levels_of(buffers, plan.offsets, alignment)
    return Region(unit, buffers, plan, alignment, levels)


class LiveBuffer(Protocol):
    """A buffer with its coefficient and its live range."""

    @property
    def lower(self) -> int: ...

    @property
    def upper(self) -> int: ...

    @property
    def size(self) -> int: ...


def levels_of(
    buffers: Sequence[LiveBuffer], offsets: Sequence[int], alignment: int
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


def _overlaps(regions: Sequence[Region]) -> Sequence[Sequence[int]]:
    """By region, the regions before it that are live at the same time."""
    return [
        [
            number
            for number, other in enumerate(regions[:index])
            if other.lower < region.upper and region.lower < other.upper
        ]
        for index, region in enumerate(regions)
    ]
