"""
Allocates arenas of run-time size. Their sizes and all offsets are computed once, before them:

    %unit = memref.dim %x, %c0               // a batch, for example
    %b = arith.muli %unit, %c1024            // offsets and sizes: coefficients times units
    %size = arith.muli %unit, %c4096
    %arena = memref.alloc(%size) : memref<?xi8>
    ...
    %m = memref.view %arena[%b][%unit] : memref<?xi8> to memref<?x256xf32>

A view is where the allocation was, so that its sizes are the operands that the allocation had.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from xdsl.dialects import arith
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.placement.arena_allocation import (
    allocate_bytes,
    contiguous_view,
    place,
    replace_allocation,
)
from xdsl_bufferization.placement.run_time_arenas import Region, RunTimeArena
from xdsl_bufferization.placement.static_buffers import StaticBuffer
from xdsl_bufferization.planning.problem import round_up
from xdsl_bufferization.sizes.computation import SizeComputation, is_never_negative
from xdsl_bufferization.support.locations import builder_for


def allocate_at_run_time(arena: RunTimeArena) -> None:
    """Allocate the arena, and the buffers in it."""
    block = arena.function.regions[0].blocks[0]
    at = (
        InsertPoint.at_start(block)
        if arena.available is None
        else InsertPoint.after(arena.available)
    )
    layout = _Layout(arena, SizeComputation(builder_for(arena.function, at)))
    memory = allocate_bytes(
        layout.computation.builder, arena.type, arena.alignment, [layout.size]
    )
    if arena.static is not None:
        place(arena.static, memory)
    for buffer, offset in layout.offsets:
        place_at(buffer, memory, offset)


class _Layout:
    """Computes where the regions of an arena begin and end, and the buffers in them."""

    def __init__(self, arena: RunTimeArena, computation: SizeComputation):
        self.computation = computation
        self.offsets: list[tuple[StaticBuffer, SSAValue]] = []
        """The buffers, each with its offset in the arena."""
        static = 0 if arena.static is None else arena.static.plan.height
        self._after_static = computation.constant(round_up(static, arena.alignment))
        ends: list[SSAValue] = []
        for region, below in zip(arena.regions, arena.below, strict=True):
            base = self._after([ends[number] for number in below])
            ends.append(self._end(region, base))
        self.size = self._after(ends)
        """The size of the arena in bytes."""

    def _after(self, ends: Sequence[SSAValue]) -> SSAValue:
        """The first byte after all of these, and after what is of static size."""
        first = ends[0] if ends else self._after_static
        for end in ends[1:]:
            maximum = arith.MaxSIOp(first, end)
            first = self.computation.builder.insert(maximum).result
        return first

    def _end(self, region: Region, base: SSAValue) -> SSAValue:
        """Where the region ends that begins there; adds the offsets of its buffers."""
        places = Places(region, self.computation, base)
        self.offsets += places.offsets()
        return places.of(region.plan.height, region.level)


class Places:
    """Computes places in a region that begins at `base`, as `run_time_arenas.py` defines them."""

    def __init__(self, region: Region, computation: SizeComputation, base: SSAValue):
        self._region = region
        self._computation = computation
        self._base = base
        self._computed: dict[tuple[int, int], SSAValue] = {}

    def offsets(self) -> Sequence[tuple[StaticBuffer, SSAValue]]:
        """The buffers of the region, each with its offset."""
        region = self._region
        return [
            (buffer, self.of(offset, level))
            for buffer, offset, level in zip(
                region.buffers, region.plan.offsets, region.levels, strict=True
            )
        ]

    def of(self, coefficient: int, level: int) -> SSAValue:
        """The place with this coefficient and level."""
        key = coefficient, level
        if key not in self._computed:
            computation, alignment = self._computation, self._region.alignment
            unit = self._unit if coefficient else computation.constant(0)
            distance = computation.times(unit, coefficient)
            if coefficient % alignment:
                distance = computation.rounded_up(distance, alignment)
            distance = computation.plus(distance, level * alignment)
            self._computed[key] = computation.sum(self._base, distance)
        return self._computed[key]

    @cached_property
    def _unit(self) -> SSAValue:
        unit = self._computation.value(self._region.unit)
        if is_never_negative(self._region.unit):
            return unit
        return self._computation.at_least_zero(unit)


def place_at(buffer: StaticBuffer, memory: SSAValue, offset: SSAValue) -> None:
    """Replace the allocation of the buffer by a view of the memory from the offset on."""
    alloc = buffer.op
    builder = builder_for(alloc, InsertPoint.before(alloc))
    view = contiguous_view(
        builder, memory, offset, alloc.dynamic_sizes, alloc.memref.type
    )
    replace_allocation(alloc, view)
