"""
The interface of an analysis for the rewrite.

Copies before each write are asked for by the option `copy-before-write` in the whole program, by
the option `no-analysis-func-filter` in some functions.

Source: https://mlir.llvm.org/docs/Passes/#-one-shot-bufferize

Also the order in which operands are decided, by the option `analysis-heuristic`, and the
statistics of mlir-opt's pass: decisions and allocations, in numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from random import Random
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.interfaces.bufferizable import BufferRelation
from xdsl_bufferization.one_shot.decisions.reasons import Reason
from xdsl_bufferization.one_shot.facts.numbering import Components
from xdsl_bufferization.one_shot.facts.origins import SourcesGiven
from xdsl_bufferization.one_shot.facts.program import ProgramState
from xdsl_bufferization.one_shot.facts.records import OpInfo, TensorOperand
from xdsl_bufferization.support.call_graph import is_call
from xdsl_bufferization.support.options import AnalysisHeuristic, OneShotOptions


class BufferizationAnalysis(ProgramState, ABC):
    """
    Which operands of a program are in place, and what follows from that.

    It implements `Decisions`, for models. An analysis that answers `is_in_place`, and
    `is_equivalent` if it knows more than that a tensor is equivalent to itself, can take
    the place of One-Shot Analysis.
    """

    ops_share_memory: bool = True
    """Whether an op may write a tensor that shares memory with other tensors."""

    @abstractmethod
    def is_in_place(self, operand: TensorOperand) -> bool:
        """Whether the op works on the buffer of the operand, not on a copy of it."""

    def reason(self, operand: TensorOperand) -> Reason | None:
        """Why the operand is out of place; `None` if it is in place, or for no reason."""
        return None

    def memory_of(self, value: SSAValue) -> frozenset[SSAValue]:
        memory: set[SSAValue] = set()
        pending, seen = [value], {value}
        while pending:
            value = pending.pop()
            info = self.program.values.get(value)
            sources: list[TensorOperand] = []
            is_own = True
            if info is not None and info.sources:
                is_own = False
                for operand, alias in self.sources_given.of(info):
                    if self.is_in_place(operand):
                        sources.append(operand)
                        is_own |= not alias.definite and (
                            alias.relation is BufferRelation.UNKNOWN
                        )
                    else:
                        is_own = True
            if is_own:
                memory |= {value, self._first_of_group.get(value, value)}
            for operand in sources:
                if (source := operand.value.value) not in seen:
                    seen.add(source)
                    pending.append(source)
        return frozenset(memory)

    def forget_derived(self) -> None:
        """Forget what follows from decisions that change."""
        for name in ("sources_given", "_first_of_group"):
            vars(self).pop(name, None)

    @cached_property
    def sources_given(self) -> SourcesGiven:
        """The sources of all tensors, once all is decided."""
        return SourcesGiven(self)

    @cached_property
    def _first_of_group(self) -> Mapping[SSAValue, SSAValue]:
        """For the results of an op that may share memory: one that stands for all."""
        return {
            result.value: group.values[0].value
            for info in self.program.ops
            for group in self.program.aliasing_results(info)
            for result in group.values
        }

    def sources_of(self, value: SSAValue) -> Sequence[SSAValue]:
        info = self.program.values.get(value)
        return [
            operand.value.value
            for operand, _ in (() if info is None else info.sources)
            if self.is_in_place(operand)
        ]

    def is_allocation(self, value: SSAValue) -> bool:
        info = self.program.values.get(value)
        if info is None or info.owner is None or not isinstance(value, OpResult):
            return False
        owner, model = info.owner, info.owner.model
        if model is None or model.allocates(owner.op, value):
            return model is not None
        if info.sources:
            return model.is_writable(owner.op, value, self)
        summary = self.summary_of(owner.op) if is_call(owner.op) else None
        return summary is not None and summary.allocated[value.index]

    def can_omit_copy(self, operand: TensorOperand) -> bool:
        """
        Whether the copy of an out-of-place operand need not have its contents: they are
        undefined, overwritten, or not read.
        """
        if not operand.value.definitions:
            return True
        if operand.reads:
            return False
        return operand.writes or not any(
            self.is_value_read(alias.value) for alias in operand.aliases
        )


def is_copied_before_write(op: Operation, options: OneShotOptions) -> bool:
    """Whether all writes within the op, an outermost one, work on a copy."""
    return options.copy_before_write or (
        isinstance(op, func.FuncOp)
        and options.bufferize_function_boundaries
        and op.sym_name.data in options.no_analysis_func_filter
    )


def options_at(op: Operation, options: OneShotOptions) -> OneShotOptions:
    """The options that hold for the op in the function that it is in."""
    if not options.no_analysis_func_filter:
        return options
    around: Operation | None = op
    while around is not None and not isinstance(around, func.FuncOp):
        around = around.parent_op()
    is_copied = around is not None and is_copied_before_write(around, options)
    return replace(options, copy_before_write=is_copied)


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
