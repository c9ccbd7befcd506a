"""The options of One-Shot Bufferize."""

from __future__ import annotations

from collections.abc import Sequence
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


class AnalysisHeuristic(StrEnum):
    """The order in which the analysis decides; what comes first has the better chances."""

    BOTTOM_UP = "bottom-up"
    """From the last op to the first."""
    TOP_DOWN = "top-down"
    """From the first op to the last."""
    BOTTOM_UP_FROM_TERMINATORS = "bottom-up-from-terminators"
    """First what is computed for terminators, from there backwards."""
    FUZZER = "fuzzer"
    """In random order."""


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
    allow_return_allocs_from_loops: bool = False
    """Let loops return new buffers, instead of copying to one that is there."""
    check_parallel_regions: bool = True
    """Give each run of a parallel region its own memory for what it writes."""
    analysis_heuristic: AnalysisHeuristic = AnalysisHeuristic.BOTTOM_UP
    """The order in which the analysis decides."""
    analysis_fuzzer_seed: int = 0
    """Makes the random order of the heuristic `fuzzer` repeatable."""
    dialect_filter: Sequence[str] = ()
    """If any are given, ops of other dialects stay on tensors, known or not."""
    no_analysis_func_filter: Sequence[str] = ()
    """Names of functions in which a buffer is copied before every write to it."""
    must_infer_memory_space: bool = False
    """
    Refuse a program in which nothing tells a buffer's memory space, instead of taking
    the default one.
    """
    use_encoding_for_memory_space: bool = False
    """A tensor's encoding is the memory space of its buffer."""

    must_be_in_place: bool = False
    """Refuse a program in which an operand needs a copy, instead of making it."""

    def lets_take_part(self, op_name: str) -> bool:
        """Whether ops of that name are bufferized, as far as the options tell."""
        return not self.dialect_filter or op_name.split(".")[0] in self.dialect_filter
