"""
The end of a bufferization in several passes: nothing may be left on tensors.

Source: MLIR's former pass `finalizing-bufferize`, https://mlir.llvm.org/docs/Bufferization/
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.conversion.finalization import finalize
from xdsl_bufferization.support.pass_options import BufferizationPass


@dataclass(frozen=True)
class FinalizingBufferizePass(BufferizationPass):
    """
    Replace each `bufferization.to_buffer` of a `bufferization.to_tensor` by the memref, and
    refuse a program in which an op still has tensors.

    A memref of another type is cast, if every memref of its type also is one of the wanted
    type, and otherwise copied into a new one.
    """

    name = "finalizing-bufferize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        finalize(op)
