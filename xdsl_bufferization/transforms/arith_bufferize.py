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
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.options import OneShotOptions


@dataclass(frozen=True)
class ArithBufferizePass(PartialBufferizePass):
    """
    Bufferize `arith` ops: constants become read-only `memref.global`s.

    - `alignment`: the alignment of buffers in bytes; 0 leaves it out.
    """

    name = "arith-bufferize"
    dialects: ClassVar[tuple[str, ...]] = ("arith",)

    alignment: int = PARTIAL_OPTIONS.buffer_alignment

    def options(self) -> OneShotOptions:
        if self.alignment < 0:
            raise BufferizationError(
                None,
                f"{self.name}: '{self.alignment}' is not a value of alignment; it is a "
                "number of bytes",
            )
        return replace(PARTIAL_OPTIONS, buffer_alignment=self.alignment)
