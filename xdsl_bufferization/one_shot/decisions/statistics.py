"""
Pass statistics: decisions and allocations of One-Shot Bufferize, in numbers.

They are named like those of mlir-opt's pass.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis


class BufferizationStatistics(NamedTuple):
    """Numbers of one run of One-Shot Bufferize on a module."""

    num_buffer_alloc: int
    """Allocations that the rewrite has inserted; 0 before it."""
    num_tensor_in_place: int
    """Tensor operands that are in place, of ops that are bufferized."""
    num_tensor_out_of_place: int
    """Tensor operands that are out of place, of ops that are bufferized."""

    @classmethod
    def of(
        cls, analyses: Iterable[BufferizationAnalysis], allocations: int
    ) -> BufferizationStatistics:
        """Count the decisions of the analyses."""
        decisions = [0, 0]
        for analysis in analyses:
            for operand in analysis.program.operands():
                if operand.owner.model is not None:
                    decisions[analysis.is_in_place(operand)] += 1
        out_of_place, in_place = decisions
        return cls(allocations, in_place, out_of_place)

    def __str__(self) -> str:
        """A line for each number, as `mlir-opt -mlir-pass-statistics` prints them."""
        width = max(len(str(number)) for number in self)
        return "\n".join(
            f"  (S) {number:>{width}} {name.replace('_', '-')}"
            for name, number in zip(self._fields, self, strict=True)
        )
