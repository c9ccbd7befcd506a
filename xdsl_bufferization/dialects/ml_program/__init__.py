"""
xDSL's `ml_program` dialect, with the loads and stores of globals that it lacks, and with the
syntax of mlir-opt.

Source: https://mlir.llvm.org/docs/Dialects/MLProgramOps/
"""

from __future__ import annotations

from xdsl_bufferization.dialects.ml_program.functions import FUNCTIONS
from xdsl_bufferization.dialects.ml_program.ops import (
    ExternAttr,
    GlobalLoadConstantOp,
    GlobalLoadGraphOp,
    GlobalLoadOp,
    GlobalOp,
    GlobalStoreGraphOp,
    GlobalStoreOp,
    TokenOp,
    TokenType,
)
from xdsl_bufferization.support.extensions import Extension

EXTENSION = Extension(
    [
        *FUNCTIONS,
        GlobalLoadConstantOp,
        GlobalLoadGraphOp,
        GlobalLoadOp,
        GlobalOp,
        GlobalStoreGraphOp,
        GlobalStoreOp,
        TokenOp,
    ],
    attributes=[ExternAttr, TokenType],
)
