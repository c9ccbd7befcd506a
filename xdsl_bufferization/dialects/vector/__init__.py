"""
xDSL's `vector` dialect, with the ops that it lacks.

Source: https://mlir.llvm.org/docs/Dialects/Vector/
"""

from __future__ import annotations

from xdsl_bufferization.dialects.vector.attributes import (
    PunctuationAttr,
    VectorIteratorAttr,
)
from xdsl_bufferization.dialects.vector.contraction import ContractionOp
from xdsl_bufferization.dialects.vector.masking import MaskOp, YieldOp
from xdsl_bufferization.dialects.vector.memory_ops import MEMORY_OPS
from xdsl_bufferization.dialects.vector.printing import PrintOp
from xdsl_bufferization.dialects.vector.reductions import REDUCTIONS
from xdsl_bufferization.dialects.vector.simple_ops import SIMPLE_OPS
from xdsl_bufferization.support.extensions import Extension

EXTENSION = Extension(
    [*SIMPLE_OPS, *MEMORY_OPS, *REDUCTIONS, ContractionOp, MaskOp, PrintOp, YieldOp],
    attributes=[PunctuationAttr, VectorIteratorAttr],
)
