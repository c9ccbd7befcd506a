"""
The `arith` dialect of LLVM 22: xDSL's, with ops and flags that it lacks, and for tensors and
vectors where xDSL has numbers only.

Source: https://mlir.llvm.org/docs/Dialects/ArithOps/
"""

from __future__ import annotations

from xdsl.dialects import arith

from xdsl_bufferization.dialects.arith.casts import IndexCastOp, IndexCastUIOp
from xdsl_bufferization.dialects.arith.comparisons import COMPARISONS
from xdsl_bufferization.dialects.arith.conversions import CONVERSIONS
from xdsl_bufferization.dialects.arith.more_ops import SCALING_OPS, RemfOp
from xdsl_bufferization.dialects.superset import superset

Arith = superset(
    arith.Arith,
    replacing=[*COMPARISONS, *CONVERSIONS, IndexCastOp],
    adding=[*SCALING_OPS, IndexCastUIOp, RemfOp],
)
