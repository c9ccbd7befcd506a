"""
Frees memory right after its last use.

Source: the pass `optimize-allocation-liveness` of
https://mlir.llvm.org/docs/Passes/#bufferization-passes
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.buffers.buffer_flow import BufferFlow
from xdsl_bufferization.buffers.called_functions import call_effects
from xdsl_bufferization.deallocation.early_frees import free_early
from xdsl_bufferization.support.call_graph import functions_in
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.regions import walk


@dataclass(frozen=True)
class OptimizeAllocationLivenessPass(BufferizationPass):
    """
    Move each `memref.dealloc` up within its block, to right after the last op that uses the memory
    or a view of it.
    """

    name = "optimize-allocation-liveness"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # No function changes before all are known to be valid.
        found: list[tuple[BufferFlow, Sequence[memref.DeallocOp]]] = []
        calls = call_effects(op)
        for function in functions_in(op):
            deallocs = [
                op_ for op_ in walk([function]) if isinstance(op_, memref.DeallocOp)
            ]
            if deallocs:
                flow = BufferFlow(function, calls)
                found.append((flow, deallocs))
        for flow, deallocs in found:
            free_early(flow, deallocs)
