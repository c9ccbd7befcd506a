"""
The decisions of One-Shot Bufferize as a program on tensors.

Source: https://mlir.llvm.org/docs/Bufferization/#memory-layouts, and the test pass
`test-tensor-copy-insertion` of mlir-opt
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.pass_options import BufferizationPass


@dataclass(frozen=True)
class TensorCopyInsertionPass(BufferizationPass):
    """
    Give each operand that is out of place a `bufferization.alloc_tensor` of its own.

    The first half of `one-shot-bufferize`: afterwards every tensor operand may work in
    place, and the program still is one on tensors. Ops that can not be bufferized stay as
    they are. Options and defaults are those of mlir-opt's pass:

    - `allow-return-allocs-from-loops`: let loops return new buffers;
    - `bufferize-function-boundaries`: analyse arguments, results, calls and returns;
    - `must-infer-memory-space`: refuse the program if nothing tells the memory space of a
      buffer.
    """

    name = "tensor-copy-insertion"

    allow_return_allocs_from_loops: bool = False
    bufferize_function_boundaries: bool = False
    must_infer_memory_space: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        one_shot = OneShotBufferization(
            op,
            OneShotOptions(
                allow_unknown_ops=True,
                allow_return_allocs_from_loops=self.allow_return_allocs_from_loops,
                bufferize_function_boundaries=self.bufferize_function_boundaries,
                must_infer_memory_space=self.must_infer_memory_space,
            ),
        )
        one_shot.analyze()
        one_shot.insert_copies()
