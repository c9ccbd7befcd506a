"""The pass `eliminate-empty-tensors`; the rewrite is in `tensors/`."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.tensors.empty_tensor_elimination import eliminate_empty_tensors


@dataclass(frozen=True)
class EliminateEmptyTensorsPass(BufferizationPass):
    """
    Compute results in the tensor or memref into which they are inserted.

    Where a `tensor.empty` is updated in place and then inserted with
    `tensor.insert_slice`, `tensor.parallel_insert_slice` or
    `bufferization.materialize_in_destination`, the part of the destination that the
    insertion overwrites takes its place, so that `one-shot-bufferize` finds nothing to
    copy, and allocates one buffer less. To be run before `one-shot-bufferize`.

    https://mlir.llvm.org/docs/Passes/#-eliminate-empty-tensors
    """

    name = "eliminate-empty-tensors"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        eliminate_empty_tensors(op)
