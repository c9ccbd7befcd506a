"""
Allocate before all that uses the memory.

Source: https://mlir.llvm.org/docs/Passes/#-buffer-hoisting
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.interfaces.allocation import HoistingKind
from xdsl_bufferization.placement.hoisting import hoist
from xdsl_bufferization.placement.hoisting_targets import below_common_dominator
from xdsl_bufferization.support.pass_options import BufferizationPass


@dataclass(frozen=True)
class BufferHoistingPass(BufferizationPass):
    """
    Move each allocation of which a block argument or a result of an op with regions may be
    the memory up to a block that dominates them, so that one deallocation can free it.

    It stays below what its size is computed from, and in the loops and parallel regions
    that it is in. Run it before deallocation: what is freed already is left alone, and so is
    what is on the stack.
    """

    name = "buffer-hoisting"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        hoist(op, HoistingKind.BLOCK, below_common_dominator)
