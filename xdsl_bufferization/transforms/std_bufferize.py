"""
The pass `std-bufferize`.

Source: https://mlir.llvm.org/docs/Bufferization/ of LLVM 13 to 18
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.pass_options import BufferizationPass


@dataclass(frozen=True)
class StdBufferizePass(BufferizationPass):
    """An error that names the passes that took its place when MLIR split the dialect."""

    name = "std-bufferize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise BufferizationError(
            None,
            f"there is no dialect std any more, so {self.name} does nothing",
            hint="run arith-bufferize (constants, select, index_cast), tensor-bufferize "
            "(dim and other tensor ops) and func-bufferize (calls, returns, branches)",
        )
