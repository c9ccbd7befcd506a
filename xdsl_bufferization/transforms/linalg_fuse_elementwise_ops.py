"""The pass `linalg-fuse-elementwise-ops`; the rewrite is in `tensors/fusion`."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.tensors.fusion.group import fuse_elementwise_ops


@dataclass(frozen=True)
class LinalgFuseElementwiseOpsPass(BufferizationPass):
    """
    Fuse elementwise ops on tensors into the structured op that reads their results, if that is
    the only one: it computes each element where it needs it, and no tensor of them is left.

    A producer has parallel loops only, and writes each element once; so have elementwise ops
    with a name, and `linalg.fill`. The op that reads it is a `linalg.generic`, whose loops may
    reduce, or has a name and parallel loops. Both are in one block.

    https://mlir.llvm.org/docs/Passes/#-linalg-fuse-elementwise-ops
    """

    name = "linalg-fuse-elementwise-ops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        fuse_elementwise_ops(op)
