"""
All buffers of known size in one piece of memory, each at an offset.

LLVM's main branch has had a pass `static-memory-planner-analysis` since 2026, which plans one
block at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.buffers.called_functions import call_effects
from xdsl_bufferization.placement.arena_allocation import (
    ArenaArgument,
    ArenaPlan,
    allocate_in_function,
    note_ends,
    pass_arenas_as_arguments,
    place_by_attributes,
)
from xdsl_bufferization.placement.arenas import Arena, plan_buffers
from xdsl_bufferization.placement.memory_spaces import MemorySpaces, numbers_by_space
from xdsl_bufferization.placement.refusals import refuse_allocated
from xdsl_bufferization.placement.shared_spaces import SharedSpaces
from xdsl_bufferization.placement.static_memory import StaticMemory
from xdsl_bufferization.planning import Method
from xdsl_bufferization.support.call_graph import is_private
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.walk import walk

if TYPE_CHECKING:
    from xdsl_bufferization.placement.run_time_memory import RunTimeMemory


@dataclass(frozen=True)
class PlanStaticMemoryPass(BufferizationPass):
    """
    Replace the allocations of known size of each function by parts of one allocation, the
    arena, which is as small as their live ranges allow: `memref.view`s of a `memref.alloc` of
    bytes at the start of the function, or the allocations themselves with an offset or an
    address. There is an arena for each memory space.

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
    allocate_in_public_functions: bool = False
    """
    With `arena-as-argument`: public functions allocate their arenas, so that callers outside of
    the module call them as before.
    """
    refuse_others: bool = False
    """
    Refuse programs that allocate beside arenas and results of public functions. With
    `arena-as-argument`, functions whose callers do not give them their arena are refused, too.
    """
    max_size_in_bytes: int = 0
    """Refuse programs with a larger arena in any memory space; 0 refuses none."""
    method: str = "heuristic"
    """`heuristic`, or `exact`, which searches for the smallest arena."""
    time_limit: int = 60
    """The most seconds of an exact search for each arena; the best plan found is used."""
    report: bool = False
    """
    Print the buffers of arenas with their live ranges, and what stays allocated and why, to
    standard error.
    """
    remarks: bool = True
    """
    Without `report`: print a remark to standard error about each allocation that stays, with
    the reason.
    """

    start_addresses: tuple[str, ...] = ()
    """
    Start addresses of memory spaces, as in `"L1:0x10000000"`. Arenas begin there, those of a
    function after those of the functions that it calls, and have `bufferize.address` as an
    attribute.
    """
    max_sizes: tuple[str, ...] = ()
    """
    Sizes of memory spaces, as in `"L1:65536"`: programs with larger arenas there are refused. The
    arenas of callees at an address count, too.
    """
    offsets_as_attributes: bool = False
    """
    Leave the allocations as they are, and give them `bufferize.address`, or
    `bufferize.offset` from the start of the memory space, as an attribute. Any layout may
    be placed that tells how much memory it takes.
    """

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        memory = self._static_memory(op)
        run_time = self._run_time_memory(op, memory)
        memory = replace(memory, run_time=run_time)

        def plan_and_allocate(
            function: Operation, by_callers: bool
        ) -> tuple[Sequence[Arena], Sequence[ArenaArgument]]:
            arenas = memory.plan(function)
            if run_time is None:
                return arenas, ()
            return arenas, run_time.allocate(function, by_callers=by_callers)

        if self.arena_as_argument:
            self._pass_as_arguments(op, plan_and_allocate)
            return
        shared = SharedSpaces(op)
        memory = replace(memory, shared=shared)
        planned = [(f, memory.plan(f)) for f in shared.callees_first()]
        for function, arenas in planned:
            if run_time is not None:
                run_time.allocate(function)
            for arena in arenas:
                start = memory.spaces.start(arena.memory_space)
                if self.offsets_as_attributes:
                    place_by_attributes(arena, start)
                else:
                    allocate_in_function(arena, start)
            note_ends(function, shared.ends(function))

    def _pass_as_arguments(
        self,
        module: ModuleOp,
        plan: ArenaPlan,
    ) -> None:
        pass_arenas_as_arguments(
            module,
            plan,
            only_private=self.allocate_in_public_functions,
            check=refuse_allocated if self.refuse_others else None,
        )

    def _allocates_arena(self, function: Operation) -> bool:
        """Whether the options let the function allocate its arena itself."""
        return not self.arena_as_argument or (
            self.allocate_in_public_functions
            and isinstance(function, func.FuncOp)
            and not is_private(function)
        )

    def _run_time_memory(
        self, module: ModuleOp, memory: StaticMemory
    ) -> RunTimeMemory | None:
        """Plans for buffers of dynamic shape; `None` if there are none, or none may be planned."""
        if self.offsets_as_attributes or not any(map(_is_dynamic, walk([module]))):
            return None
        # Most programs have no dynamic sizes.
        from xdsl_bufferization.placement.run_time_memory import RunTimeMemory
        from xdsl_bufferization.sizes.size_analysis import Sizes

        sizes = Sizes()
        return RunTimeMemory(
            memory.alignment,
            memory.spaces,
            memory.max_size,
            memory.calls,
            lambda buffers: plan_buffers(buffers, memory.method, memory.time_limit),
            self.report,
            takes_static=self._allocates_arena,
            # Callers change once their callees have been planned.
            sizes=Sizes if self.arena_as_argument else lambda: sizes,
            remarks=self.remarks,
        )

    def _static_memory(self, module: ModuleOp) -> StaticMemory:
        """The plan of the options; raises `BufferizationError` if they are wrong."""
        if self.method not in _METHODS:
            raise self.invalid(
                f"'{self.method}' is not a value of method; it takes one of "
                + ", ".join(_METHODS),
            )
        if self.alignment < 1:
            raise self.invalid("alignment must be positive")
        if self.allocate_in_public_functions and not self.arena_as_argument:
            raise self.invalid(
                "allocate-in-public-functions is about arena-as-argument, which is not set"
            )
        if self.arena_as_argument and self.offsets_as_attributes:
            raise self.invalid(
                "arena-as-argument and offsets-as-attributes exclude each other"
            )
        if self.arena_as_argument and self.start_addresses:
            raise self.invalid(
                "with arena-as-argument callers choose the addresses, not start-addresses"
            )
        return StaticMemory(
            self.alignment,
            _METHODS[self.method],
            self.time_limit,
            self.max_size_in_bytes or None,
            MemorySpaces(
                self._by_space("start-addresses", self.start_addresses),
                self._by_space("max-sizes", self.max_sizes),
            ),
            call_effects(module),
            self.offsets_as_attributes,
            self.report,
            self.remarks,
            self.refuse_others,
            self.arena_as_argument,
        )

    def _by_space(self, option: str, entries: Sequence[str]) -> Mapping[str, int]:
        try:
            return numbers_by_space(entries)
        except ValueError as error:
            raise self.invalid(
                f"'{error}' is not a value of {option}; it takes memory spaces with a "
                f'number each, such as {option}="L1:65536","L3:0x1000000"'
            ) from None


def _is_dynamic(op: Operation) -> bool:
    return isinstance(op, memref.AllocOp) and not op.memref.type.has_static_shape()


_METHODS = {method.name.lower(): method for method in Method}
