"""
Candidates of `eliminate-copies`: all edits, and all but those that interfere.

    all edits                  %l and %r are copied: computing %s in its destination interferes
    without that edit          one copy less: better, so this is kept

The first candidate of a function makes all edits. As long as candidates exceed the function's
limits, a few more of the edits that interfere are left out each time; other edits that hold memory
at the peak, if that makes no difference, or more is then copied than with all edits. If a candidate
is better than all before it but makes copies that the program did not make, what interferes with
these is left out. As long as anything is copied, the best candidate is tried without each kind of
edits in turn, in large functions without distribution only; in short programs without each edit.
The best one is kept (`search.py`), so no edit is undone for a copy or for memory that it has
nothing to do with.

An `attempt` makes one candidate's rewrites, in their order. It analyses the program twice, whatever
its length: before the rewrites, and within `eliminate-empty-tensors`, which searches the facts
about the rewritten program before anything is decided about it. It leaves the program to be
analysed again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from xdsl.dialects import func

from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.support.limits import (
    MAX_ATTEMPTS,
    MAX_OPS_FOR_EDITS,
    MAX_OPS_FOR_KINDS,
)
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.changes import Log
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.edits import (
    LAYOUTS,
    Edit,
    EditKind,
    Edits,
    Omitted,
)
from xdsl_bufferization.tensors.eliminate_copies.copied_operands import (
    StraightCopy,
    copy_straight,
    rematerialize,
    remove_unused,
    save_contents,
    separate,
    sink,
)
from xdsl_bufferization.tensors.eliminate_copies.distribution import distribute
from xdsl_bufferization.tensors.eliminate_copies.inits import (
    MemoryOfInputs,
    ReusedInput,
    assemble_in_arguments,
    computed_in_destinations,
    copied_to,
    reuse_inputs,
)
from xdsl_bufferization.tensors.eliminate_copies.insertions import (
    Insertions,
    insert_instead,
    ops_to_replace,
    order_insertions,
)
from xdsl_bufferization.tensors.eliminate_copies.interference import (
    Interference,
    Interfering,
    OperandPlace,
    copied_by_function,
)
from xdsl_bufferization.tensors.eliminate_copies.layouts import ArgumentLayouts
from xdsl_bufferization.tensors.eliminate_copies.order import sink_writers
from xdsl_bufferization.tensors.eliminate_copies.rewriting import (
    Rewriting,
    in_memory_of_arguments,
)
from xdsl_bufferization.tensors.empty_tensor_elimination import (
    eliminate_empty_tensors_of,
)
from xdsl_bufferization.tensors.search import (
    Candidates,
    Limits,
    Outcome,
    Score,
    ScoreOf,
    Search,
)

if TYPE_CHECKING:
    from xdsl_bufferization.tensors.eliminate_copies.interference import Trace


def attempt(
    program: AnalysedModule,
    functions: Sequence[func.FuncOp],
    edits: Edits,
    before_insertions: Callable[[], object],
) -> None:
    """
    Rewrite what causes copies in the functions, as far as `edits` admits, and undo what turns out
    to be copied all the same. Other changes that follow from the rewrites of single ops, such as
    of layouts, are made `before_insertions`.

    Raises `BufferizationError` if the program cannot be bufferized then.
    """
    changes = program.changes
    # Undoing changes puts back these ops, not those that insertions make.
    replaceable = ops_to_replace(functions)
    reused: list[ReusedInput] = []
    straight: list[StraightCopy] = []
    for rewriting in _rewritings(program, functions, edits):
        memory = MemoryOfInputs(rewriting.analysis)
        if has_loops(rewriting.analysis):
            # Most short programs have no loops.
            from xdsl_bufferization.tensors.eliminate_copies.scans import scan_in_place

            scan_in_place(rewriting, memory.kept)
        rematerialized = rematerialize(rewriting)
        reused += reuse_inputs(rewriting, memory, copied_to(program, rewriting))
        rematerialized |= separate(rewriting)
        straight += copy_straight(rewriting)
        distribute(rewriting, reused)
        sink_writers(rewriting, rematerialized)
        save_contents(rewriting)
        sink(rewriting)
    before_insertions()
    insertions = insert_instead(replaceable, changes, edits)
    orders = order_insertions(functions, changes, edits)
    for inserted in insertions:
        inserted.follow(orders)
    program.has_changed()
    eliminate_empty_tensors_of(program, edits)
    if any([copy.undo_if_useless(changes, edits) for copy in straight]):
        program.has_changed()
    _undo_what_is_copied(program, functions, edits, reused, insertions)
    for input in reused:
        remove_unused(input.empty, changes)


def has_loops(analysis: OneShotAnalysis) -> bool:
    """Whether there is a `scf.for`."""
    return any(op_name(info.op) == "scf.for" for info in analysis.program.ops)


def _undo_what_is_copied(
    program: AnalysedModule,
    functions: Sequence[func.FuncOp],
    edits: Edits,
    reused: list[ReusedInput],
    insertions: Sequence[Insertions],
) -> None:
    """
    Undo reuses of inputs and insertions that are copied, and compute contents again where that
    avoids a copy now.
    """
    position = program.changes.position
    for rewriting in _rewritings(program, functions, edits):
        arguments = in_memory_of_arguments(rewriting.analysis)
        kept = arguments - computed_in_destinations(rewriting)
        reused[:] = [i for i in reused if not i.undo_if_copied(rewriting, kept)]
        # The last first, since its operands may be those before.
        insertions = [
            i for i in reversed(insertions) if not i.undo_if_copied(rewriting)
        ][::-1]
        rematerialize(rewriting)
        separate(rewriting)
        assemble_in_arguments(rewriting, copied_to(program, rewriting))
    if program.changes.position > position:
        program.has_changed()


def _rewritings(
    program: AnalysedModule, functions: Sequence[func.FuncOp], edits: Edits
) -> Iterator[Rewriting]:
    scope = frozenset(functions)
    for analysis in program.analyses:
        yield Rewriting(analysis, scope, program.changes, edits)


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
        score: ScoreOf,
        scope: Sequence[func.FuncOp],
        start: int,
        edits: Edits,
        costs: tuple[Costs, Costs],
        trace: Trace | None = None,
    ):
        self.program = program
        self.limits = limits
        self.score = score
        self._scope = scope
        self._trace = trace
        self.start = start
        self._layouts = ArgumentLayouts(limits.functions, program.decisions)
        self._edits = edits
        self._interference = Interference(program, edits)
        """The edits that interfere in the last round."""
        came, after = costs
        worse = {f for f in scope if limits.are_exceeded_by(f, after)}
        """The functions that `eliminate-empty-tensors` has made worse."""
        self._scores = {f: score(f, came if f in worse else after) for f in scope}
        interfering = {f: self.interfering(f, after, frozenset()) for f in worse}
        copied = copied_by_function(program)
        self._otherwise = self._undo_empty_tensors(worse)
        if worse:
            # If no edit is made, the empty tensors are there.
            as_it_came = copied_by_function(program)
            copied = {**copied, **{f: as_it_came.get(f, ()) for f in worse}}
        self.left_out = {f: LeaveOut(f, self, {*copied.get(f, ())}) for f in scope}
        self._first = {
            f: Omitted(frozenset(found.smallest())) for f, found in interfering.items()
        }
        """The edits that the first candidate leaves out; none in the other functions."""

    def _undo_empty_tensors(self, worse: AbstractSet[func.FuncOp]) -> Log:
        """
        Undo what `eliminate-empty-tensors` has done; returns the part that is made again where
        nothing else is better.
        """
        former = self.program.changes.undo(self.start, {*self._scope})
        self.program.has_changed()
        return Log([entry for entry in former.entries if entry[0] not in worse])

    def interfering(
        self,
        function: func.FuncOp,
        costs: Costs,
        before: AbstractSet[OperandPlace],
    ) -> Interfering:
        """
        The edits of the last round that may have made the function worse, given the costs, and the
        operands that are copied if no edit is made.
        """
        peaks = self.limits.of(function).peaks
        return self._interference.of(function, costs, peaks, before)

    def made(self, function: func.FuncOp) -> Sequence[Edit]:
        """The edits that the last round has made in the function."""
        return self._interference.made.get(function, ())

    def run(self) -> None:
        """Change the functions, as long as that is for the better."""
        program = self.program
        search = Search(
            program,
            {
                f: left_out.candidates(self._first.get(f, Omitted()))
                for f, left_out in self.left_out.items()
            },
            self.limits,
            self.score,
            self.attempt,
            self.choose_layouts,
        )
        kept = search.run(self._scores, self._otherwise)
        if not kept and not self.limits.are_kept(program):
            # Callers of a function that is as it came may need it as it was changed.
            program.changes.undo(self.start)
            program.has_changed()
        program.improved = [f for f in self._scope if f in kept]
        if self._trace is not None:
            self._trace.finish(program)

    def attempt(self, candidates: Mapping[func.FuncOp, Omitted]) -> None:
        """Make all edits in these functions but those that are left out."""
        edits = Edits(candidates, self.program.without)
        attempt(
            self.program,
            [*candidates],
            edits,
            lambda: self.choose_layouts(self.limits.functions),
        )
        self._interference = Interference(self.program, edits)
        if self._trace is not None:
            costs = self.program.remember(Costs)
            self._trace.add(self.program, edits, costs, self.limits)

    def choose_layouts(self, kept: AbstractSet[func.FuncOp]) -> None:
        """Choose the layouts of arguments, or leave them if no changes are kept."""
        former = [function.arg_attrs for function in self.limits.functions]
        # Callers may gain by the layouts of a function that gains nothing.
        if kept and LAYOUTS not in self.program.without:
            self._layouts.choose(self.limits.functions)
        else:
            self._layouts.reset()
        if former != [function.arg_attrs for function in self.limits.functions]:
            # The log knows nothing of them.
            self.program.forget()


class LeaveOut:
    """
    The edits that are left out in a function, one set after the other. `before` are the operands
    that are copied if no edit is made.
    """

    def __init__(
        self,
        function: func.FuncOp,
        elimination: Elimination,
        before: AbstractSet[OperandPlace],
    ):
        self._function = function
        self._elimination = elimination
        self._before = before
        self._tried: set[Omitted] = set()
        self._kinds: Sequence[EditKind] = ()
        """The kinds of edits that the first candidate makes."""
        self._instead: Sequence[Omitted] = ()
        """Other edits that hold memory at the peak, if the first candidate exceeds limits."""
        self._with_all = 0
        """The traffic of the first candidate, if it exceeds limits."""
        self._least: int | None = None
        """The traffic of the best candidate, with its peak if that counts as much."""
        self._made: Sequence[Edit] = ()
        """The edits of the best candidate; of the first one if none is better."""
        self.best = Omitted()
        """The best candidate so far."""

    def candidates(self, first: Omitted) -> Candidates[Omitted]:
        """
        The first candidate, then `instead`, then all edits but those of the next kind, and of
        kinds that are better left out; each time, more and more of what interferes is left out.
        In short programs, each edit is made, or left out, alone.
        """
        yield from self._without_interfering(first)
        yield from self._without_others()
        if MAX_OPS_FOR_KINDS.within(walk([self._function])) is None:
            self._kinds = [k for k in self._kinds if k is EditKind.DISTRIBUTE]
        for kind in self._kinds:
            kinds = self.best.kinds
            if self._least != 0 and kind not in kinds:
                yield from self._without_interfering(Omitted(kinds=kinds | {kind}))
        module = self._elimination.program.module
        if MAX_OPS_FOR_EDITS.within(walk([module])) is not None:
            yield from self._neighbours()

    def _without_others(self) -> Candidates[Omitted]:
        """`instead`, unless it has been tried, as long as more is copied than with all edits."""
        instead, self._instead = self._instead, ()
        for omitted in instead:
            if self._copies_more_than_all():
                yield from self._without_interfering(omitted)

    def _copies_more_than_all(self) -> bool:
        return self._least is None or self._least > self._with_all

    def _neighbours(self) -> Candidates[Omitted]:
        """The best candidate with one edit more or less, until none of these is better."""
        best: Omitted | None = None
        while best is not self.best:
            best = self.best
            for edit in (*self._made, *best.edits):
                yield from self._try(best._replace(edits=best.edits ^ {edit}))
                if best is not self.best:
                    break

    def _without_interfering(self, omitted: Omitted) -> Candidates[Omitted]:
        former: Score = ()
        for _ in MAX_ATTEMPTS.steps():
            is_first = not self._tried
            outcome = yield from self._try(omitted)
            if outcome is None:
                return
            costs, score, is_within, is_better = outcome
            if is_first:
                made = {edit.kind for edit in self._made}
                self._kinds = sorted(made, key=_PRIORITY.index)
            if costs is None or (
                not is_better and (is_within or self._copies_more(score))
            ):
                return
            found = self._elimination.interfering(self._function, costs, self._before)
            if score == former:  # What is left out now makes no difference.
                yield from self._without_others()
                if not self._copies_more_than_all():
                    return
            former = score
            if is_first and not is_within:
                self._with_all = score[0]
                self._instead = [
                    Omitted(frozenset(others))
                    for others in (
                        found.saving_no_traffic_first().smallest(),
                        found.smallest(largest_first=True),
                    )
                ]
            if not (more := found.smallest()):
                return
            omitted = omitted._replace(edits=omitted.edits | more)

    def _copies_more(self, score: Score) -> bool:
        """Whether as much is copied and moved as with the best candidate, if there is one."""
        return self._least is not None and score[0] >= self._least

    def _try(self, omitted: Omitted) -> Generator[Omitted, Outcome, Outcome | None]:
        """Try a candidate; returns its outcome, or `None` if it has been tried before."""
        if omitted in self._tried:
            return None
        outcome = yield omitted
        if outcome.is_better or not self._tried:
            self._made = self._elimination.made(self._function)
        self._tried.add(omitted)
        if outcome.is_better:
            self.best, self._least = omitted, outcome.score[0]
        return outcome


_PRIORITY = [
    EditKind.DISTRIBUTE,
    *(k for k in EditKind if k is not EditKind.DISTRIBUTE),
]
"""Kinds of edits in the order in which they are left out: first the one that trades copies."""
