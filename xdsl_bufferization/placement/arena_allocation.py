"""
Arenas in the program: an allocation of bytes, or an argument, and a view for each buffer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from xdsl.builder import Builder
from xdsl.dialects import arith, func, memref
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
from xdsl_bufferization.placement.arenas import ARENA_ATTRIBUTE, Arena
from xdsl_bufferization.placement.memory_spaces import space_name
from xdsl_bufferization.support.call_graph import CallGraph, is_private
from xdsl_bufferization.support.flat_memory import view_of_flat_memory
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.memref_types import has_identity_layout
from xdsl_bufferization.support.regions import defining_op

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
    Allocate the arena at the start of its function, and the buffers in it. The arena has its
    address as an attribute if the address of the start of the memory space is given.
    """
    block = arena.function.regions[0].blocks[0]
    builder = builder_for(arena.function, InsertPoint.at_start(block))
    memory = _allocate(arena, builder)
    if start is not None:
        _set_number(defining_op(memory), ADDRESS_ATTRIBUTE, start + arena.base)
    place(arena, memory)


def allocate_before(arena: Arena, op: Operation) -> None:
    """Allocate the arena before the op, which dominates the buffers in it, and these in it."""
    place(arena, _allocate(arena, builder_for(op, InsertPoint.before(op))))


def place_by_attributes(arena: Arena, start: int | None = None) -> None:
    """
    Give the allocations attributes with their offsets in the memory space, or with their
    addresses if that of its start is given. They are not to be freed.
    """
    for buffer, offset in zip(arena.buffers, arena.plan.offsets, strict=True):
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


class ArenaArgument(Protocol):
    """An arena that a function gets from its callers."""

    @property
    def type(self) -> MemRefType[Attribute]: ...

    @property
    def alignment(self) -> int: ...

    def place(self, memory: SSAValue) -> None:
        """Replace the allocations by views of the memory."""
        ...

    def allocate(self, call: func.CallOp, builder: Builder) -> SSAValue:
        """Allocate the arena for the call."""
        ...


ArenaPlan: TypeAlias = Callable[
    [Operation, bool], tuple[Sequence[Arena], Sequence[ArenaArgument]]
]
"""
Given a function, and whether the module has all calls of it and may change them: the arenas of
known size, and those of run-time size that its callers can allocate.
"""


@dataclass(frozen=True)
class _StaticArgument:
    """An arena of known size."""

    arena: Arena

    @property
    def type(self) -> MemRefType[Attribute]:
        return self.arena.type

    @property
    def alignment(self) -> int:
        return self.arena.alignment

    def place(self, memory: SSAValue) -> None:
        place(self.arena, memory)

    def allocate(self, call: func.CallOp, builder: Builder) -> SSAValue:
        return _allocate(self.arena, builder)


def pass_arenas_as_arguments(
    module: ModuleOp,
    plan: ArenaPlan,
    *,
    only_private: bool = False,
    check: Callable[[func.FuncOp, Sequence[Arena], str], None] | None = None,
) -> None:
    """
    Give functions, or `only_private` ones, their arenas as arguments, which callers in the
    module allocate.

    `plan` is called for a caller when its callees have changed, so that their arenas are buffers of
    the caller. `check` is told of each function that allocates its arenas, with the reason, or no
    reason for one that only callers outside of the module call.
    """
    calls = CallGraph(module)
    for functions in calls.callees_first():
        for function in functions:
            reason = _why_not_as_arguments(function, calls)
            arenas, others = plan(function, not reason and is_private(function))
            if not reason and (is_private(function) or not only_private):
                arguments = [*map(_StaticArgument, arenas), *others]
                _take_as_arguments(function, arguments, calls.calls[function])
                continue
            if check is not None and (reason or calls.calls[function]):
                check(function, arenas, reason or "public functions allocate theirs")
            for arena in arenas:
                allocate_in_function(arena)


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
    arenas: Sequence[ArenaArgument],
    calls: Sequence[func.CallOp],
) -> None:
    """Give the function an argument for each arena, which its callers allocate."""
    arguments = add_arguments(
        function,
        [arena.type for arena in arenas],
        [
            DictionaryAttr({ARENA_ATTRIBUTE: IntegerAttr(arena.alignment, i64)})
            for arena in arenas
        ],
    )
    for arena, argument in zip(arenas, arguments, strict=True):
        argument.name_hint = ARENA_NAME
        arena.place(argument)
    if not arenas:
        return
    # Sizes may depend on results of other calls, so no call is replaced before all are known.
    allocated: list[list[SSAValue]] = []
    for call in calls:
        builder = builder_for(call, InsertPoint.before(call))
        allocated.append([arena.allocate(call, builder) for arena in arenas])
    for call, memory in zip(calls, allocated, strict=True):
        new = rebuild_call(call, memory, range(len(call.results)))
        replace_call(call, new.results)


def _allocate(arena: Arena, builder: Builder) -> SSAValue:
    return allocate_bytes(builder, arena.type, arena.alignment)


def allocate_bytes(
    builder: Builder,
    type: MemRefType[Attribute],
    alignment: int,
    size: Sequence[SSAValue] = (),
) -> SSAValue:
    """Allocate an arena; of `size` bytes, if the type is dynamic."""
    alloc = builder.insert(AllocOp(size, (), type, IntegerAttr(alignment, i64)))
    alloc.memref.name_hint = ARENA_NAME
    return alloc.memref


def place(arena: Arena, memory: SSAValue) -> None:
    """Replace the allocations by views of the memory."""
    owner = memory.owner
    builder = builder_for(
        arena.function,
        InsertPoint.after(owner)
        if isinstance(owner, Operation)
        else InsertPoint.at_start(owner),
    )
    constants = {
        offset: builder.insert(
            arith.ConstantOp(IntegerAttr.from_index_int_value(offset))
        )
        for offset in sorted({*arena.plan.offsets})
    }
    for buffer, offset in zip(arena.buffers, arena.plan.offsets, strict=True):
        alloc = buffer.op
        at = builder_for(alloc, InsertPoint.before(alloc))
        replace_allocation(
            alloc,
            _view(
                at,
                memory,
                constants[offset].result,
                alloc.dynamic_sizes,
                alloc.memref.type,
            ),
        )


def replace_allocation(alloc: memref.AllocOp, view: SSAValue) -> None:
    """Let the view take the place of the allocation."""
    view.name_hint = alloc.memref.name_hint
    alloc.memref.replace_all_uses_with(view)
    Rewriter.erase_op(alloc)


def _view(
    builder: Builder,
    memory: SSAValue,
    offset: SSAValue,
    sizes: Sequence[SSAValue],
    type: MemRefType[Attribute],
) -> SSAValue:
    """Insert the view of that type, static or with these sizes, of the bytes from the offset on."""
    if has_identity_layout(type):
        return contiguous_view(builder, memory, offset, sizes, type)
    view = memref.ViewOp(memory, offset, (), flat_type_of(type))
    return view_of_flat_memory(builder, builder.insert(view).result, type)


def contiguous_view(
    builder: Builder,
    memory: SSAValue,
    offset: SSAValue,
    sizes: Sequence[SSAValue],
    type: MemRefType[Attribute],
) -> SSAValue:
    """
    Insert the view of that type, which has the identity layout, of the bytes from the offset on;
    `sizes` are those of its dynamic dimensions.
    """
    plain = MemRefType(
        type.element_type, type.get_shape(), memory_space=type.memory_space
    )
    view = builder.insert(memref.ViewOp(memory, offset, sizes, plain)).result
    # The identity can be written as strides, too.
    if plain == type:
        return view
    return builder.insert(memref.CastOp.get(view, type)).dest
