"""
xDSL's `func` dialect, with references to functions.

Source: https://mlir.llvm.org/docs/Dialects/Func/
"""

from __future__ import annotations

from xdsl_bufferization.dialects.func.ops import CallIndirectOp, ConstantOp
from xdsl_bufferization.dialects.func.syntax import CallOp, FuncOp
from xdsl_bufferization.support.extensions import Extension

EXTENSION = Extension([CallIndirectOp, CallOp, ConstantOp, FuncOp])
