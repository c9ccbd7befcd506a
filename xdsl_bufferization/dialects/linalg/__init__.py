"""
The `linalg` dialect of LLVM 22: xDSL's, with the ops that it lacks, and with the syntax of
mlir-opt.

Source: https://mlir.llvm.org/docs/Dialects/Linalg/
"""

from __future__ import annotations

from xdsl_bufferization.dialects.linalg.named_ops import NAMED_OPS
from xdsl_bufferization.dialects.linalg.special_ops import (
    SPECIAL_OPS,
    ElementwiseKindAttr,
    IndexOp,
    PackOp,
    TypeFnAttr,
    UnpackOp,
)
from xdsl_bufferization.dialects.linalg.structured_ops import (
    BroadcastOp,
    GenericOp,
    MapOp,
    ReduceOp,
    TransposeOp,
)
from xdsl_bufferization.host.extensions import Extension

EXTENSION = Extension(
    [
        *NAMED_OPS,
        *SPECIAL_OPS,
        BroadcastOp,
        GenericOp,
        IndexOp,
        MapOp,
        PackOp,
        ReduceOp,
        TransposeOp,
        UnpackOp,
    ],
    attributes=[ElementwiseKindAttr, TypeFnAttr],
)
