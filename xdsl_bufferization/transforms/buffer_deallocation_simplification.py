"""
Fewer comparisons of memrefs in `bufferization.dealloc`.

Source: the pass `buffer-deallocation-simplification` of
https://mlir.llvm.org/docs/Passes/#bufferization-passes
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.dialects.bufferization import DeallocOp
from xdsl_bufferization.memrefs.buffers.memref_flow_graph import BufferAliases
from xdsl_bufferization.memrefs.deallocation.simplification import (
    is_simple,
    simplify,
)
from xdsl_bufferization.support.call_graph import functions_in
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.regions import walk


class BufferDeallocationSimplificationPass(BufferizationPass):
    """
    Split each `bufferization.dealloc` into ops on memrefs that may alias, and drop memrefs
    that are not to be freed, memrefs that are certainly retained, and retained memrefs that
    alias none of those to be freed.
    """

    name = "buffer-deallocation-simplification"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # No function changes before all are known to be valid.
        found: list[tuple[BufferAliases, Sequence[DeallocOp]]] = []
        for function in functions_in(op):
            deallocs = [
                op_
                for op_ in walk([function])
                if isinstance(op_, DeallocOp) and not is_simple(op_)
            ]
            if deallocs:
                found.append((BufferAliases(function), deallocs))
        for aliases, deallocs in found:
            simplify(deallocs, aliases)
