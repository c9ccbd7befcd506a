"""
Arenas in the program: an allocation of bytes, or an argument, and a view for each buffer.

Sizes and offsets that are known at run time only are computed once, before the arena:

    %unit = memref.dim %x, %c0               // a batch, for example
    %b = arith.muli %unit, %c1024            // offsets and sizes: coefficients times units
    %size = arith.muli %unit, %c4096
    %arena = memref.alloc(%size) : memref<?xi8>
    ...
    %m = memref.view %arena[%b][%unit] : memref<?xi8> to memref<?x256xf32>

A view is where the allocation was, so that its sizes are the operands that the allocation had.

Functions get arenas from their callers in an argument for each region whose size depends on nothing
but their arguments:

    func.func private @layer(%x: memref<?x16xf32>, %arena: memref<?xi8>)    // 128 * %x.0 bytes

    %n = memref.dim %h, %c0             // in a caller: the size by what it gives for `%x`
    %size = arith.muli %n, %c128
    %a = memref.alloc(%size)            // a buffer of the caller, which it plans
    func.call @layer(%h, %a)

A region of height `h` and level `d`, as in `arenas.py`, takes `h * unit + d * alignment` bytes,
since no buffer in it ends later. That is a polynomial, so the caller can plan it, also in a loop,
which then allocates nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import TypeAlias

from xdsl.builder import Builder
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    DictionaryAttr,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.calling_conventions.signatures import (
    add_arguments,
    rebuild_call,
    replace_call,
)
from xdsl_bufferization.dialects.memref.allocations import AllocOp
from xdsl_bufferization.interfaces.dialect_attributes import MANUAL_DEALLOCATION
from xdsl_bufferization.interfaces.memory_layout import flat_type_of
from xdsl_bufferization.interfaces.sizes import Expression, Symbol, size_like
from xdsl_bufferization.placement.arena_buffers import ArenaBuffer
from xdsl_bufferization.placement.arena_planner import ArenaPlanner
from xdsl_bufferization.placement.arenas import ARENA_ATTRIBUTE, Arena, Region
from xdsl_bufferization.placement.memory_spaces import space_name
from xdsl_bufferization.placement.refusals import refuse_allocated
from xdsl_bufferization.sizes.computation import (
    Number,
    SizeComputation,
    is_never_negative,
)
from xdsl_bufferization.sizes.size_analysis import Sizes
from xdsl_bufferization.support.call_graph import (
    CallGraph,
    is_private,
)
from xdsl_bufferization.support.diagnostics import print_remark
from xdsl_bufferization.support.flat_memory import view_of_flat_memory
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.memref_types import has_identity_layout
from xdsl_bufferization.support.regions import block_of, defining_op, index_of

ARENA_NAME = "arena"
"""The name of memrefs that are arenas."""

ADDRESS_ATTRIBUTE = "bufferize.address"
"""On allocations: the address of the first byte."""

OFFSET_ATTRIBUTE = "bufferize.offset"
"""On allocations: the first byte, counted from the start of the memory space."""

ENDS_ATTRIBUTE = "bufferize.static_memory"
"""
On functions: by memory space, how many bytes from its start the function and those that it
calls use.
"""


def allocate_in_function(arena: Arena, start: int | None = None) -> None:
    """
    Allocate the arena in its function, as early as its size is known, and the buffers in it. It
    has its address as an attribute if the address of the start of the memory space is given.
    """
    if arena.start.op is None:
        point = InsertPoint.at_start(arena.function.regions[0].blocks[0])
    else:
        point = InsertPoint.after(arena.start.op)
    memory = _allocate_and_place(arena, builder_for(arena.function, point))
    if start is not None:
        _set_number(defining_op(memory), ADDRESS_ATTRIBUTE, start + arena.base)


def allocate_before(arena: Arena, op: Operation) -> None:
    """Allocate the arena before the op, which dominates the buffers in it, and these in it."""
    _allocate_and_place(arena, builder_for(op, InsertPoint.before(op)))


def place_by_attributes(arena: Arena, start: int | None = None) -> None:
    """
    Give the allocations attributes with their offsets in the memory space, or with their
    addresses if that of its start is given. They are not to be freed.
    """
    (region,) = arena.regions
    for buffer, offset in zip(region.buffers, region.plan.offsets, strict=True):
        place = arena.base + offset
        if start is None:
            _set_number(buffer.op, OFFSET_ATTRIBUTE, place)
        else:
            _set_number(buffer.op, ADDRESS_ATTRIBUTE, start + place)
        buffer.op.attributes[MANUAL_DEALLOCATION] = UnitAttr()


def note_ends(function: Operation, ends: Mapping[Attribute, int]) -> None:
    """Give the function an attribute with the ends of what it uses, by memory space."""
    if ends:
        function.attributes[ENDS_ATTRIBUTE] = DictionaryAttr(
            {space_name(space): IntegerAttr(end, i64) for space, end in ends.items()}
        )


def _set_number(op: Operation, attribute: str, number: int) -> None:
    op.attributes[attribute] = IntegerAttr(number, i64)


# The layout ------------------------------------------------------------------------------


_Places: TypeAlias = Sequence[tuple[ArenaBuffer, Number]]
"""Buffers, each with its offset in the arena."""


def _layout(arena: Arena, computation: SizeComputation) -> tuple[Number, _Places]:
    """The size of the arena, in bytes, and where the buffers are."""
    places: list[tuple[ArenaBuffer, Number]] = []
    ends: dict[Region, Number] = {}
    floor: Number = 0
    """The end of the buffers of constant size, which are below all others."""
    for region in arena.regions:
        below = [ends[other] for other in region.below] or [floor]
        base = reduce(computation.maximum, below)
        place = _places_in(region, base and computation.index(base), computation)
        places += _places_of(region, place)
        end = place(region.plan.height, region.level)
        if not region.is_static:
            ends[region] = end
        elif not arena.is_static:
            floor = computation.rounded_up(end, arena.alignment)
        else:
            floor = end
    return reduce(computation.maximum, [*ends.values()] or [floor]), places


def _places_in(
    region: Region, base: Number, computation: SizeComputation
) -> Callable[[int, int], Number]:
    """The places in a region that begins at the base, by coefficient and level."""
    alignment = region.alignment

    def place(coefficient: int, level: int) -> Number:
        unit = computation.number(region.unit) if coefficient else 0
        if not is_never_negative(region.unit):
            unit = computation.maximum(unit, 0)
        distance = computation.product(unit, coefficient)
        if coefficient % alignment:
            distance = computation.rounded_up(distance, alignment)
        return computation.sum(base, computation.sum(distance, level * alignment))

    return place


def _places_of(region: Region, place: Callable[[int, int], Number]) -> _Places:
    places = map(place, region.plan.offsets, region.levels)
    return [*zip(region.buffers, places, strict=True)]


def _allocate_and_place(arena: Arena, builder: Builder) -> SSAValue:
    computation = SizeComputation(builder, arena.derived)
    size, places = _layout(arena, computation)
    memory = _allocate(arena, size, computation)
    _place(places, memory, computation)
    return memory


def _allocate(arena: Arena, size: Number, computation: SizeComputation) -> SSAValue:
    """Allocate an arena of that size."""
    operands = [] if arena.is_static else [computation.index(size)]
    alignment = IntegerAttr(arena.alignment, i64)
    alloc = computation.builder.insert(AllocOp(operands, (), arena.type, alignment))
    alloc.memref.name_hint = ARENA_NAME
    return alloc.memref


def _place(places: _Places, memory: SSAValue, computation: SizeComputation) -> None:
    """Replace the allocations by views of the memory."""
    for offset in sorted({offset for _, offset in places if isinstance(offset, int)}):
        computation.index(offset)
    for buffer, offset in places:
        alloc = buffer.op
        builder = builder_for(alloc, InsertPoint.before(alloc))
        view = _view(builder, memory, computation.index(offset), alloc)
        view.name_hint = alloc.memref.name_hint
        alloc.memref.replace_all_uses_with(view)
        Rewriter.erase_op(alloc)


def _view(
    builder: Builder, memory: SSAValue, offset: SSAValue, alloc: memref.AllocOp
) -> SSAValue:
    """Insert the view, of the type of the allocation, of the bytes from the offset on."""
    type = alloc.memref.type
    if not has_identity_layout(type):
        flat = builder.insert(memref.ViewOp(memory, offset, (), flat_type_of(type)))
        return view_of_flat_memory(builder, flat.result, type)
    plain = MemRefType(
        type.element_type, type.get_shape(), memory_space=type.memory_space
    )
    sizes = alloc.dynamic_sizes
    view = builder.insert(memref.ViewOp(memory, offset, sizes, plain)).result
    # The identity can be written as strides, too.
    if plain == type:
        return view
    return builder.insert(memref.CastOp.get(view, type)).dest


# Arguments -------------------------------------------------------------------------------


def pass_arenas_as_arguments(
    module: ModuleOp, planner: ArenaPlanner, *, only_private: bool = False
) -> None:
    """
    Give functions, or `only_private` ones, their arenas as arguments, which callers in the
    module allocate; those of run-time size only private ones.

    A caller is planned when its callees have changed, so that their arenas are buffers of the
    caller.
    """
    calls = CallGraph(module)
    for functions in calls.callees_first():
        for function in functions:
            reason = _why_not_as_arguments(function, calls)
            apart = not reason and (is_private(function) or not only_private)
            given = apart and is_private(function)
            arenas = planner.plan(function, Sizes(), apart=apart, given=given)
            if (
                planner.refuse_others
                and not apart
                and (reason or calls.calls[function])
            ):
                refuse_allocated(arenas, reason or "public functions allocate theirs")
            taken = [
                arena
                for arena in arenas
                if (apart and arena.is_static) or (given and arena.start.op is None)
            ]
            for arena in sorted(arenas, key=lambda arena: arena.is_static):
                if arena in taken:
                    continue
                if given and planner.remarks:
                    print_remark(
                        function,
                        "allocates an arena in each call: its size depends on more than "
                        "arguments",
                    )
                allocate_in_function(arena)
            if taken:
                taken.sort(key=lambda arena: not arena.is_static)
                _take_as_arguments(function, taken, calls.calls[function])


def _why_not_as_arguments(function: func.FuncOp, calls: CallGraph) -> str:
    """Why a function cannot take its arenas as arguments; empty if it can."""
    if function in calls.recursive or any(
        function.is_ancestor(call) for call in calls.calls[function]
    ):
        return "it is recursive, so that each call needs an arena of its own"
    if not calls.may_change(function):
        return (
            "ops other than func.call use it, so that not all of its callers are known"
        )
    return ""


def _take_as_arguments(
    function: func.FuncOp, arenas: Sequence[Arena], calls: Sequence[func.CallOp]
) -> None:
    """Give the function an argument for each region, which its callers allocate."""
    parts = [replace(a, regions=[region]) for a in arenas for region in a.regions]
    arguments = add_arguments(
        function,
        [part.type for part in parts],
        [
            DictionaryAttr({ARENA_ATTRIBUTE: IntegerAttr(part.alignment, i64)})
            for part in parts
        ],
    )
    for part, argument in zip(parts, arguments, strict=True):
        argument.name_hint = ARENA_NAME
        at_start = InsertPoint.at_start(block_of(argument))
        computation = SizeComputation(builder_for(function, at_start), part.derived)
        (region,) = part.regions
        places = _places_of(region, _places_in(region, 0, computation))
        _place(places, argument, computation)
    # Sizes may depend on results of other calls, so no call is replaced before all are known.
    sizes = Sizes()
    allocated = [[_allocate_for(call, part, sizes) for part in parts] for call in calls]
    for call, memory in zip(calls, allocated, strict=True):
        new = rebuild_call(call, memory, range(len(call.results)))
        replace_call(call, new.results)


def _allocate_for(call: func.CallOp, arena: Arena, sizes: Sizes) -> SSAValue:
    """Allocate the region for the call, of the size by what it gives as arguments."""
    (region,) = arena.regions
    builder = builder_for(call, InsertPoint.before(call))
    caller = SizeComputation(builder)

    def given(symbol: Symbol) -> Expression:
        size = size_like(symbol, call.operands[index_of(symbol.value)])
        assert size is not None
        return size

    computation = SizeComputation(
        builder, arena.derived, lambda symbol: caller.number(given(symbol))
    )
    unit = computation.number(region.unit)
    roots = {s: given(s) for s in region.unit.symbols if s not in arena.derived}
    if not is_never_negative(sizes.value(region.unit.substituted(roots))):
        unit = computation.maximum(unit, 0)
    size = computation.product(unit, region.plan.height)
    size = computation.sum(size, region.level * region.alignment)
    return _allocate(arena, size, computation)
