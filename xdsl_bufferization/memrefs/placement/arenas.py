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

Units differ in size at run time, so buffers of several units are in a region each. Where a region
starts is the maximum of the ends of those below it that are live at the same time, so no two
overlap, whatever the sizes are. Which are below it is planned with `ASSUMED_EXTENT` for each size.
A unit that is negative counts as 0: its buffers are never allocated.

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

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import lcm
from typing import TypeAlias

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, i8
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.interfaces.sizes import Expression, Symbol
from xdsl_bufferization.memrefs.buffers.program_points import (
    ExclusiveBranches,
    Path,
    ProgramPoints,
    path_of,
)
from xdsl_bufferization.memrefs.calling_conventions.available_sizes import (
    AT_START,
    AvailableSizes,
    Start,
)
from xdsl_bufferization.memrefs.placement.arena_buffers import (
    ONE,
    ArenaBuffer,
    by_unit,
)
from xdsl_bufferization.planning import Buffer, Method, Plan, lower_bound, plan
from xdsl_bufferization.planning.problem import round_up

ARENA_ATTRIBUTE = "bufferize.arena"
"""On arguments that are arenas: their alignment, in bytes."""

ARENA_SIZE_ATTRIBUTE = "bufferize.arena_size"
"""
On arguments of public functions that are arenas of run-time size: the function that computes it, in
bytes, from the arguments that are no arenas.
"""

MAX_STACKED = 1000
"""
Buffers of a region for which levels are computed; in larger ones all offsets are aligned. If there
are more buffers of several units, those of each unit are in one region.
"""

ASSUMED_EXTENT = 32
"""The number for each size that is known at run time only, in the order of regions."""

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
    """The alignment of places, in bytes: a multiple of that of each buffer, unless static."""
    below: Sequence[Region] = ()
    """Regions that end where it starts, or before. All but the static one, which is below all."""

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


@dataclass(eq=False, frozen=True)
class Arena:
    """One piece of memory for buffers of a function."""

    function: Operation
    memory_space: Attribute
    regions: Sequence[Region]
    """The one of constant sizes first, all others after those below them."""
    start: Start = AT_START
    """Where its size is known."""
    derived: Mapping[Symbol, Sequence[Expression]] = field(
        default_factory=dict[Symbol, Sequence[Expression]]
    )
    """The operands of symbols that are computed by copies of their ops."""
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
    available: AvailableSizes,
    placed: Iterable[ArenaBuffer],
    planner: Planner,
    *,
    given: bool = False,
    apart: bool = False,
) -> Iterator[Arena]:
    """
    The arenas for the buffers, as few as possible for each memory space. If they are `given` by
    callers, those whose size depends on more than arguments are apart; with `apart`, those of each
    unit, too.
    """
    function, points = available.function, available.points
    by_space: dict[Attribute, list[ArenaBuffer]] = {}
    for buffer in placed:
        by_space.setdefault(buffer.op.memref.type.memory_space, []).append(buffer)
    for space, buffers in by_space.items():
        static = [buffer for buffer in buffers if buffer.unit == ONE]
        dynamic = [
            (available.start(buffer.unit), buffer)
            for buffer in buffers
            if buffer.unit != ONE
        ]
        for group, start in _by_start(dynamic, points, given=given):
            parts: Iterable[Sequence[ArenaBuffer]] = [group]
            if apart and start.op is None:
                parts = by_unit(group).values()
            elif not (given and (apart or start.op is not None)) and all(
                points.position(buffer.op) > start.position for buffer in static
            ):
                parts, static = [[*static, *group]], []
            for part in parts:
                regions = _regions(part, planner)
                yield Arena(function, space, regions, start, available.derived)
        if static:
            yield Arena(function, space, _regions(static, planner))


def _by_start(
    buffers: Iterable[tuple[Start, ArenaBuffer]],
    points: ProgramPoints,
    *,
    given: bool,
) -> Iterator[tuple[list[ArenaBuffer], Start]]:
    """
    The buffers by where their sizes are known; together as long as none is allocated before, those
    at the start of the function, which may be `given`, only if they are not.
    """
    group: list[ArenaBuffer] = []
    last = AT_START
    for start, buffer in sorted(buffers, key=lambda entry: entry[0].position):
        is_apart = given and last.op is None and start.op is not None
        if group and (
            is_apart or any(points.position(b.op) <= start.position for b in group)
        ):
            yield group, last
            group = []
        group.append(buffer)
        last = start
    if group:
        yield group, last


def _regions(buffers: Sequence[ArenaBuffer], planner: Planner) -> Sequence[Region]:
    """The regions of an arena, the static one first, all others after those below them."""
    alignment = lcm(*(buffer.alignment for buffer in buffers))
    units = by_unit(buffers)
    static = units.pop(ONE, None)
    found: list[Region] = []
    if static is not None:
        found.append(Region(ONE, static, plan_together(static, planner)))
    parts = [*units.values()]
    if len(parts) > 1 and sum(map(len, parts)) <= MAX_STACKED:
        parts = [[buffer] for part in parts for buffer in part]
    dynamic = [_region(part, alignment, planner) for part in parts]
    return [*found, *_stacked(dynamic, planner)]


def _stacked(regions: Sequence[Region], planner: Planner) -> Iterator[Region]:
    """The regions in an order in which each is after those below it."""
    assumed: list[ArenaBuffer] = []
    for region in regions:
        height = region.plan.height * max(region.unit.at(ASSUMED_EXTENT), 1)
        assumed.append(
            replace(
                region.buffers[0],
                lower=min(buffer.lower for buffer in region.buffers),
                upper=max(buffer.upper for buffer in region.buffers),
                size=round_up(height, region.alignment),
                alignment=region.alignment,
            )
        )
    # Buffers of one region may be in several branches.
    apart = any(len(region.buffers) > 1 for region in regions)
    plan = planner(assumed) if apart else plan_together(assumed, planner)
    found: dict[int, Region] = {}
    for number, below in stack(assumed, plan.offsets):
        found[number] = replace(regions[number], below=[found[n] for n in below])
    yield from found.values()


def stack(
    buffers: Sequence[Buffer], offsets: Sequence[int]
) -> Iterator[tuple[int, Sequence[int]]]:
    """
    The buffers at these offsets from below, each with those below it that are live at the same
    time, without those that are below others of these. Takes quadratic time.
    """
    placed: list[tuple[int, int]] = []
    """Buffers, each with a bit for each of them, in this order, that is below it."""
    for number in sorted(range(len(buffers)), key=lambda n: (offsets[n], n)):
        buffer = buffers[number]
        below: list[int] = []
        covered = 0
        for index, (n, under) in reversed([*enumerate(placed)]):
            other = buffers[n]
            if (
                not covered >> index & 1
                and other.lower < buffer.upper
                and buffer.lower < other.upper
                and offsets[n] + other.size <= offsets[number]
            ):
                below.append(n)
                covered |= under | 1 << index
        placed.append((number, covered))
        yield number, below


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
    """The levels of buffers with these coefficients of their offsets."""
    levels = [0] * len(buffers)
    if not any(offset % alignment for offset in offsets):
        return levels
    for number, below in stack(buffers, offsets):
        levels[number] = max(
            (levels[n] + (offsets[n] % alignment > 0) for n in below), default=0
        )
    return levels


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
