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

Private functions get arenas from their callers in an argument for each region whose size depends on
nothing but their arguments:

    func.func private @layer(%x: memref<?x16xf32>, %arena: memref<?xi8>)    // 128 * %x.0 bytes

    %n = memref.dim %h, %c0             // in a caller: the size by what it gives for `%x`
    %size = arith.muli %n, %c128
    %a = memref.alloc(%size)            // a buffer of the caller, which it plans
    func.call @layer(%h, %a)

A region of height `h` and level `d`, as in `arenas.py`, takes `h * unit + d * alignment` bytes,
since no buffer in it ends later. That is a polynomial, so the caller can plan it, also in a loop,
which then allocates nothing.

Callers of public functions need not plan. They give one arena for all regions, whose size a
function computes from the other arguments:

    func.func @net(%x: memref<?xf32>, %arena: memref<?xi8> {bufferize.arena_size = @net_arena_size})
    func.func @net_arena_size(%x: memref<?xf32>) -> index
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import reduce

from xdsl.builder import Builder
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    SymbolRefAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir import Region as IRRegion
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects.memref import AllocOp
from xdsl_bufferization.interfaces.dialect_attributes import MANUAL_DEALLOCATION
from xdsl_bufferization.interfaces.memory_layout import flat_type_of
from xdsl_bufferization.interfaces.sizes import Expression
from xdsl_bufferization.memrefs.calling_conventions.available_sizes import (
    computation_for,
    given,
)
from xdsl_bufferization.memrefs.calling_conventions.signatures import (
    add_arguments,
    block_with_arguments_of,
    rebuild_call,
    replace_call,
    symbols_in,
)
from xdsl_bufferization.memrefs.placement.arena_buffers import ArenaBuffer
from xdsl_bufferization.memrefs.placement.arena_planner import (
    ArenaPlanner,
    refuse_allocated,
    space_name,
)
from xdsl_bufferization.memrefs.placement.arenas import (
    ARENA_ATTRIBUTE,
    ARENA_SIZE_ATTRIBUTE,
    Arena,
    Region,
)
from xdsl_bufferization.memrefs.sizes.computation import (
    Number,
    SizeComputation,
    is_never_negative,
)
from xdsl_bufferization.memrefs.sizes.size_analysis import Sizes
from xdsl_bufferization.support.call_graph import (
    CallGraph,
    is_private,
)
from xdsl_bufferization.support.diagnostics import print_remark
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.memref_types import (
    has_identity_layout,
    view_of_flat_memory,
)
from xdsl_bufferization.support.names import free_name
from xdsl_bufferization.support.regions import block_of, defining_op

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
    memory = allocate(arena, builder_for(arena.function, point))
    if start is not None:
        _set_number(defining_op(memory), ADDRESS_ATTRIBUTE, start + arena.base)


def place_by_attributes(arena: Arena, start: int | None = None) -> None:
    """
    Give the allocations attributes with their offsets in the memory space, or with their
    addresses if that of its start is given. They are not to be freed.
    """
    (region,) = arena.regions
    for buffer, offset in zip(region.buffers, region.plan.offsets, strict=True):
        attribute = OFFSET_ATTRIBUTE if start is None else ADDRESS_ATTRIBUTE
        _set_number(buffer.op, attribute, (start or 0) + arena.base + offset)
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


class _Layout:
    """
    Computes, when it is asked, where the buffers of an arena are, and its size. `is_nonnegative`
    says which units are.
    """

    def __init__(
        self,
        arena: Arena,
        computation: SizeComputation,
        is_nonnegative: Callable[[Expression], bool] = is_never_negative,
    ):
        self._arena = arena
        self._computation = computation
        self._is_nonnegative = is_nonnegative
        self._bases: dict[Region, Number] = {}
        floor: Number = 0
        """The end of the buffers of constant size, which are below all others."""
        for region in arena.regions:
            below = [self._end(other, aligned=True) for other in region.below]
            base = reduce(computation.maximum, below or [floor])
            self._bases[region] = base and computation.index(base)
            if region.is_static:
                floor = computation.rounded_up(self._end(region), arena.alignment)

    @property
    def size(self) -> Number:
        """The size of the arena, in bytes."""
        regions = self._arena.regions
        tops = [region for region in regions if not region.is_static] or regions
        return reduce(self._computation.maximum, map(self._end, tops))

    @property
    def places(self) -> Sequence[tuple[ArenaBuffer, Number]]:
        """The buffers, each with its offset in the arena."""
        return [
            (buffer, self._place(region, offset, level))
            for region in self._arena.regions
            for buffer, offset, level in zip(
                region.buffers, region.plan.offsets, region.levels, strict=True
            )
        ]

    def _end(self, region: Region, *, aligned: bool = False) -> Number:
        return self._place(region, region.plan.height, region.level, aligned=aligned)

    def _place(
        self, region: Region, coefficient: int, level: int, *, aligned: bool = True
    ) -> Number:
        """The place in the region with this coefficient and level."""
        computation, alignment = self._computation, region.alignment
        unit = computation.number(region.unit) if coefficient else 0
        if not self._is_nonnegative(region.unit):
            unit = computation.maximum(unit, 0)
        distance = computation.product(unit, coefficient)
        if aligned and coefficient % alignment:
            distance = computation.rounded_up(distance, alignment)
        distance = computation.sum(distance, level * alignment)
        return computation.sum(self._bases[region], distance)


def allocate(arena: Arena, builder: Builder) -> SSAValue:
    """
    Insert the allocation of the arena, which dominates the buffers in it, and place these in it.
    """
    computation = SizeComputation(builder, arena.derived)
    layout = _Layout(arena, computation)
    places = layout.places
    memory = _allocate(arena, layout.size, computation)
    _place(places, memory, computation)
    return memory


def _allocate(arena: Arena, size: Number, computation: SizeComputation) -> SSAValue:
    """Allocate an arena of that size."""
    operands = [] if arena.is_static else [computation.index(size)]
    alignment = IntegerAttr(arena.alignment, i64)
    alloc = computation.builder.insert(AllocOp(operands, (), arena.type, alignment))
    alloc.memref.name_hint = ARENA_NAME
    return alloc.memref


def _place(
    places: Sequence[tuple[ArenaBuffer, Number]],
    memory: SSAValue,
    computation: SizeComputation,
) -> None:
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
    module allocate.

    A caller is planned when its callees have changed, so that their arenas are buffers of the
    caller.
    """
    calls = planner.flows.calls
    names = symbols_in(module)
    for functions in calls.callees_first():
        for function in functions:
            reason = _why_not_as_arguments(function, calls)
            takes = is_private(function) or not only_private
            given = takes and not reason
            arenas = planner.plan(
                function,
                Sizes(calls),
                given=given,
                apart=given and is_private(function),
            )
            if (
                planner.refuse_others
                and not given
                and (reason or calls.calls[function])
            ):
                refuse_allocated(arenas, reason or "public functions allocate theirs")
            taken = [arena for arena in arenas if given and arena.start.op is None]
            for arena in sorted(arenas, key=lambda arena: arena.is_static):
                if arena in taken:
                    continue
                if takes and planner.remarks:
                    print_remark(
                        function,
                        "allocates an arena in each call: "
                        + (reason or "its size depends on more than arguments"),
                        related=[("it holds", arena.regions[0].buffers[0].op)],
                        hint=""
                        if reason
                        else "give the function the size as an argument",
                    )
                allocate_in_function(arena)
            if taken:
                taken.sort(key=lambda arena: not arena.is_static)
                planner.flows.will_change(calls.calls[function])
                _take_as_arguments(function, taken, calls.calls[function], names)


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
    function: func.FuncOp,
    arenas: Sequence[Arena],
    calls: Sequence[func.CallOp],
    names: set[str],
) -> None:
    """
    Give the function an argument for each arena, which its callers allocate, and public functions
    one that computes the size, of a name that is added to the `names`.
    """
    arguments = add_arguments(
        function,
        [arena.type for arena in arenas],
        [_attributes_of(arena, names) for arena in arenas],
    )
    for arena, argument in zip(arenas, arguments, strict=True):
        argument.name_hint = ARENA_NAME
        at_start = InsertPoint.at_start(block_of(argument))
        computation = SizeComputation(builder_for(function, at_start), arena.derived)
        _place(_Layout(arena, computation).places, argument, computation)
    # Sizes may depend on results of other calls, so no call is replaced before all are known.
    sizes = Sizes()
    allocated = [
        [_allocate_for(call, arena, sizes) for arena in arenas] for call in calls
    ]
    for call, memory in zip(calls, allocated, strict=True):
        new = rebuild_call(call, memory)
        replace_call(call, new.results)


def _attributes_of(arena: Arena, names: set[str]) -> DictionaryAttr:
    """The attributes of the argument that the arena becomes; it is none yet."""
    function = arena.function
    assert isinstance(function, func.FuncOp)
    attributes: dict[str, Attribute] = {
        ARENA_ATTRIBUTE: IntegerAttr(arena.alignment, i64)
    }
    if not arena.is_static and not is_private(function):
        name = free_name(f"{function.sym_name.data}_arena_size", names)
        names.add(name)
        _add_size_function(arena, function, name)
        attributes[ARENA_SIZE_ATTRIBUTE] = SymbolRefAttr(name)
    return DictionaryAttr(attributes)


def _add_size_function(arena: Arena, function: func.FuncOp, name: str) -> None:
    """Insert a function of the same arguments that computes the size of the arena."""
    block = block_with_arguments_of(function)
    builder = builder_for(function, InsertPoint.at_end(block))
    computation, size = _size_for(block.args, arena, builder, Sizes())
    builder.insert(func.ReturnOp(computation.index(size)))
    new = func.FuncOp(
        name,
        (block.arg_types, [IndexType()]),
        IRRegion(block),
        function.sym_visibility,
    )
    new.attributes |= function.attributes
    new.location = copy(function.location)
    Rewriter.insert_op(new, InsertPoint.after(function))


def _allocate_for(call: func.CallOp, arena: Arena, sizes: Sizes) -> SSAValue:
    """Allocate the arena for the call."""
    builder = builder_for(call, InsertPoint.before(call))
    computation, size = _size_for(call.operands, arena, builder, sizes)
    return _allocate(arena, size, computation)


def _size_for(
    arguments: Sequence[SSAValue], arena: Arena, builder: Builder, sizes: Sizes
) -> tuple[SizeComputation, Number]:
    """The size of the arena by what the function gets as arguments, and what computes it."""

    def is_nonnegative(unit: Expression) -> bool:
        roots = {
            symbol: given(symbol, arguments)
            for symbol in unit.symbols
            if symbol not in arena.derived
        }
        return is_never_negative(sizes.value(unit.substituted(roots)))

    computation = computation_for(arguments, arena.derived, builder)
    return computation, _Layout(arena, computation, is_nonnegative).size
