"""Decisions, right and wrong, for the checker to look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.ir import Operation

from xdsl_bufferization import OneShotOptions
from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.one_shot.decisions.alias_sets import AliasSet
from xdsl_bufferization.one_shot.decisions.annotations import IN_PLACE_ATTRIBUTE
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.decisions.reasons import Conflict, NotWritable, Reason
from xdsl_bufferization.one_shot.facts.program import TensorProgram
from xdsl_bufferization.one_shot.facts.records import TensorOperand
from xdsl_bufferization.semantics.checking.check import CheckOptions, check
from xdsl_bufferization.verification.functions import Problem, check_decisions


@dataclass(frozen=True)
class Flip:
    """An operand that a conflict keeps out of place."""

    op: Operation
    operand: int
    conflict: Conflict

    def make(self) -> None:
        """Write down that it is in place."""
        self._write("true")

    def undo(self) -> None:
        """Write down that it is not."""
        self._write("false")

    def _write(self, decision: str) -> None:
        decisions = [
            *cast("ArrayAttr[StringAttr]", self.op.attributes[IN_PLACE_ATTRIBUTE])
        ]
        decisions[self.operand] = StringAttr(decision)
        self.op.attributes[IN_PLACE_ATTRIBUTE] = ArrayAttr(decisions)


def decide(module: ModuleOp, options: OneShotOptions) -> list[Flip]:
    """
    Write the analysis' decisions on the module's ops; those that a conflict was the reason
    of are returned.

    Raises `BufferizationError` if the program cannot be bufferized.
    """
    one_shot = OneShotBufferization(module, options)
    one_shot.analyze()
    one_shot.annotate()
    return [*_conflicts(one_shot)]


def _conflicts(one_shot: OneShotBufferization) -> Iterator[Flip]:
    for analysis in one_shot.analyses:
        for operand in analysis.program.operands():
            reason = analysis.reason(operand)
            if isinstance(reason, Conflict):
                yield Flip(operand.owner.op, operand.index, reason)


def problems(module: ModuleOp, options: OneShotOptions) -> list[Problem]:
    """What the checker finds wrong with what is written on the module's ops."""
    return [
        *check_decisions(
            module,
            bufferize_function_boundaries=options.bufferize_function_boundaries,
            allow_return_allocs_from_loops=options.allow_return_allocs_from_loops,
        )
    ]


def bufferize_as_annotated(module: ModuleOp, options: OneShotOptions) -> None:
    """Bufferize with the decisions that are written on the ops, right or wrong."""
    one_shot = _AnnotatedBufferization(module, options)
    one_shot.analyze()
    one_shot.rewrite()


def why_not_the_same(module: ModuleOp, options: OneShotOptions) -> str:
    """
    What goes wrong when the program is run as it is annotated, on random inputs; nothing if
    it computes what it should.
    """
    after = module.clone()
    bufferize_as_annotated(after, options)
    # Some loops of the tests never end.
    options_of_check = CheckOptions(runs=8, searches=0, leaks=False, max_steps=5_000)
    report = check(module, after, options_of_check)
    return "" if report.ok else str(report.problem)


class _AnnotatedBufferization(OneShotBufferization):
    def _analyze(self, scope: Sequence[Operation]) -> OneShotAnalysis:
        program = TensorProgram(scope, self._model_in_analysis, self.summary_of)
        return _AnnotatedAnalysis(
            program, replace(self.options, check_parallel_regions=False)
        )


class _AnnotatedAnalysis(OneShotAnalysis):
    def _reason_against(
        self, operand: TensorOperand, sets: list[AliasSet]
    ) -> Reason | None:
        decisions = operand.owner.op.attributes[IN_PLACE_ATTRIBUTE]
        decision = cast("ArrayAttr[StringAttr]", decisions).data[operand.index]
        return None if decision.data == "true" else NotWritable(operand.value)
