"""
The pass `tensor-bufferize`.

Source: https://mlir.llvm.org/docs/Bufferization/ of LLVM 13 to 18
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl_bufferization.conversion.partial_bufferization import PartialBufferizePass


@dataclass(frozen=True)
class TensorBufferizePass(PartialBufferizePass):
    """Bufferize `tensor` ops, but for those that are part of an `scf.forall`."""

    name = "tensor-bufferize"
    dialects: ClassVar[tuple[str, ...]] = ("tensor",)
