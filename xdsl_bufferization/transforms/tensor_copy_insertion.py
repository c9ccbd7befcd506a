"""
The decisions of One-Shot Bufferize as a program on tensors.

Source: https://mlir.llvm.org/docs/Bufferization/#memory-layouts, and the test pass
`test-tensor-copy-insertion` of mlir-opt
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.support.options import CopyInsertionOptions, OneShotOptions
from xdsl_bufferization.support.pass_options import BufferizationPass


@dataclass(frozen=True)
class TensorCopyInsertionPass(BufferizationPass, CopyInsertionOptions):
    """
    Give each operand that is out of place a `bufferization.alloc_tensor` of its own.

    The first half of `one-shot-bufferize`: afterwards every tensor operand may work in
    place, and the program still is one on tensors. Ops that cannot be bufferized stay as
    they are. Options and defaults are those of mlir-opt's pass.
    """

    name = "tensor-copy-insertion"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        options = self.options_as(OneShotOptions, allow_unknown_ops=True)
        one_shot = OneShotBufferization(op, options)
        one_shot.analyze(analysis_only=True)
        one_shot.insert_copies(analysis_only=True)
