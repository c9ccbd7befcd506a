"""
The pass `linalg-bufferize`.

Source: https://mlir.llvm.org/docs/Bufferization/ of LLVM 13 to 18
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl_bufferization.conversion.partial_bufferization import PartialBufferizePass


@dataclass(frozen=True)
class LinalgBufferizePass(PartialBufferizePass):
    """Bufferize `linalg` ops, each with a copy of its destination if it reads that."""

    name = "linalg-bufferize"
    dialects: ClassVar[tuple[str, ...]] = ("linalg",)
