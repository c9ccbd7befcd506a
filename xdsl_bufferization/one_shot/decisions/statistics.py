"""
Pass statistics: what One-Shot Bufferize has decided and made, in numbers.

The names are those of the statistics of mlir-opt's pass.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis


@dataclass(frozen=True, slots=True)
class BufferizationStatistics:
    """Numbers of a run of One-Shot Bufferize over a module."""

    num_buffer_alloc: int
    """Buffer allocations that the rewrite has inserted, 0 before it."""
    num_tensor_in_place: int
    """Tensor operands that are in place, of ops that are bufferized."""
    num_tensor_out_of_place: int
    """Tensor operands that need a buffer of their own."""

    @classmethod
    def of(
        cls, analyses: Iterable[BufferizationAnalysis], allocations: int
    ) -> BufferizationStatistics:
        """Count what the analyses have decided."""
        decisions = [0, 0]
        for analysis in analyses:
            for operand in analysis.program.operands():
                if operand.owner.model is not None:
                    decisions[analysis.is_in_place(operand)] += 1
        out_of_place, in_place = decisions
        return cls(allocations, in_place, out_of_place)

    def __str__(self) -> str:
        """A line for each, as `mlir-opt -mlir-pass-statistics` writes them."""
        numbers = [getattr(self, field.name) for field in fields(self)]
        width = max(len(str(number)) for number in numbers)
        return "\n".join(
            f"  (S) {number:>{width}} {field.name.replace('_', '-')}"
            for field, number in zip(fields(self), numbers, strict=True)
        )
