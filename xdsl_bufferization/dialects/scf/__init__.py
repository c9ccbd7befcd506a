"""
xDSL's `scf` dialect with `scf.forall` and its terminator, which it lacks, and with custom
syntax of `scf.parallel`.

Source: https://mlir.llvm.org/docs/Dialects/SCFDialect/
"""

from __future__ import annotations

from xdsl_bufferization.dialects.scf.control_flow import (
    ExecuteRegionOp,
    ForOp,
    IfOp,
    ParallelOp,
    ReduceOp,
    WhileOp,
)
from xdsl_bufferization.dialects.scf.forall import ForallOp, InParallelOp
from xdsl_bufferization.support.extensions import Extension

EXTENSION = Extension(
    [
        ExecuteRegionOp,
        ForOp,
        ForallOp,
        IfOp,
        InParallelOp,
        ParallelOp,
        ReduceOp,
        WhileOp,
    ]
)
