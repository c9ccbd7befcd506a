"""
Allocations dominate all uses of their memory.

Source: https://mlir.llvm.org/docs/Passes/#-buffer-hoisting
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.interfaces.allocation import HoistingKind
from xdsl_bufferization.memrefs.placement.hoisting_targets import (
    below_common_dominator,
    hoist,
)
from xdsl_bufferization.support.pass_options import BufferizationPass


class BufferHoistingPass(BufferizationPass):
    """
    Move each allocation that block arguments or results of ops with regions may alias up to a
    block that dominates these aliases, so that one deallocation can free it.

    It stays below the ops that compute its size, and in its loops and parallel regions. Run
    the pass before deallocation: allocations that are freed already stay where they are, and
    so do those on the stack.
    """

    name = "buffer-hoisting"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        hoist(op, HoistingKind.BLOCK, below_common_dominator)
