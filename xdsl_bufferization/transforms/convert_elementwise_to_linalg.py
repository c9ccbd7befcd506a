"""The pass `convert-elementwise-to-linalg`; the rewrite is in `tensors/`."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.tensors.elementwise import convert_elementwise_to_linalg


@dataclass(frozen=True)
class ConvertElementwiseToLinalgPass(BufferizationPass):
    """
    Replace ops of arith and math on ranked tensors, and other ops that work on each element by
    itself, by `linalg.generic`s, which `one-shot-bufferize` bufferizes. The result is computed in
    the buffer of an operand that nothing else uses, or in a new one.

    https://mlir.llvm.org/docs/Passes/#-convert-elementwise-to-linalg
    """

    name = "convert-elementwise-to-linalg"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        convert_elementwise_to_linalg(op)
