"""
All buffers of known size in one piece of memory, each at an offset.

LLVM's main branch has had a pass `static-memory-planner-analysis` since 2026, which plans one
block at a time.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.placement.arena_allocation import (
    allocate_in_function,
    pass_arenas_as_arguments,
)
from xdsl_bufferization.placement.arenas import Arena, describe_arena, plan_arenas
from xdsl_bufferization.planning import Method
from xdsl_bufferization.support.all_or_nothing import all_or_nothing
from xdsl_bufferization.support.call_graph import functions_in
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.pass_options import BufferizationPass


@dataclass(frozen=True)
class PlanStaticMemoryPass(BufferizationPass):
    """
    Replace the allocations of known size of each function by parts of one allocation, the
    arena, which is as small as their live ranges allow: `memref.view`s of a `memref.alloc` of
    bytes at the start of the function. There is an arena for each memory space.

    An allocation stays as it is if its memory is returned, stored in other memory, or freed by
    the program, if executions of it that need memory of their own may overlap, or if an
    iteration of a loop passes it to the next one. Run the pass before deallocation, which
    frees the arena.
    """

    name = "plan-static-memory"

    alignment: int = 16
    """
    The alignment, in bytes, of allocations without `alignment`: that of `malloc`. What their
    elements need by the data layout, such as vectors, is kept in any case.
    """
    arena_as_argument: bool = False
    """
    Let functions take their arenas as further arguments, with an attribute `bufferize.arena`,
    the alignment in bytes. Callers in the module allocate them, in arenas of their own.
    Recursive functions, and those that other ops than `func.call` use, allocate their own.
    """
    max_size_in_bytes: int = 0
    """Refuse programs with a larger arena; 0 refuses none."""
    method: str = "heuristic"
    """`heuristic`, or `exact`, which searches for the smallest arena."""
    time_limit: int = 60
    """The most seconds of an exact search for each arena; the best plan found is used."""
    report: bool = False
    """Print the buffers of arenas with their live ranges, to standard error."""

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
                all_or_nothing(op, self._pass_arenas)
            else:
                self._pass_arenas(op)
            return
        planned = [
            arena for function in functions_in(op) for arena in self._plan(function)
        ]
        for arena in planned:
            allocate_in_function(arena)

    def _pass_arenas(self, module: ModuleOp) -> None:
        pass_arenas_as_arguments(module, self._plan)

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


_METHODS = {method.name.lower(): method for method in Method}
