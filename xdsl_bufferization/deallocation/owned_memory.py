"""
Ownership of memory, in all functions of a module.

    %r = scf.if %c -> (memref<4xf32>) { scf.yield %new } else { scf.yield %argument }
    // %r is freed after its last use if it is %new, as an i1 that scf.if returns with it says

All functions are analysed before one is changed, callees first, since a call tells from its
callee whether two of its results may be one buffer.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from collections.abc import Set as AbstractSet

from xdsl.dialects import func
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.buffers.buffer_flow import BufferFlow
from xdsl_bufferization.buffers.called_functions import call_effects
from xdsl_bufferization.deallocation.ownership import Ownership
from xdsl_bufferization.deallocation.ownership_deallocs import (
    DeallocInsertion,
    check_own_deallocs,
)
from xdsl_bufferization.interfaces.buffer_effects import has_buffers
from xdsl_bufferization.support.call_graph import CallGraph
from xdsl_bufferization.support.names import is_named
from xdsl_bufferization.support.walk import walk


def free_owned_memory(
    module: Operation,
    graph: CallGraph,
    touches_only: Container[str],
    donated: AbstractSet[SSAValue],
    dynamic: AbstractSet[Operation],
    parts: Callable[[], bool] | None,
) -> None:
    """
    Free what the functions of the module allocate. `dynamic` functions return an `i1` for each
    memref, and arguments that are `donated` are returned as they are. Ops named `touches_only` do
    no more than to touch their operands. For `parts` see `DeallocInsertion`.

    Raises `BufferizationError`, and leaves the functions as they are, if it is unknown what an
    op allocates or frees, or the program contradicts itself.
    """
    found = _analyse(module, graph, touches_only, donated, dynamic)
    for ownership in found:
        ownership.left.print_remarks()
        returns_flags = ownership.flow.function in dynamic
        DeallocInsertion(ownership, returns_flags=returns_flags, parts=parts).run()


def _analyse(
    module: Operation,
    graph: CallGraph,
    touches_only: Container[str],
    donated: AbstractSet[SSAValue],
    dynamic: AbstractSet[Operation],
) -> Sequence[Ownership]:
    """Who owns memory in the functions."""
    dynamic_calls = frozenset(
        c for c, callee in graph.callees.items() if callee in dynamic
    )
    distinct: set[Operation] = set()
    calls = call_effects(module)
    found: list[Ownership] = []
    for function in graph.all_callees_first():
        if not any(region.blocks for region in function.regions):
            continue
        if not any(map(has_buffers, walk([function]))):
            continue
        flow = BufferFlow(
            function,
            lambda op: is_named(op, touches_only),
            through_tensors=True,
            calls=calls,
        )
        if flow.frees:
            # Few programs free memory themselves.
            from xdsl_bufferization.deallocation.contradictory_frees import check_frees

            check_frees(flow)
        ownership = Ownership(
            flow,
            dynamic_calls=dynamic_calls,
            distinct=distinct,
            donated=donated,
            returns_flags=function in dynamic,
        )
        check_own_deallocs(ownership)
        if isinstance(function, func.FuncOp) and not ownership.may_return_twice():
            distinct.update(graph.calls.get(function, ()))
        found.append(ownership)
    return found
