"""
The `linalg` dialect of LLVM 22: xDSL's, with the ops that it lacks, and with the syntax of
mlir-opt.

Source: https://mlir.llvm.org/docs/Dialects/Linalg/
"""

from __future__ import annotations

from xdsl.dialects.linalg import Linalg as XdslLinalg

from xdsl_bufferization import repairs
from xdsl_bufferization.dialects.linalg.attributes import (
    ElementwiseKindAttr,
    TypeFnAttr,
)
from xdsl_bufferization.dialects.linalg.named_ops import NAMED_OPS
from xdsl_bufferization.dialects.linalg.packing_ops import PackOp, UnpackOp
from xdsl_bufferization.dialects.linalg.payloads import MapOp, ReduceOp
from xdsl_bufferization.dialects.linalg.special_ops import SPECIAL_OPS, IndexOp
from xdsl_bufferization.dialects.superset import superset

repairs.apply("linalg")

Linalg = superset(
    XdslLinalg,
    replacing=[*NAMED_OPS, IndexOp, ReduceOp],
    adding=[*SPECIAL_OPS, MapOp, PackOp, UnpackOp],
    attributes=[ElementwiseKindAttr, TypeFnAttr],
)
