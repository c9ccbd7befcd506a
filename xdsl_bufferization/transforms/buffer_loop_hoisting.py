"""
Allocate once for all iterations of a loop.

Source: https://mlir.llvm.org/docs/Passes/#-buffer-loop-hoisting
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.interfaces.allocation import HoistingKind
from xdsl_bufferization.memrefs.placement.hoisting_targets import (
    functions_that_allocate_in_loops,
    hoist,
    outside_of_loops,
)
from xdsl_bufferization.support.pass_options import BufferizationPass


@dataclass(frozen=True)
class BufferLoopHoistingPass(BufferizationPass):
    """
    Move allocations, those on the stack too, out of as many loops as possible: loops of
    ops with regions, and of branches.

    An allocation stays in a loop that computes its size, that passes the memory from one
    iteration to the next, or whose iterations may overlap. Run the pass before deallocation:
    allocations that are freed already stay where they are.
    """

    name = "buffer-loop-hoisting"

    share_memory: bool = False
    """
    Let hoisted buffers share memory, as their live ranges allow, and hoist only what does not
    raise the peak of calls in which each loop has an iteration.
    """

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not self.share_memory:
            hoist(op, HoistingKind.LOOP, outside_of_loops)
        elif functions := functions_that_allocate_in_loops(op):
            # Most programs do not wait for it.
            from xdsl_bufferization.memrefs.placement.shared_hoisting import (
                hoist_shared,
            )

            hoist_shared(op, functions)
