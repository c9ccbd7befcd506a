"""
The pass `arith-bufferize`.

Source: https://mlir.llvm.org/docs/Bufferization/ of LLVM 13 to 18
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from xdsl_bufferization.conversion.partial_bufferization import (
    PARTIAL_OPTIONS,
    PartialBufferizePass,
)
from xdsl_bufferization.support.options import Alignment, OneShotOptions


@dataclass(frozen=True)
class ArithBufferizePass(PartialBufferizePass):
    """Bufferize `arith` ops: constants become read-only `memref.global`s."""

    name = "arith-bufferize"
    dialects: ClassVar[tuple[str, ...]] = ("arith",)

    alignment: Alignment = PARTIAL_OPTIONS.buffer_alignment
    """The alignment of buffers, in bytes; 0 leaves it out."""

    def options(self) -> OneShotOptions:
        return replace(PARTIAL_OPTIONS, buffer_alignment=self.alignment)
