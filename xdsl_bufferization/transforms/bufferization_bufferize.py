"""
The pass `bufferization-bufferize`.

Source: https://mlir.llvm.org/docs/Bufferization/ of LLVM 13 to 18
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl_bufferization.conversion.partial_bufferization import PartialBufferizePass


@dataclass(frozen=True)
class BufferizationBufferizePass(PartialBufferizePass):
    """
    Bufferize `bufferization` ops: `alloc_tensor`, `dealloc_tensor` and
    `materialize_in_destination`. `to_tensor` and `to_buffer` stay where an op that is on
    tensors needs them.
    """

    name = "bufferization-bufferize"
    dialects: ClassVar[tuple[str, ...]] = ("bufferization",)
