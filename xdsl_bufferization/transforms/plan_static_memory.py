"""
Give all buffers of known size places in one piece of memory.

LLVM's main branch has had a pass `static-memory-planner-analysis` since 2026, which plans one
block at a time.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, i64
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.calling_conventions.signatures import (
    add_arguments,
    rebuild_call,
    replace_call,
)
from xdsl_bufferization.placement.arenas import (
    ARENA_ATTRIBUTE,
    Arena,
    describe_arena,
    plan_arenas,
)
from xdsl_bufferization.planning import Method
from xdsl_bufferization.support.all_or_nothing import all_or_nothing
from xdsl_bufferization.support.call_graph import FunctionCalls, functions_in
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.pass_options import BufferizationPass


@dataclass(frozen=True)
class PlanStaticMemoryPass(BufferizationPass):
    """
    Replace the allocations of known size of each function by parts of one, the arena, so
    small as their lives allow: `memref.view`s into a `memref.alloc` of bytes at the start of
    the function. There is an arena for each memory space.

    An allocation keeps its own place if the memory is returned, stored in other memory, or
    freed by the program, if runs that need memory each may overlap, or if a run of a loop
    hands it to the next one. Run the pass before deallocation, which frees the arena.
    """

    name = "plan-static-memory"

    alignment: int = 16
    """In bytes, of allocations that say nothing of it; `malloc` gives as much."""
    arena_as_argument: bool = False
    """
    Take arenas as further arguments, with an attribute `bufferize.arena` that says which
    alignment they must have, in bytes. Callers in the module allocate them, in an arena of
    their own that way; functions that call themselves, and those that are used by other ops
    than `func.call`, do not take part.
    """
    max_size_in_bytes: int = 0
    """Refuse programs with an arena that is larger, if this is not 0."""
    method: str = "heuristic"
    """`heuristic`, or `exact`: search for the smallest arena."""
    time_limit: int = 60
    """Of an exact search, in seconds for each arena; the best that was found counts."""
    report: bool = False
    """Print what arenas hold when, to standard error."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.method not in _METHODS:
            raise BufferizationError(
                None,
                f"{self.name}: '{self.method}' is not a value of method; it takes one of "
                + ", ".join(_METHODS),
            )
        if self.alignment < 1:
            raise BufferizationError(None, f"{self.name}: alignment must be positive")
        if self.arena_as_argument:
            if self.max_size_in_bytes:
                # Callers are planned once callees have changed.
                all_or_nothing(op, self._plan_with_callers)
            else:
                self._plan_with_callers(op)
            return
        planned = [
            arena for function in functions_in(op) for arena in self._plan(function)
        ]
        for arena in planned:
            _place(arena, _allocate_at_start(arena))

    def _plan(self, function: Operation) -> Sequence[Arena]:
        arenas = plan_arenas(
            function, self.alignment, _METHODS[self.method], self.time_limit
        )
        limit = self.max_size_in_bytes
        for arena in arenas:
            if self.report:
                print(describe_arena(arena), file=sys.stderr)
            if limit and arena.plan.height > limit:
                raise BufferizationError(
                    function,
                    f"needs an arena of {arena.plan.height} bytes, more than "
                    f"max-size-in-bytes={limit}; at least {arena.plan.lower_bound} are "
                    "needed at once",
                    hint="allow more, or let method=exact search for a smaller one"
                    if arena.plan.lower_bound <= limit
                    else "allow more, or split the function's work in smaller parts",
                )
        return arenas

    def _plan_with_callers(self, module: ModuleOp) -> None:
        calls = FunctionCalls(module)
        for functions in calls.callees_first():
            for function in functions:
                arenas = self._plan(function)
                if len(functions) == 1 and _may_take_arenas(function, calls):
                    _take_as_arguments(function, arenas, calls.calls[function])
                else:
                    for arena in arenas:
                        _place(arena, _allocate_at_start(arena))


_METHODS = {method.name.lower(): method for method in Method}


def _may_take_arenas(function: func.FuncOp, calls: FunctionCalls) -> bool:
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
        builder = Builder(InsertPoint.before(call))
        allocated = [_allocate(arena, builder) for arena in arenas]
        new = rebuild_call(call, allocated, range(len(call.results)))
        replace_call(call, new.results)


_NAME = "arena"


def _allocate_at_start(arena: Arena) -> SSAValue:
    block = arena.function.regions[0].first_block
    assert block is not None
    return _allocate(arena, Builder(InsertPoint.at_start(block)))


def _allocate(arena: Arena, builder: Builder) -> SSAValue:
    alignment = IntegerAttr(arena.alignment, i64)
    alloc = builder.insert(memref.AllocOp((), (), arena.type, alignment))
    alloc.memref.name_hint = _NAME
    return alloc.memref


def _place(arena: Arena, memory: SSAValue) -> None:
    """Replace the allocations by views of the memory."""
    owner = memory.owner
    builder = Builder(
        InsertPoint.after(owner)
        if isinstance(owner, Operation)
        else InsertPoint.at_start(owner)
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
        Builder(InsertPoint.before(alloc)).insert(view)
        alloc.memref.replace_all_uses_with(view.result)
        alloc.detach()
        alloc.erase()
