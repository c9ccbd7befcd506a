"""The options of One-Shot Bufferize."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class LayoutMapOption(StrEnum):
    """Which layout a memref gets where none follows from the program."""

    INFER = "infer-layout-map"
    """The layout of the buffer where it is known, fully dynamic elsewhere."""
    IDENTITY = "identity-layout-map"
    """No layout: contiguous, row-major."""
    FULLY_DYNAMIC = "fully-dynamic-layout-map"
    """Dynamic offset and strides."""


@dataclass(frozen=True, kw_only=True)
class OneShotOptions:
    """
    What One-Shot Bufferize does; names, meaning and defaults are mlir-opt's.

    https://mlir.llvm.org/docs/Passes/#-one-shot-bufferize
    """

    allow_unknown_ops: bool = False
    """Leave ops that can not be bufferized on tensors, instead of an error."""
    bufferize_function_boundaries: bool = False
    """Bufferize functions' arguments and results, returns and calls."""
    function_boundary_type_conversion: LayoutMapOption = LayoutMapOption.INFER
    """The layout of functions' arguments and results."""
    unknown_type_conversion: LayoutMapOption = LayoutMapOption.FULLY_DYNAMIC
    """The layout of the buffer of a tensor that an unknown op defines."""
    copy_before_write: bool = False
    """No analysis: copy a buffer before every write to it."""
    buffer_alignment: int = 64
    """The alignment of new buffers, in bytes; 0 leaves it out."""
