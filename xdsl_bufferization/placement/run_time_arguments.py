"""
Arenas of run-time size that functions get from their callers: one argument for each region.

    func.func private @layer(%x: memref<?x16xf32>, %arena: memref<?xi8>)    // 128 * %x.0 bytes

    %n = memref.dim %h, %c0             // in a caller: the size by what it gives for `%x`
    %size = arith.muli %n, %c128
    %a = memref.alloc(%size)            // a buffer of the caller, which it plans
    func.call @layer(%h, %a)

A region of height `h` and level `d`, as in `run_time_arenas.py`, takes `h * unit + d * alignment`
bytes, since no buffer in it ends later. That is a polynomial, so the caller can plan it, also in a
loop, which then allocates nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.interfaces.sizes import Expression, Symbol, size_like
from xdsl_bufferization.placement.arena_allocation import allocate_bytes
from xdsl_bufferization.placement.run_time_allocation import Places, place_at
from xdsl_bufferization.placement.run_time_arenas import Region, RunTimeArena
from xdsl_bufferization.sizes.computation import SizeComputation, is_never_negative
from xdsl_bufferization.sizes.size_analysis import Sizes
from xdsl_bufferization.support.call_graph import outermost_function
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.regions import block_of, index_of


@dataclass(frozen=True)
class RegionArgument:
    """A region of an arena whose size depends on arguments of its function only."""

    arena: RunTimeArena
    region: Region
    sizes: Callable[[], Sizes]
    """The sizes of the program once the buffers are placed, before any call is replaced."""

    @property
    def type(self) -> MemRefType[Attribute]:
        """Bytes."""
        return self.arena.type

    @property
    def alignment(self) -> int:
        """In bytes."""
        return self.arena.alignment

    def place(self, memory: SSAValue) -> None:
        """Place the buffers of the region in the memory."""
        at_start = InsertPoint.at_start(block_of(memory))
        builder = builder_for(self.arena.function, at_start)
        computation = SizeComputation(builder)
        places = Places(self.region, computation, computation.constant(0))
        for buffer, offset in places.offsets():
            place_at(buffer, memory, offset)

    def allocate(self, call: func.CallOp, builder: Builder) -> SSAValue:
        """Allocate the region for the call, of the size by what it gives as arguments."""
        region = self.region
        unit = region.unit.substituted(
            {s: _given(s, call) for s in region.unit.symbols}
        )
        computation = SizeComputation(builder)
        at_call = self.sizes().value(unit)
        if is_never_negative(at_call):
            value = computation.value(unit)
        else:
            value = _at_least_zero(unit, at_call, call, computation)
        size = computation.times(value, region.plan.height)
        size = computation.plus(size, region.level * self.alignment)
        return allocate_bytes(builder, self.type, self.alignment, [size])


def depends_on_arguments(arena: RunTimeArena) -> bool:
    """Whether the size depends on nothing but arguments of the function."""
    entry = arena.function.regions[0].first_block
    return arena.static is None and all(
        symbol.value.owner is entry
        for region in arena.regions
        for symbol in region.unit.symbols
    )


def _at_least_zero(
    unit: Expression, at_call: Expression, call: func.CallOp, before: SizeComputation
) -> SSAValue:
    """
    The unit, or 0 if it is negative; computed at the start of the caller if it depends on nothing
    but arguments, since the maximum is a symbol, which has to be known there for the caller's plan.
    """
    caller = outermost_function(call)
    entry = None if caller is None else caller.body.blocks.first
    if entry is None or any(s.value.owner is not entry for s in at_call.symbols):
        return before.at_least_zero(before.value(unit))
    at_start = SizeComputation(builder_for(call, InsertPoint.at_start(entry)))
    return at_start.at_least_zero(at_start.value(at_call))


def _given(symbol: Symbol, call: func.CallOp) -> Expression:
    """The size, or the integer, that the call gives for one of the callee's arguments."""
    size = size_like(symbol, call.operands[index_of(symbol.value)])
    assert size is not None
    return size
