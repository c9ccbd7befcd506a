"""
Allocate once for all iterations of a loop.

Source: https://mlir.llvm.org/docs/Passes/#-buffer-loop-hoisting
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.interfaces.allocation import HoistingKind
from xdsl_bufferization.placement.hoisting import hoist
from xdsl_bufferization.placement.hoisting_targets import outside_of_loops
from xdsl_bufferization.support.pass_options import BufferizationPass


class BufferLoopHoistingPass(BufferizationPass):
    """
    Move allocations, those on the stack too, out of as many loops as possible: loops of
    ops with regions, and of branches.

    An allocation stays in a loop that computes its size, that passes the memory from one
    iteration to the next, or whose iterations may overlap. Run the pass before deallocation:
    allocations that are freed already stay where they are.
    """

    name = "buffer-loop-hoisting"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        hoist(op, HoistingKind.LOOP, outside_of_loops)
