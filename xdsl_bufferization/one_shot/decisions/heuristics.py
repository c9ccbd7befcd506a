"""
The order in which operands are decided.

Source: the option `analysis-heuristic`,
https://mlir.llvm.org/docs/Passes/#-one-shot-bufferize
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from xdsl.traits import IsTerminator

from xdsl_bufferization.one_shot.facts.program import (
    OpInfo,
    TensorOperand,
    TensorProgram,
    ValueInfo,
)
from xdsl_bufferization.support.options import AnalysisHeuristic, OneShotOptions


def in_order(
    program: TensorProgram, options: OneShotOptions
) -> Iterable[TensorOperand]:
    """All operands of the program; each decision is the best given the earlier ones."""
    match options.analysis_heuristic:
        case AnalysisHeuristic.TOP_DOWN:
            ops = program.post_order
        case AnalysisHeuristic.BOTTOM_UP:
            ops = program.post_order[::-1]
        case AnalysisHeuristic.BOTTOM_UP_FROM_TERMINATORS:
            ops = _from_terminators(program)
        case AnalysisHeuristic.FUZZER:
            ops = program.post_order.copy()
            Random(options.analysis_fuzzer_seed).shuffle(ops)
    return (operand for info in ops for operand in info.operands)


def _from_terminators(program: TensorProgram) -> Iterator[OpInfo]:
    """
    First what computes the tensors that leave regions, from terminators backwards; so
    they get the buffers that are there, and what is on the side is copied.
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
                owner for operand in info.operands for owner in _owners(operand.value)
            )
    yield from (info for info in reversed(program.post_order) if info not in seen)


def _owners(value: ValueInfo) -> Iterator[OpInfo]:
    if value.owner is not None:
        yield value.owner
