"""
The order in which operands are decided.

Source: the option `analysis-heuristic`,
https://mlir.llvm.org/docs/Passes/#-one-shot-bufferize

Pass statistics: decisions and allocations of One-Shot Bufferize, in numbers.

They are named like those of mlir-opt's pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import NamedTuple

from xdsl.traits import IsTerminator

from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.facts.components import Components
from xdsl_bufferization.one_shot.facts.records import OpInfo, TensorOperand
from xdsl_bufferization.support.options import AnalysisHeuristic, OneShotOptions


def in_order(part: Components, options: OneShotOptions) -> Iterable[TensorOperand]:
    """
    The operands of the components in the order of their decisions: an operand that is decided
    early is more likely to be in place.
    """
    match options.analysis_heuristic:
        case AnalysisHeuristic.TOP_DOWN:
            ops = part.post_order
        case AnalysisHeuristic.BOTTOM_UP:
            ops = reversed(part.post_order)
        case AnalysisHeuristic.BOTTOM_UP_FROM_TERMINATORS:
            ops = _from_terminators(part)
        case AnalysisHeuristic.FUZZER:
            ops = [*part.post_order]
            Random(options.analysis_fuzzer_seed).shuffle(ops)
    return (operand for info in ops for operand in part.operands(info))


def depends_on_all_ops(options: OneShotOptions) -> bool:
    """
    Whether the order of the operands of one alias component depends on the ops of others.
    """
    return options.analysis_heuristic in (
        AnalysisHeuristic.BOTTOM_UP_FROM_TERMINATORS,
        AnalysisHeuristic.FUZZER,
    )


def _from_terminators(program: Components) -> Iterator[OpInfo]:
    """
    First the ops that compute tensors which terminators forward, from each terminator
    backwards, so that these tensors get the existing buffers; then the other ops.
    """
    seen: set[OpInfo] = set()
    for terminator in reversed(program.post_order):
        if not terminator.op.has_trait(IsTerminator, value_if_unregistered=False):
            continue
        pending = [terminator]
        while pending:
            info = pending.pop()
            if info in seen:
                continue
            seen.add(info)
            yield info
            pending.extend(
                owner
                for operand in info.operands
                if (owner := operand.value.owner) is not None
            )
    yield from (info for info in reversed(program.post_order) if info not in seen)


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
