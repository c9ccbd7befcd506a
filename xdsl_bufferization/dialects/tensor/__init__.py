"""
xDSL's `tensor` dialect with `tensor.generate`, `tensor.parallel_insert_slice` and
`tensor.rank`, which it lacks, and with `tensor.expand_shape` and `tensor.reshape` of tensors
that xDSL's ops reject.

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/
"""

from __future__ import annotations

from xdsl_bufferization.dialects.tensor.elements import (
    INDEXING_OPS,
    ExtractOp,
    ExtractSliceOp,
    InsertOp,
    InsertSliceOp,
)
from xdsl_bufferization.dialects.tensor.ops import (
    EmptyOp,
    ExpandShapeOp,
    GenerateOp,
    PadOp,
    ParallelInsertSliceOp,
    RankOp,
    ReshapeOp,
)
from xdsl_bufferization.host.extensions import Extension

EXTENSION = Extension(
    [
        *INDEXING_OPS,
        EmptyOp,
        ExpandShapeOp,
        ExtractOp,
        ExtractSliceOp,
        GenerateOp,
        InsertOp,
        InsertSliceOp,
        PadOp,
        ParallelInsertSliceOp,
        RankOp,
        ReshapeOp,
    ]
)
