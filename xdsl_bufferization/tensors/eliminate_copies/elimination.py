"""
Attempts to eliminate copies, each without what has made functions worse in those before.

What is to blame is left out, at first as little as possible. Functions that are
worse after `MAX_ATTEMPTS`, or have gained nothing, are put back as the attempts found them, with
what `eliminate-empty-tensors` has done where that is no worse.

In each function that is worse, more is left out from round to round: few of the edits that may be
to blame; again, of those that are left; all that may be to blame; and all that is not
`eliminate-empty-tensors`, if that has made it worse, too. So the number of attempts is bounded.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from xdsl.dialects import func

from xdsl_bufferization.support.call_graph import outermost_function
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.limits import MAX_ATTEMPTS
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.changes import Log
from xdsl_bufferization.tensors.costs.costs import Costs, costs_if_bufferizable
from xdsl_bufferization.tensors.edits import Edit, EditKind, Edits
from xdsl_bufferization.tensors.eliminate_copies.attempt import Attempt
from xdsl_bufferization.tensors.eliminate_copies.baseline import Baseline
from xdsl_bufferization.tensors.eliminate_copies.blame import Blame, OperandPlace
from xdsl_bufferization.tensors.eliminate_copies.culprits import (
    blame,
    copied_operands,
)
from xdsl_bufferization.tensors.eliminate_copies.layouts import ArgumentLayouts

if TYPE_CHECKING:
    from xdsl_bufferization.tensors.eliminate_copies.trace import Trace


class Elimination:
    """
    Changes the functions of a scope, given the position of the first change that
    `eliminate-empty-tensors` has made. Each attempt is added to the `trace`, if there is one.
    """

    def __init__(
        self,
        program: AnalysedModule,
        functions: Sequence[func.FuncOp],
        scope: Sequence[func.FuncOp],
        start: int,
        baseline: Baseline,
        trace: Trace | None = None,
    ):
        self._trace = trace
        self._program = program
        self._all = functions
        self._functions = scope
        self._scope = frozenset(scope)
        self._baseline = baseline
        self._layouts = ArgumentLayouts(functions, program.decisions)
        self._copied = self._copied_operands(self._scope - baseline.made_worse)
        """The operands that are copied if nothing else is better."""
        self._start_of_all = start
        self._former: Log = program.changes.undo(start, self._scope)
        """The changes of `eliminate-empty-tensors`, made again where nothing else is better."""
        self._start = program.changes.position
        program.has_changed()

    def run(self, blames: Mapping[func.FuncOp, Blame]) -> None:
        """
        Change the functions, as long as that is for the better, given what is to blame in those
        that `eliminate-empty-tensors` has made worse.
        """
        made_worse = self._scope & self._baseline.made_worse
        left_out = _LeftOut(
            self._baseline, self._copied | self._copied_operands(made_worse)
        )
        left_out.add(blames)
        for attempt in range(1, MAX_ATTEMPTS + 1):
            edits = Edits(left_out.edits)
            try:
                self._attempt(edits)
                last = self._program.remember(Costs)
                self._program.check_rewrite()
            except BufferizationError:
                self._give_up(self._functions)
                return
            if self._trace is not None:
                self._trace.add(self._program, edits, last, self._baseline)
            worse = {f for f in self._all if self._baseline.is_exceeded(f, last)}
            blames = blame(self._program, edits, last, self._baseline.limits_of(worse))
            if MAX_ATTEMPTS.exceeded_by(attempt + 1) or not left_out.add(blames):
                self._keep(worse, last)
                if self._trace is not None:
                    self._trace.finish(self._program, edits)
                self._take_turns(left_out.edits)
                return
            self._program.changes.undo(self._start, self._scope)
            self._program.has_changed()

    def _copied_operands(
        self, functions: AbstractSet[func.FuncOp]
    ) -> AbstractSet[OperandPlace]:
        """The operands that are copied in these functions, as they are."""
        if not functions:
            return frozenset()
        return {
            (op, index)
            for op, index in copied_operands(self._program)
            if outermost_function(op) in functions
        }

    def _attempt(self, edits: Edits) -> None:
        Attempt(
            self._program,
            self._functions,
            lambda: self._layouts.choose(self._all),
            edits,
        ).run()

    def _take_turns(self, left_out: AbstractSet[Edit]) -> None:
        """Let buffers take turns in loops that copy; the last attempt."""
        if not self._program.decisions.forwarded_copies and not any(
            op_name(info.op) == "scf.for"
            for analysis in self._program.analyses
            for info in analysis.program.ops
        ):
            return
        # Most short programs have no loops.
        from xdsl_bufferization.tensors.eliminate_copies.turns import Turns

        def attempt(functions: Sequence[func.FuncOp], edits: Edits) -> None:
            Attempt(
                self._program, functions, lambda: None, edits, is_unrolled=True
            ).run()

        Turns(self._program, self._all, self._baseline, attempt).take(
            self._scope, left_out
        )

    def _keep(self, worse: AbstractSet[func.FuncOp], last: Costs) -> None:
        """Put back the former bodies of functions that have gained nothing."""
        useless = worse | {
            f for f in self._functions if not self._baseline.is_improved(f, last)
        }
        others = self._scope - useless
        if not others:
            self._give_up(self._functions)
            return
        if useless:
            self._put_back(useless & self._scope)
            # Callers may have gained by the layouts of a function that has gained nothing.
            self._layouts.choose([f for f in self._all if f not in worse])
            # What a function does with memory depends on those that it calls.
            if not self._is_acceptable():
                self._give_up(others)
                return
        self._program.improved = [f for f in self._functions if f in others]

    def _give_up(self, functions: Collection[func.FuncOp]) -> None:
        """Put back the former bodies of all that is changed still."""
        self._layouts.reset()
        self._put_back(functions)
        if self._baseline.made_worse and not self._is_acceptable():
            self._program.changes.undo(self._start_of_all)
        self._program.has_changed()

    def _put_back(self, functions: Collection[func.FuncOp]) -> None:
        self._program.changes.undo(self._start, functions)
        made_worse = self._baseline.made_worse
        self._program.changes.redo(
            self._former, [f for f in functions if f not in made_worse]
        )

    def _is_acceptable(self) -> bool:
        self._program.has_changed()
        costs = costs_if_bufferizable(self._program)
        return costs is not None and not any(
            self._baseline.is_exceeded(f, costs) for f in self._all
        )


_ROUNDS = 4
"""Rounds of leaving out edits, for each function."""


class _LeftOut:
    """
    The edits that are left out. `copied` are the operands that are copied if no edit is made.
    """

    def __init__(self, baseline: Baseline, copied: AbstractSet[OperandPlace]):
        self._baseline = baseline
        self._copied = copied
        self._rounds: dict[func.FuncOp, int] = {}
        self.edits: set[Edit] = set()

    def add(self, blames: Mapping[func.FuncOp, Blame]) -> bool:
        """Leave out more edits of functions that are worse; returns whether there are any."""
        return any(
            [self._add(f, b.new_copies(self._copied)) for f, b in blames.items()]
        )

    def _add(self, function: func.FuncOp, blame: Blame) -> bool:
        while (number := self._rounds.get(function, 0)) < _ROUNDS:
            self._rounds[function] = number + 1
            if new := self._in_round(number, function, blame) - self.edits:
                self.edits |= new
                return True
        return False

    def _in_round(
        self, number: int, function: func.FuncOp, blame: Blame
    ) -> AbstractSet[Edit]:
        limits = self._baseline.limits[function].peaks
        if number < _ROUNDS - 2:
            return blame.smallest(limits)
        if number < _ROUNDS - 1:
            return blame.all(limits)
        if function not in self._baseline.made_worse:
            return frozenset()
        return {e for e in blame.edits if e.kind is not EditKind.IN_DESTINATION}
