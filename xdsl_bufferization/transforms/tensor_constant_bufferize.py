"""
The pass `tensor-constant-bufferize`.

Source: https://mlir.llvm.org/docs/Bufferization/ of LLVM 13 to 18
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl_bufferization.transforms.arith_bufferize import ArithBufferizePass


@dataclass(frozen=True)
class TensorConstantBufferizePass(ArithBufferizePass):
    """The former name of `arith-bufferize`."""

    name = "tensor-constant-bufferize"
