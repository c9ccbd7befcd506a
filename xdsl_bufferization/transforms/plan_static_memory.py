"""
All buffers of known size in one piece of memory, each at an offset.

LLVM's main branch has had a pass `static-memory-planner-analysis` since 2026, which plans one
block at a time.

The passes by which `bufferize{arena}` puts buffers in one arena, and `bufferize{results=arguments}`
results in memory of callers.

Invariant: private functions allocate nothing whose size callers can compute. Their results
become arguments first, so that callers have buffers for them, which are then parts of arenas.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xdsl_bufferization.memrefs.buffers.allocation_uses import MemrefFlows
from xdsl_bufferization.memrefs.placement.arena_allocation import (
    allocate_in_function,
    note_ends,
    pass_arenas_as_arguments,
    place_by_attributes,
)
from xdsl_bufferization.memrefs.placement.arena_planner import (
    ArenaPlanner,
    MemorySpaces,
    SharedSpaces,
)
from xdsl_bufferization.memrefs.placement.arenas import plan_buffers
from xdsl_bufferization.memrefs.sizes.size_analysis import Sizes
from xdsl_bufferization.planning import Method
from xdsl_bufferization.support.options import ArenaOption, ResultsOption
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.transforms.buffer_results_to_out_params import (
    BufferResultsToOutParamsPass,
)


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
    the alignment in bytes. Callers in the module allocate them, in arenas of their own. Others
    call the function that the attribute `bufferize.arena_size` names for a size that is known at
    run time only, with the arguments that are no arenas.
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
        planner = self._planner(op)
        if self.arena_as_argument:
            pass_arenas_as_arguments(
                op, planner, only_private=self.allocate_in_public_functions
            )
            return
        calls, sizes = planner.flows.calls, Sizes()
        shared = SharedSpaces(calls)
        planner = replace(planner, shared=shared)
        planned = [(f, planner.plan(f, sizes)) for f in calls.all_callees_first()]
        for function, arenas in planned:
            for arena in sorted(arenas, key=lambda arena: arena.is_static):
                start = planner.spaces.start(arena.memory_space)
                if self.offsets_as_attributes:
                    place_by_attributes(arena, start)
                else:
                    allocate_in_function(arena, start)
            note_ends(function, shared.ends(function))

    def _planner(self, module: ModuleOp) -> ArenaPlanner:
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
        return ArenaPlanner(
            self.alignment,
            partial(
                plan_buffers,
                method=_METHODS[self.method],
                time_limit=self.time_limit,
            ),
            self.max_size_in_bytes or None,
            MemorySpaces(
                self._by_space("start-addresses", self.start_addresses),
                self._by_space("max-sizes", self.max_sizes),
            ),
            MemrefFlows(module),
            self.offsets_as_attributes,
            self.report,
            self.remarks,
            self.refuse_others,
            self.allocate_in_public_functions,
        )

    def _by_space(self, option: str, entries: Sequence[str]) -> Mapping[str, int]:
        """The numbers in entries such as `L1:65536` or `L1:0x10000`, by the name before each."""
        numbers: dict[str, int] = {}
        for entry in entries:
            name, colon, text = entry.rpartition(":")
            try:
                number = int(text, 0)
            except ValueError:
                number = -1
            if not colon or number < 0 or name in numbers:
                raise self.invalid(
                    f"'{entry}' is not a value of {option}; it takes memory spaces with a "
                    f'number each, such as {option}="L1:65536","L3:0x1000000"'
                )
            numbers[name] = number
        return numbers


_METHODS = {method.name.lower(): method for method in Method}


def arena_passes(arena: ArenaOption, results: ResultsOption) -> Sequence[ModulePass]:
    """The passes on buffers, before memory is freed."""
    out_params = BufferResultsToOutParamsPass(
        hoist_static_allocs=True,
        hoist_dynamic_allocs=True,
        modify_public_functions=results is ResultsOption.ARGUMENTS,
        only_where_possible=True,
    )
    if arena is ArenaOption.OFF:
        return (out_params,)
    return (
        out_params,
        PlanStaticMemoryPass(
            arena_as_argument=True,
            allocate_in_public_functions=arena is not ArenaOption.ARGUMENT,
            refuse_others=arena is ArenaOption.STATIC,
        ),
    )
