"""
The pass `scf-bufferize`.

Source: https://mlir.llvm.org/docs/Bufferization/ of LLVM 13 to 18
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl_bufferization.conversion.partial_bufferization import PartialBufferizePass


@dataclass(frozen=True)
class SCFBufferizePass(PartialBufferizePass):
    """
    Bufferize `scf` ops, with the terminators of their regions and what
    `scf.forall.in_parallel` combines.
    """

    name = "scf-bufferize"
    dialects: ClassVar[tuple[str, ...]] = ("scf",)
