"""
Ownership of memory, in all functions of a module.

    %r = scf.if %c -> (memref<4xf32>) { scf.yield %new } else { scf.yield %argument }
    // %r is freed after its last use if it is %new, as an i1 that scf.if returns with it says

All functions are analysed before one is changed, callees first, since a call tells from its
callee whether two of its results may be one buffer.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from collections.abc import Set as AbstractSet

from xdsl.dialects import func
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.buffers.buffer_flow import BufferFlow
from xdsl_bufferization.buffers.call_effects import CallEffects
from xdsl_bufferization.buffers.called_functions import call_effects
from xdsl_bufferization.deallocation.owners import Owners
from xdsl_bufferization.deallocation.ownership import Ownership
from xdsl_bufferization.deallocation.ownership_deallocs import (
    DeallocInsertion,
    check_own_deallocs,
)
from xdsl_bufferization.interfaces.buffer_effects import has_buffers
from xdsl_bufferization.support.call_graph import CallGraph
from xdsl_bufferization.support.regions import walk


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
    dynamic_calls = frozenset(
        c for c, callee in graph.callees.items() if callee in dynamic
    )
    distinct: set[Operation] = set()
    calls = call_effects(module)
    found: list[Ownership] = []
    for function in functions_with_buffers(graph):
        owners = Owners(
            flow_of(function, touches_only, calls),
            dynamic_calls=dynamic_calls,
            distinct=distinct,
            donated=donated,
            returns_flags=function in dynamic,
        )
        ownership = Ownership(owners)
        check_own_deallocs(ownership)
        if isinstance(function, func.FuncOp) and not ownership.may_return_twice():
            distinct.update(graph.calls.get(function, ()))
        found.append(ownership)
    for ownership in found:
        insert_deallocs(
            ownership, parts, returns_flags=ownership.flow.function in dynamic
        )


def functions_with_buffers(graph: CallGraph) -> Iterator[Operation]:
    """The functions with memrefs in their bodies, callees first."""
    for function in graph.all_callees_first():
        if any(region.blocks for region in function.regions):
            if any(map(has_buffers, walk([function]))):
                yield function


def flow_of(
    function: Operation, touches_only: Container[str], calls: CallEffects
) -> BufferFlow:
    """
    The flow of a function; raises `BufferizationError` if it is unknown what an op allocates or
    frees, or the program frees memory wrongly.
    """
    flow = BufferFlow(function, calls, complete=True, touches_only=touches_only)
    if flow.frees:
        # Few programs free memory themselves.
        from xdsl_bufferization.deallocation.left_memory import check_frees

        check_frees(flow)
    return flow


def insert_deallocs(
    ownership: Ownership, parts: Callable[[], bool] | None, *, returns_flags: bool
) -> None:
    """Rewrite a function; see `DeallocInsertion`."""
    ownership.owners.left.print_remarks()
    DeallocInsertion(ownership, returns_flags=returns_flags, parts=parts).run()
