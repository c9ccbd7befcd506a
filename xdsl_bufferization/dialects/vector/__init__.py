"""
xDSL's `vector` dialect, with the ops that it lacks.

Source: https://mlir.llvm.org/docs/Dialects/Vector/
"""

from __future__ import annotations

from xdsl_bufferization.dialects.vector.ops import MEMORY_OPS, OPS
from xdsl_bufferization.dialects.vector.special_ops import (
    ContractionOp,
    MaskOp,
    PrintOp,
    PunctuationAttr,
    VectorIteratorAttr,
    YieldOp,
)
from xdsl_bufferization.host.extensions import Extension

EXTENSION = Extension(
    [*OPS, *MEMORY_OPS, ContractionOp, MaskOp, PrintOp, YieldOp],
    attributes=[PunctuationAttr, VectorIteratorAttr],
)
