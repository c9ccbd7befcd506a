"""
Arenas in the program: an allocation of bytes, or an argument, and a view for each buffer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.builder import Builder
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, i64
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.calling_conventions.signatures import (
    add_arguments,
    rebuild_call,
    replace_call,
)
from xdsl_bufferization.placement.arenas import ARENA_ATTRIBUTE, Arena
from xdsl_bufferization.support.call_graph import CallGraph
from xdsl_bufferization.support.locations import builder_for

_NAME = "arena"
"""The name of memrefs that are arenas."""


def allocate_in_function(arena: Arena) -> None:
    """Allocate the arena at the start of its function, and the buffers in it."""
    block = arena.function.regions[0].first_block
    assert block is not None
    _place(
        arena,
        _allocate(arena, builder_for(arena.function, InsertPoint.at_start(block))),
    )


def pass_arenas_as_arguments(
    module: ModuleOp, plan: Callable[[Operation], Sequence[Arena]]
) -> None:
    """
    Give functions their arenas as arguments, which callers in the module allocate.

    `plan` returns the arenas of a function. It is called for a caller when its callees have
    changed, so that their arenas are buffers of the caller.
    """
    calls = CallGraph(module)
    for functions in calls.callees_first():
        for function in functions:
            arenas = plan(function)
            if len(functions) == 1 and _may_take_arenas(function, calls):
                _take_as_arguments(function, arenas, calls.calls[function])
            else:
                for arena in arenas:
                    allocate_in_function(arena)


def _may_take_arenas(function: func.FuncOp, calls: CallGraph) -> bool:
    return calls.may_change(function) and not any(
        function.is_ancestor(call) for call in calls.calls[function]
    )


def _take_as_arguments(
    function: func.FuncOp, arenas: Sequence[Arena], calls: Sequence[func.CallOp]
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
        argument.name_hint = _NAME
        _place(arena, argument)
    for call in calls if arenas else ():
        builder = builder_for(call, InsertPoint.before(call))
        allocated = [_allocate(arena, builder) for arena in arenas]
        new = rebuild_call(call, allocated, range(len(call.results)))
        replace_call(call, new.results)


def _allocate(arena: Arena, builder: Builder) -> SSAValue:
    alignment = IntegerAttr(arena.alignment, i64)
    alloc = builder.insert(memref.AllocOp((), (), arena.type, alignment))
    alloc.memref.name_hint = _NAME
    return alloc.memref


def _place(arena: Arena, memory: SSAValue) -> None:
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
        view = memref.ViewOp(memory, constants[offset], (), alloc.memref.type)
        view.location = alloc.location
        view.result.name_hint = alloc.memref.name_hint
        builder_for(alloc, InsertPoint.before(alloc)).insert(view)
        alloc.memref.replace_all_uses_with(view.result)
        alloc.detach()
        alloc.erase()
