"""
The arenas of run-time size of a program: plans, reports, and the allocation of what is planned.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from xdsl.dialects import memref
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.buffers.call_effects import CallEffects
from xdsl_bufferization.placement.arenas import Arena, describe_buffers, symbol_of
from xdsl_bufferization.placement.memory_spaces import MemorySpaces, in_space
from xdsl_bufferization.placement.run_time_allocation import allocate_at_run_time
from xdsl_bufferization.placement.run_time_arenas import (
    Planner,
    Region,
    RunTimeArena,
    run_time_arenas,
)
from xdsl_bufferization.placement.run_time_arguments import (
    RegionArgument,
    depends_on_arguments,
)
from xdsl_bufferization.placement.run_time_buffers import (
    RunTimeBuffer,
    RunTimeBuffers,
    run_time_buffers,
)
from xdsl_bufferization.placement.static_buffers import UNKNOWN_SIZE, StaticBuffer
from xdsl_bufferization.sizes.computation import names_of
from xdsl_bufferization.sizes.size_analysis import Sizes
from xdsl_bufferization.support.diagnostics import print_remark

Left = Sequence[tuple[memref.AllocOp, str]]
"""Allocations that stay, each with the reason."""


@dataclass
class RunTimeMemory:
    """Plans arenas function by function, and allocates them when no more sizes are asked for."""

    alignment: int
    spaces: MemorySpaces
    max_size: int | None
    """The most bytes of an arena; nothing is planned then, as sizes are not known."""
    calls: CallEffects
    planner: Planner
    report: bool
    takes_static: Callable[[Operation], bool]
    """Whether a function's arena of static size may become a part of that of run-time size."""
    sizes: Callable[[], Sizes]
    """The sizes of the program as it is."""
    remarks: bool
    """Whether to print a remark about an arena that callers might allocate, but cannot."""
    _found: dict[Operation, RunTimeBuffers] = field(
        default_factory=dict[Operation, RunTimeBuffers]
    )
    _planned: dict[Operation, Sequence[RunTimeArena]] = field(
        default_factory=dict[Operation, "Sequence[RunTimeArena]"]
    )

    def bounded(
        self, function: Operation, *, every: bool
    ) -> tuple[Sequence[StaticBuffer], Left]:
        """
        The function's buffers that are planned as large as they may get: those that cannot be
        planned otherwise, if they are small, or `every` one with a bound. Returns the others of
        dynamic shape, too, each with the reason why it is in no arena of known size.
        """
        found = run_time_buffers(
            function, self.alignment, self.calls, self.sizes(), any_bound=every
        )
        self._found[function] = found
        others = [(buffer.part.op, UNKNOWN_SIZE) for buffer in found.placed]
        return found.bounded, [*found.left, *others]

    def plan(
        self, function: Operation, static: Sequence[Arena]
    ) -> tuple[Sequence[Arena], Left]:
        """
        Plan the function's buffers of run-time size. Returns the arenas of static size that do
        not become parts of others, and the allocations that stay.
        """
        found, left = self._unlimited(self._found.pop(function))
        together = self.takes_static(function)
        by_space = {arena.memory_space: arena for arena in static}
        arenas = [
            *run_time_arenas(
                function,
                found,
                by_space if together else {},
                self.planner,
                together=together,
            )
        ]
        self._planned[function] = arenas
        if self.report:
            for line in _described(arenas):
                print(line, file=sys.stderr)
        taken = {id(arena.static) for arena in arenas}
        return [arena for arena in static if id(arena) not in taken], left

    def allocate(
        self, function: Operation, *, by_callers: bool = False
    ) -> Sequence[RegionArgument]:
        """
        Allocate the arenas of the function in it. Returns those that its callers are to allocate
        instead, if they can.
        """
        passed: list[RegionArgument] = []
        sizes = cache(self.sizes)
        for arena in self._planned.pop(function, ()):
            if by_callers and depends_on_arguments(arena):
                passed += (RegionArgument(arena, r, sizes) for r in arena.regions)
                continue
            if by_callers and self.remarks:
                print_remark(
                    function,
                    "allocates an arena in each call: its size depends on more than arguments",
                )
            allocate_at_run_time(arena)
        return passed

    def _unlimited(self, found: RunTimeBuffers) -> tuple[RunTimeBuffers, Left]:
        """The buffers without those in spaces of limited size, or at an address."""
        left = [*found.left]
        placed: list[RunTimeBuffer] = []
        for buffer in found.placed:
            op = buffer.part.op
            if problem := self._problem(op.memref.type.memory_space):
                left.append((op, problem))
            else:
                placed.append(buffer)
        return found._replace(placed=placed), left

    def _problem(self, space: Attribute) -> str:
        if self.max_size is not None or self.spaces.size(space) is not None:
            return (
                "its size is known at run time only, and that of the arena is limited"
            )
        if self.spaces.start(space) is not None:
            return (
                "its size is known at run time only, and memory at an address is shared"
            )
        return ""


def _described(arenas: Sequence[RunTimeArena]) -> Iterator[str]:
    for arena in arenas:
        for region in arena.regions:
            yield _describe_region(arena, region)


def _describe_region(arena: RunTimeArena, region: Region) -> str:
    """A table of the region's buffers, as that of an arena, with coefficients of the unit."""
    count = "1 buffer" if len(region.buffers) == 1 else f"{len(region.buffers)} buffers"
    unit = names_of(region.unit)
    if len(region.unit.terms) > 1:
        unit = f"({unit})"
    extra = ""
    if region.level:
        extra = f" + {region.level * region.alignment:,} for alignment"
    return "\n".join(
        [
            f"{symbol_of(arena.function)}: {region.plan.height:,}*{unit}{extra} bytes"
            f"{in_space(arena.memory_space)} for {count}; "
            f"{region.plan.lower_bound:,}*{unit} bytes are needed at once",
            f"{'offset':>12}{'bytes':>12}  times {unit}; life, in numbers of ops",
            *describe_buffers(region.buffers, [f"{o:,}" for o in region.plan.offsets]),
        ]
    )
