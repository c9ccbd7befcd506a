"""
`bufferization.dealloc` as comparisons of pointers and conditional `memref.dealloc` ops.

Source: the pass `bufferization-lower-deallocations` of
https://mlir.llvm.org/docs/Passes/#bufferization-passes
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.dialects.bufferization import DeallocOp
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.regions import walk


class LowerDeallocationsPass(BufferizationPass):
    """
    Lower each `bufferization.dealloc` to `memref.dealloc`.

    The comparisons for a single memref are inserted in place. Several memrefs are compared by
    a private function `dealloc_helper`, one for each module.

    https://mlir.llvm.org/docs/Passes/#-bufferization-lower-deallocations
    """

    name = "bufferization-lower-deallocations"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        deallocs = [o for o in walk(op.ops) if isinstance(o, DeallocOp)]
        if not deallocs:
            return
        # Other programs do not wait for it.
        from xdsl_bufferization.memrefs.deallocation.lowering import lower

        lower(deallocs)
