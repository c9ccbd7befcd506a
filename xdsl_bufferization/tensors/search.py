"""
Search over changes of a tensor program: each function keeps the best of a few candidates.

    candidate              executed   peak     limit 50,000
    as it came             77,824     50,496   too high: not kept
    all edits              16,384     49,152   kept
    all but one edit       20,480     32,768   more bytes copied: undone

Every change of a tensor program is tried by this code: it is made through the log of changes,
priced by `Costs`, and undone in each function that is not better by it (`keep_better`). `Search`
compares several candidates for a function, and puts the best one back from the log.

The limit of a function is its cost as it came, with peaks raised by `max-peak-increase`. A change
that lowers a peak does not tighten the limit of those after it. Within the limit a candidate is
better if it has a lower *score*, such as the bytes that it copies and moves when it runs, then the
number of copies and moves, then the peak.

A round decides and prices the program once, so the time is that of as many analyses as there are
rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from xdsl.dialects import func

from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.changes import Log
from xdsl_bufferization.tensors.costs.costs import (
    Costs,
    DecidedFunction,
    costs_if_bufferizable,
)
from xdsl_bufferization.tensors.costs.profile import Cost

Score: TypeAlias = tuple[int, ...]
"""The numbers that are compared, the most important first: less is better."""

ScoreOf: TypeAlias = Callable[[func.FuncOp, Costs], Score]


def traffic_and_peak(
    function: func.FuncOp, costs: Costs, peak_weight: int = 0
) -> Score:
    """
    Bytes read and written by copies and moves when the function runs, copies and moves in the text,
    and the peak. A byte of the peak is worth a copy of `peak_weight` bytes.
    """
    cost = costs.of(function)
    peak = sum(cost.peaks.values())
    return cost.executed + 2 * peak_weight * peak, cost.traffic[0], peak


class Limits:
    """
    The most that functions may cost: as they came, with peaks raised by so many percent; and their
    results stay in their memory spaces. If `after` is a cost within that, its traffic is the limit
    of traffic.
    """

    def __init__(
        self,
        functions: Iterable[func.FuncOp],
        came: Costs,
        percent: int = 0,
        after: Costs | None = None,
    ):
        self._costs = came
        self._of: dict[func.FuncOp, Cost] = {}
        for function in functions:
            cost = _raised(came.of(function), percent)
            if after is not None and not self._exceeds(function, after, cost):
                traffic = after.of(function)
                cost = cost._replace(copies=traffic.copies, moves=traffic.moves)
            self._of[function] = cost

    def of(self, function: func.FuncOp) -> Cost:
        """The most that the function may cost."""
        return self._of[function]

    @property
    def functions(self) -> AbstractSet[func.FuncOp]:
        """The functions that have limits."""
        return self._of.keys()

    def are_exceeded_by(self, function: func.FuncOp, costs: Costs) -> bool:
        """
        Whether a function that has a limit costs more than it may, or returns memory of another
        space.
        """
        limit = self._of.get(function)
        return limit is not None and self._exceeds(function, costs, limit)

    def are_kept(self, program: AnalysedModule) -> bool:
        """Whether the program can be bufferized, and no function exceeds its limits."""
        costs = costs_if_bufferizable(program)
        return costs is not None and not any(
            self.are_exceeded_by(f, costs) for f in self._of
        )

    def percent_for(self, function: func.FuncOp, cost: Cost) -> int | None:
        """The least `max-peak-increase` that allows these peaks; `None` if none does."""
        percent = 0
        for space, peak in cost.peaks.items():
            base = self._costs.of(function).peaks.get(space, 0)
            if peak and not base:
                return None
            if peak:
                percent = max(percent, -(-100 * peak // base) - 100)
        return percent

    def _exceeds(self, function: func.FuncOp, costs: Costs, limit: Cost) -> bool:
        former, now = self._costs[function], costs[function]
        return (
            not now.cost.is_no_more_than(limit)
            or now.spaces_of_results != former.spaces_of_results
        )


def _raised(cost: Cost, percent: int) -> Cost:
    """The cost with peaks that are so many percent higher."""
    if not percent:
        return cost
    memory = {space: peak.raised(percent) for space, peak in cost.memory.items()}
    return cost._replace(memory=memory)


def keep_better(
    program: AnalysedModule,
    position: int,
    functions: AbstractSet[func.FuncOp],
    limits: Limits,
    is_better: Callable[[func.FuncOp, Costs], bool],
) -> AbstractSet[func.FuncOp]:
    """
    Undo the changes since the position in the functions that exceed their limits or are not
    better, and all of them if another function exceeds its limits then, as it calls one that has
    changed. Returns the functions whose changes are kept.
    """
    program.has_changed()
    costs = costs_if_bufferizable(program)
    kept = {
        f
        for f in functions
        if costs is not None
        and not limits.are_exceeded_by(f, costs)
        and is_better(f, costs)
    }
    if kept < functions:
        program.changes.undo(position, functions - kept)
        program.has_changed()
    if kept and not limits.are_kept(program):
        program.changes.undo(position)
        program.has_changed()
        return frozenset()
    return kept


class Outcome(NamedTuple):
    """The result of a candidate for a function; the candidate is still applied."""

    costs: Costs | None
    """The costs of the program with the candidate; `None` if it cannot be bufferized."""
    score: Score
    """The score of the function with it; empty if it cannot be bufferized."""
    is_within: bool
    """Whether the function does not exceed its limits."""
    is_better: bool
    """Whether it is the best candidate so far."""


_T = TypeVar("_T")

Candidates: TypeAlias = Generator[_T, Outcome]
"""The candidates for one function, one after the other; each is answered by its outcome."""


class _Best(NamedTuple):
    """The best candidate so far."""

    score: Score
    changes: Log | None
    """Its changes; `None` if they are those of the last round, which is not undone."""


class Search(Generic[_T]):
    """
    Tries candidates for functions, all functions in one round.

    `apply` makes the changes of the candidates, and `settle` changes what depends on which
    functions are kept.
    """

    def __init__(
        self,
        program: AnalysedModule,
        candidates: Mapping[func.FuncOp, Candidates[_T]],
        limits: Limits,
        score: ScoreOf,
        apply: Callable[[Mapping[func.FuncOp, _T]], None],
        settle: Callable[[AbstractSet[func.FuncOp]], None] = lambda kept: None,
    ):
        self._program = program
        self._candidates = candidates
        self._limits = limits
        self._score = score
        self._apply = apply
        self._settle = settle
        self._best: dict[func.FuncOp, _Best] = {}

    def run(
        self, scores: Mapping[func.FuncOp, Score], otherwise: Log
    ) -> AbstractSet[func.FuncOp]:
        """
        Change functions so that their scores are better than these, which the program has with
        the changes `otherwise`; these are made again in the other functions. Returns the functions
        that are better.
        """
        changes, best = self._program.changes, self._best
        start = changes.position
        best.update((f, _Best(score, otherwise)) for f, score in scores.items())
        proposed = {
            f: candidate
            for f, candidates in self._candidates.items()
            for candidate in islice(candidates, 1)
        }
        if not proposed and not otherwise.entries:
            return frozenset()
        while proposed:
            outcomes = self._round(proposed)
            proposed = {
                f: candidate
                for f, outcome in outcomes.items()
                for candidate in _next(self._candidates[f], outcome)
            }
            if proposed:
                self._undo(start)
        stale = {f for f, found in best.items() if found.changes is not None}
        changes.undo(start, stale)
        for log in {
            id(b.changes): b.changes for b in best.values() if b.changes
        }.values():
            changes.redo(log, {f for f in stale if best[f].changes is log})
        kept = {f for f, found in best.items() if found.score < scores[f]}
        self._settle(kept)
        self._program.has_changed()
        if kept and not self._limits.are_kept(self._program):
            changes.undo(start)
            changes.redo(otherwise, best.keys())
            self._settle(frozenset())
            self._program.has_changed()
            return frozenset()
        return kept

    def _undo(self, start: int) -> None:
        """Undo a round, and keep its changes where they are the best so far."""
        log = self._program.changes.undo(start, self._best.keys())
        self._program.has_changed()
        for function, found in self._best.items():
            if found.changes is None:
                self._best[function] = found._replace(changes=log)

    def _round(
        self, proposed: Mapping[func.FuncOp, _T]
    ) -> Mapping[func.FuncOp, Outcome]:
        try:
            self._apply(proposed)
            costs = costs_if_bufferizable(self._program)
        except BufferizationError:
            costs = None
        if costs is None:
            return dict.fromkeys(proposed, Outcome(None, (), False, False))
        others = self._limits.functions - self._candidates.keys()
        is_valid = not any(self._limits.are_exceeded_by(f, costs) for f in others)
        outcomes: dict[func.FuncOp, Outcome] = {}
        for function in proposed:
            is_within = not self._limits.are_exceeded_by(function, costs)
            score = self._score(function, costs)
            is_better = is_valid and is_within and score < self._best[function].score
            if is_better:
                self._best[function] = _Best(score, None)
            outcomes[function] = Outcome(costs, score, is_within, is_better)
        return outcomes


def _next(candidates: Candidates[_T], outcome: Outcome) -> Sequence[_T]:
    """The next candidate, if there is one."""
    try:
        return [candidates.send(outcome)]
    except StopIteration:
        return ()


def lower_peaks(
    program: AnalysedModule,
    functions: AbstractSet[func.FuncOp],
    rounds: Iterable[int],
    candidates: Callable[[DecidedFunction], Candidates[_T]],
    score: ScoreOf,
    apply: Callable[[AnalysedModule, Iterable[_T]], None],
    *,
    undo_last: bool = False,
) -> AbstractSet[func.FuncOp]:
    """
    Rounds of searches in the functions, each from the best candidate of the one before, as long as
    scores get better. Functions whose peaks are not lower in the end are put back; `undo_last`
    also undoes the changes of a function since its peak has fallen. Returns the functions whose
    peaks are lower.
    """
    came = program.remember(Costs)
    start = program.changes.position
    positions = dict.fromkeys(functions, start)
    """By function: where the changes since its peak has fallen start."""
    changed: set[func.FuncOp] = set()

    def make(proposed: Mapping[func.FuncOp, _T]) -> None:
        apply(program, proposed.values())
        program.has_changed()

    for _ in rounds:
        costs = program.remember(Costs)
        search = Search(
            program,
            {f: candidates(costs[f]) for f in functions},
            Limits(costs, costs),
            score,
            make,
        )
        functions = search.run({f: score(f, costs) for f in functions}, Log(()))
        if not functions:
            break
        changed |= functions
        now = program.remember(Costs)
        lower = [f for f in functions if now.peak(f) < costs.peak(f)]
        positions.update(dict.fromkeys(lower, program.changes.position))
    # The last first: to undo changes moves those that follow.
    last = sorted(positions.items(), key=lambda p: -p[1]) if undo_last else ()
    for function, position in last:
        program.changes.undo(position, (function,))
    return keep_better(
        program,
        start,
        changed,
        Limits(came, came),
        lambda f, costs: costs.peak(f) < came.peak(f),
    )
