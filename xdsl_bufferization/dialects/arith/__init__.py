"""
The `arith` dialect of LLVM 22: xDSL's, with ops and flags that it lacks, and for tensors and
vectors where xDSL has numbers only.

Source: https://mlir.llvm.org/docs/Dialects/ArithOps/
"""

from __future__ import annotations

from xdsl_bufferization.dialects.arith.comparisons import COMPARISONS
from xdsl_bufferization.dialects.arith.conversions import (
    CONVERSIONS,
    SCALING_OPS,
    AddUIExtendedOp,
    RemfOp,
)
from xdsl_bufferization.support.extensions import Extension

EXTENSION = Extension(
    [
        *COMPARISONS,
        *CONVERSIONS,
        *SCALING_OPS,
        AddUIExtendedOp,
        RemfOp,
    ],
    repair="unranked_arith",
)
