"""
The pass `func-bufferize`.

Source: https://mlir.llvm.org/docs/Bufferization/ of LLVM 13 to 18
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl_bufferization.conversion.partial_bufferization import PartialBufferizePass


@dataclass(frozen=True)
class FuncBufferizePass(PartialBufferizePass):
    """
    Bufferize functions: arguments, results, returns, calls, and the arguments of blocks
    with the branches to them. All memrefs there are without a layout.
    """

    name = "func-bufferize"
    dialects: ClassVar[tuple[str, ...]] = ("func",)
