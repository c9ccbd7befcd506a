"""
xDSL's `affine` dialect, with the custom syntax of `affine.if` and `affine.parallel`, and with
the ops that it lacks.

Source: https://mlir.llvm.org/docs/Dialects/Affine/
"""

from __future__ import annotations

from xdsl_bufferization.dialects.affine.control_flow import IfOp, ParallelOp
from xdsl_bufferization.dialects.affine.ops import (
    MAP_OPS,
    DelinearizeIndexOp,
    LinearizeIndexOp,
    MaxOp,
    PrefetchOp,
)
from xdsl_bufferization.host.extensions import Extension

EXTENSION = Extension(
    [
        *MAP_OPS,
        DelinearizeIndexOp,
        IfOp,
        LinearizeIndexOp,
        MaxOp,
        ParallelOp,
        PrefetchOp,
    ]
)
