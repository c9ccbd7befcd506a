"""
Candidates of `eliminate-copies`: all edits, and all but those that interfere.

    all edits                  %l and %r are copied: computing %s in its destination interferes
    without that edit          one copy less: better, so this is kept

The first candidate of a function makes all edits. As long as candidates exceed the function's
limits, a few more of the edits that interfere are left out each time, and then all of them. If a
candidate is better than all before it but makes copies that the program did not make, what
interferes with these is left out. As long as anything is copied, the best candidate is tried
without each kind of edits in turn, in large functions without distribution only. The best one is
kept (`search.py`), so no edit is undone for a copy or for memory that it has nothing to do with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from xdsl.dialects import func

from xdsl_bufferization.support.limits import MAX_ATTEMPTS, MAX_OPS_FOR_KINDS
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.walk import walk
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.changes import Log
from xdsl_bufferization.tensors.costs.costs import Costs, costs_if_bufferizable
from xdsl_bufferization.tensors.edits import (
    LAYOUTS,
    EditKind,
    Edits,
    Omitted,
    edits_without,
)
from xdsl_bufferization.tensors.eliminate_copies.attempt import Attempt
from xdsl_bufferization.tensors.eliminate_copies.interference import (
    Interference,
    Interfering,
    OperandPlace,
    copied_by_function,
)
from xdsl_bufferization.tensors.eliminate_copies.layouts import ArgumentLayouts
from xdsl_bufferization.tensors.search import (
    Candidates,
    Limits,
    Search,
    traffic_and_peak,
)

if TYPE_CHECKING:
    from xdsl_bufferization.tensors.eliminate_copies.trace import Trace


class Elimination:
    """
    Changes the functions of a scope, given the position of the first change that
    `eliminate-empty-tensors` has made, with these edits, and the costs before and after it. Each
    attempt is added to the `trace`, if there is one.
    """

    def __init__(
        self,
        program: AnalysedModule,
        limits: Limits,
        scope: Sequence[func.FuncOp],
        start: int,
        edits: Edits,
        costs: tuple[Costs, Costs],
        trace: Trace | None = None,
    ):
        self._program = program
        self._limits = limits
        self._scope = scope
        self._trace = trace
        self._start = start
        self._layouts = ArgumentLayouts(limits.functions, program.decisions)
        self._edits = edits
        self._interference = Interference(program, edits)
        """The edits that interfere in the last round."""
        came, after = costs
        worse = {f for f in scope if limits.are_exceeded_by(f, after)}
        """The functions that `eliminate-empty-tensors` has made worse."""
        self._scores = {
            f: traffic_and_peak(f, came if f in worse else after) for f in scope
        }
        interfering = {f: self._interfering(f, after, frozenset()) for f in worse}
        copied = copied_by_function(program)
        self._otherwise = self._undo_empty_tensors(worse)
        if worse:
            copied = {**copied, **{f: () for f in worse}, **_only(worse, program)}
        self._left_out = {
            f: LeaveOut(f, self._interfering, {*copied.get(f, ())}, limits)
            for f in scope
        }
        self._first = {
            f: Omitted(frozenset(found.smallest(limits.of(f).peaks)))
            for f, found in interfering.items()
        }
        """What the first candidate leaves out; nothing in the other functions."""

    def _undo_empty_tensors(self, worse: AbstractSet[func.FuncOp]) -> Log:
        """
        Undo what `eliminate-empty-tensors` has done; returns the part that is made again where
        nothing else is better.
        """
        former = self._program.changes.undo(self._start, {*self._scope})
        self._program.has_changed()
        return Log([entry for entry in former.entries if entry[0] not in worse])

    def _interfering(
        self,
        function: func.FuncOp,
        costs: Costs,
        before: AbstractSet[OperandPlace],
    ) -> Interfering:
        peaks = self._limits.of(function).peaks
        return self._interference.of(function, costs, peaks, before)

    def run(self) -> None:
        """Change the functions, as long as that is for the better."""
        program = self._program
        search = Search(
            program,
            {
                f: left_out.candidates(self._first.get(f, Omitted()))
                for f, left_out in self._left_out.items()
            },
            self._limits,
            traffic_and_peak,
            self._attempt,
            self._choose_layouts,
        )
        kept = search.run(self._scores, self._otherwise)
        if not kept and self._is_exceeded():
            # Callers of a function that is as it came may need it as it was changed.
            program.changes.undo(self._start)
            program.has_changed()
        program.improved = [f for f in self._scope if f in kept]
        if self._trace is not None:
            self._trace.finish(program)
        self._double_buffers()

    def _attempt(self, candidates: Mapping[func.FuncOp, Omitted]) -> None:
        edits = edits_without(candidates, self._program.without)
        Attempt(
            self._program,
            [*candidates],
            lambda: self._choose_layouts(self._limits.functions),
            edits,
        ).run()
        self._interference = Interference(self._program, edits)
        if self._trace is not None:
            costs = self._program.remember(Costs)
            self._trace.add(self._program, edits, costs, self._limits)

    def _choose_layouts(self, kept: AbstractSet[func.FuncOp]) -> None:
        # Callers may gain by the layouts of a function that gains nothing.
        if kept and LAYOUTS not in self._program.without:
            self._layouts.choose(self._limits.functions)
        else:
            self._layouts.reset()

    def _is_exceeded(self) -> bool:
        costs = costs_if_bufferizable(self._program)
        return costs is None or any(
            self._limits.are_exceeded_by(f, costs) for f in self._limits.functions
        )

    def _double_buffers(self) -> None:
        if EditKind.DOUBLE_BUFFER in self._program.without or (
            not self._program.decisions.forwarded_copies
            and not any(
                op_name(info.op) == "scf.for"
                for analysis in self._program.analyses
                for info in analysis.program.ops
            )
        ):
            return
        # Most short programs have no loops.
        from xdsl_bufferization.tensors.eliminate_copies.double_buffering import (
            double_buffer,
        )

        left_out = {f: each.best for f, each in self._left_out.items()}
        double_buffer(self._program, self._limits, left_out)


def _only(
    functions: AbstractSet[func.FuncOp], program: AnalysedModule
) -> Mapping[func.FuncOp | None, Sequence[OperandPlace]]:
    """The operands that are copied in these functions, as they are now."""
    return {f: c for f, c in copied_by_function(program).items() if f in functions}


class LeaveOut:
    """
    The edits that are left out in a function, one set after the other. `before` are the operands
    that are copied if no edit is made.
    """

    def __init__(
        self,
        function: func.FuncOp,
        interfering: Callable[
            [func.FuncOp, Costs, AbstractSet[OperandPlace]], Interfering
        ],
        before: AbstractSet[OperandPlace],
        limits: Limits,
    ):
        self._function = function
        self._interfering = interfering
        self._before = before
        self._peaks = limits.of(function).peaks
        self._tried: set[Omitted] = set()
        self._kinds: Sequence[EditKind] = ()
        """The kinds of edits that the first candidate makes."""
        self._instead: Omitted | None = None
        """Other edits that hold memory at the peak, if the first candidate exceeds limits."""
        self._traffic: int | None = None
        """The bytes that are copied and moved with the best candidate, if there is one."""
        self.best = Omitted()
        """The best candidate so far."""

    def candidates(self, first: Omitted) -> Candidates[Omitted]:
        """
        The first candidate, then `instead`, then all edits but those of the next kind, and of
        kinds that are better left out; each time, more and more of what interferes is left out.
        """
        yield from self._without_interfering(first)
        if self._instead is not None and self._traffic != 0:
            yield from self._without_interfering(self._instead)
        if MAX_OPS_FOR_KINDS.exceeded_by(sum(1 for _ in walk([self._function]))):
            self._kinds = [k for k in self._kinds if k is EditKind.DISTRIBUTE]
        for kind in self._kinds:
            kinds = self.best.kinds
            if self._traffic != 0 and kind not in kinds:
                yield from self._without_interfering(Omitted(kinds=kinds | {kind}))

    def _without_interfering(self, omitted: Omitted) -> Candidates[Omitted]:
        for step in MAX_ATTEMPTS.steps():
            if omitted in self._tried:
                return
            self._tried.add(omitted)
            costs, is_within, is_better = yield omitted
            if costs is None or (is_within and not is_better):
                return
            executed = costs.of(self._function).executed
            if is_better:
                self.best, self._traffic = omitted, executed
            elif self._traffic is not None and executed >= self._traffic:
                return
            found = self._interfering(self._function, costs, self._before)
            if len(self._tried) == 1:
                self._note_first(found, is_within=is_within)
            is_stuck = step > 1 and not is_better
            more = (found.all if is_stuck else found.smallest)(self._peaks)
            if not more:
                return
            omitted = omitted._replace(edits=omitted.edits | more)

    def _note_first(self, found: Interfering, *, is_within: bool) -> None:
        """Note what else to leave out, given the edits of the first candidate."""
        kinds = {edit.kind for edit in found.edits}
        self._kinds = sorted(kinds, key=_PRIORITY.index)
        if not is_within:
            others = found.saving_no_traffic_first().smallest(self._peaks)
            self._instead = Omitted(frozenset(others))


_PRIORITY = [
    EditKind.DISTRIBUTE,
    *(k for k in EditKind if k is not EditKind.DISTRIBUTE),
]
"""Kinds of edits in the order in which they are left out: first the one that trades copies."""
