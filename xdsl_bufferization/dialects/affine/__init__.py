"""
xDSL's `affine` dialect, with the custom syntax of `affine.if` and `affine.parallel`, and with
the ops that it lacks.

Source: https://mlir.llvm.org/docs/Dialects/Affine/
"""

from __future__ import annotations

from xdsl.dialects import affine

from xdsl_bufferization import repairs
from xdsl_bufferization.dialects.affine.control_flow import IfOp
from xdsl_bufferization.dialects.affine.indices import (
    DelinearizeIndexOp,
    LinearizeIndexOp,
    MaxOp,
    PrefetchOp,
)
from xdsl_bufferization.dialects.affine.parallel import ParallelOp
from xdsl_bufferization.dialects.superset import superset

repairs.apply("affine")

Affine = superset(
    affine.Affine,
    replacing=[IfOp, ParallelOp],
    adding=[DelinearizeIndexOp, LinearizeIndexOp, MaxOp, PrefetchOp],
)
