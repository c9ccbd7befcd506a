"""
The passes by which `bufferize{arena}` puts buffers in one arena, and `bufferize{results=arguments}`
results in memory of callers.

Invariant: private functions allocate nothing whose size callers can compute. Their results
become arguments first, so that callers have buffers for them, which are then parts of arenas.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.passes import ModulePass

from xdsl_bufferization.support.options import ArenaOption, ResultsOption
from xdsl_bufferization.transforms.buffer_results_to_out_params import (
    BufferResultsToOutParamsPass,
)
from xdsl_bufferization.transforms.plan_static_memory import PlanStaticMemoryPass


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
