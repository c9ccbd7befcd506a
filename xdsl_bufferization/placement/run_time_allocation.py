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

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType, i8, i64
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.memref.allocations import AllocOp
from xdsl_bufferization.placement.arena_allocation import (
    ARENA_NAME,
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
    block = arena.function.regions[0].first_block
    assert block is not None
    at = (
        InsertPoint.at_start(block)
        if arena.available is None
        else InsertPoint.after(arena.available)
    )
    layout = _Layout(arena, SizeComputation(builder_for(arena.function, at)))
    type = MemRefType(i8, [DYNAMIC_INDEX], memory_space=arena.memory_space)
    alignment = IntegerAttr(arena.alignment, i64)
    alloc = layout.computation.builder.insert(
        AllocOp((layout.size,), (), type, alignment)
    )
    alloc.memref.name_hint = ARENA_NAME
    if arena.static is not None:
        place(arena.static, alloc.memref)
    for buffer, offset in layout.offsets:
        _place(buffer, alloc.memref, offset)


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
        computation = self.computation
        unit = computation.value(region.unit)
        if not is_never_negative(region.unit):
            unit = computation.at_least_zero(unit)
        places: dict[tuple[int, int], SSAValue] = {}

        def place_of(coefficient: int, level: int) -> SSAValue:
            key = coefficient, level
            if key not in places:
                places[key] = computation.sum(
                    base, self._distance(region, unit, coefficient, level)
                )
            return places[key]

        for buffer, offset, level in zip(
            region.buffers, region.plan.offsets, region.levels, strict=True
        ):
            self.offsets.append((buffer, place_of(offset, level)))
        return place_of(region.plan.height, region.level)

    def _distance(
        self, region: Region, unit: SSAValue, coefficient: int, level: int
    ) -> SSAValue:
        """A distance from the start of the region, as in the docstring of `run_time_arenas.py`."""
        computation = self.computation
        distance = computation.times(unit, coefficient)
        if coefficient % region.alignment:
            distance = computation.rounded_up(distance, region.alignment)
        return computation.plus(distance, level * region.alignment)


def _place(buffer: StaticBuffer, memory: SSAValue, offset: SSAValue) -> None:
    alloc = buffer.op
    builder = builder_for(alloc, InsertPoint.before(alloc))
    view = contiguous_view(
        builder, memory, offset, alloc.dynamic_sizes, alloc.memref.type
    )
    replace_allocation(alloc, view)
