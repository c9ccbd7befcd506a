"""
Frees what a bufferized program allocates.

Source: the pass `ownership-based-buffer-deallocation` of
https://mlir.llvm.org/docs/Passes/#bufferization-passes, and
https://mlir.llvm.org/docs/OwnershipBasedBufferDeallocation/
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.buffers.buffer_flow import BufferFlow
from xdsl_bufferization.buffers.called_functions import call_effects
from xdsl_bufferization.calling_conventions.donated_arguments import (
    with_donated_arguments,
)
from xdsl_bufferization.deallocation.contradictory_frees import check_frees
from xdsl_bufferization.deallocation.ownership import Ownership
from xdsl_bufferization.deallocation.ownership_deallocs import (
    DeallocInsertion,
    check_own_deallocs,
)
from xdsl_bufferization.interfaces.buffer_effects import has_buffers
from xdsl_bufferization.interfaces.dialect_attributes import verify_attributes
from xdsl_bufferization.support.call_graph import CallGraph, functions_in, is_private
from xdsl_bufferization.support.failures import checked, explained
from xdsl_bufferization.support.names import is_named
from xdsl_bufferization.support.options import OwnershipOptions
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.walk import walk


@dataclass(frozen=True)
class OwnershipBasedBufferDeallocationPass(BufferizationPass, OwnershipOptions):
    """
    Insert `bufferization.dealloc` for what is allocated, and `bufferization.clone` where
    a function returns memory that its caller could not free. Arguments that are donated for
    results (`bufferize.aliasing_result`) are returned as they are.

    Memory of which there are tensors is freed behind the last op that uses one of these, or a
    tensor that is made of them. If one is yielded, returned, or passed to a block, the memory
    is left to the program, and a remark says so. So is memory of which a memref, or a pointer
    to it, is stored in memory; a memref that is loaded from memory is not owned.
    """

    name = "ownership-based-buffer-deallocation"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        insert_deallocs(
            op,
            private_function_dynamic_ownership=self.private_function_dynamic_ownership,
            touches_only=self.touches_only,
        )


def insert_deallocs(
    module: Operation,
    *,
    private_function_dynamic_ownership: bool = False,
    touches_only: Iterable[str] = (),
) -> None:
    """
    Free what the functions of a module allocate; the options are those of the pass.

    Raises `BufferizationError`, and leaves the module as it is, if it is unknown what an op
    allocates or frees, the program contradicts itself, or a function does not return an
    argument that is donated for a result.
    """
    names = frozenset(touches_only)
    with explained("insert_deallocs", checked("insert_deallocs", module, Operation)):
        with_donated_arguments(
            module,
            lambda module, donated: _insert_deallocs(
                module, private_function_dynamic_ownership, names, donated
            ),
        )


def _insert_deallocs(
    module: Operation,
    private_function_dynamic_ownership: bool,
    names: Container[str],
    donated: AbstractSet[SSAValue],
) -> None:
    verify_attributes(module)
    graph = CallGraph(module)
    dynamic: set[Operation] = {
        function
        for function in graph.functions
        if private_function_dynamic_ownership
        and is_private(function)
        and graph.may_change(function)
    }
    dynamic_calls = frozenset(
        c for c, callee in graph.callees.items() if callee in dynamic
    )
    distinct: set[Operation] = set()
    calls = call_effects(module)
    found: list[Ownership] = []
    for function in _callees_first(module, graph):
        if not any(map(has_buffers, walk([function]))):
            continue
        flow = BufferFlow(
            function,
            lambda op: is_named(op, names),
            through_tensors=True,
            calls=calls,
        )
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
    for ownership in found:
        ownership.print_remarks()
        returns_flags = ownership.flow.function in dynamic
        DeallocInsertion(ownership, returns_flags=returns_flags).run()


def _callees_first(module: Operation, graph: CallGraph) -> Sequence[Operation]:
    """All functions with a body: those of the call graph, callees first, and then others."""
    order: dict[Operation, None] = dict.fromkeys(
        function for component in graph.callees_first() for function in component
    )
    order.update(dict.fromkeys(functions_in(module)))
    return [f for f in order if any(region.blocks for region in f.regions)]
