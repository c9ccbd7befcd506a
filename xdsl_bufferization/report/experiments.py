"""
Changes of a program that the report tries on clones of it, before it advises them.

    func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> {
      %r = scf.for ... iter_args(%s = %t) ...
      func.return %r      // a copy; tried: donate %t, 32 bytes less copied

Options and passes are tried once for all functions. So are edits, such as a donation or ops that
move: one of each function at a time. What is compared is what `bufferize` makes of the
program: the bytes that copies of each op copy when the function runs, and the peak. Each change of
the program takes the time of `bufferize`, so large ones try one change that is known to help
somewhere (`MAX_OPS_TRIED`), and none try what cannot help.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, suppress
from dataclasses import replace
from functools import cached_property
from io import StringIO
from itertools import chain, islice
from operator import lt
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ModuleOp,
)
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from xdsl_bufferization.former.copy_removal import CopyRemovalPass
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.interfaces.region_branch import is_loop
from xdsl_bufferization.report.memory import memory_functions
from xdsl_bufferization.report.model import peak_of
from xdsl_bufferization.report.source import (
    NONE,
    UNKNOWN,
    Formula,
    Source,
    formula_text,
    magnitude,
)
from xdsl_bufferization.report.trial import Trial
from xdsl_bufferization.support.call_graph import (
    CallGraph,
    functions_in,
    is_private,
    is_return,
)
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.donation import (
    ALIASING_RESULT,
    donate,
    possible_donations,
)
from xdsl_bufferization.support.failures import verified_module
from xdsl_bufferization.support.limits import MAX_OPS_TRIED
from xdsl_bufferization.support.options import LayoutMapOption
from xdsl_bufferization.support.shaped_types import is_tensor
from xdsl_bufferization.support.snapshots import TracedClone
from xdsl_bufferization.transforms.bufferize import BufferizePass
from xdsl_bufferization.transforms.eliminate_copies import EliminateCopiesPass
from xdsl_bufferization.transforms.split_at_peak import SplitAtPeakPass
from xdsl_bufferization.verification.copy_bound.program import executions


class Figures(NamedTuple):
    """The memory of a function after `bufferize`."""

    copied: Mapping[Operation | None, Formula]
    """By op of the program: the bytes that copies made for it copy when the function runs."""
    peak: Formula

    @property
    def total(self) -> Formula:
        """All bytes that are copied."""
        return sum(self.copied.values(), NONE)


class Edit(NamedTuple):
    """A change of a function."""

    words: str
    """How to make it: the first part of a sentence."""
    make: Callable[[Mapping[Operation, Operation]], object] | None = None
    """Makes it in a clone of the program, given the clones of its ops, if that is to be done."""
    results: Collection[int] = ()
    """The indices of the only results that it is about; all if there are none."""


class Way(NamedTuple):
    """A change that has been tried."""

    words: str
    """How to make it, and what it changes in a function."""
    peak_increase: int
    """The bytes by which the peak is higher."""


def figures(
    module: ModuleOp, origin: Callable[[Operation], Operation | None]
) -> Mapping[Operation, Figures]:
    """The figures of a program on buffers, by function of the program that it is made of."""
    source = Source()
    found: dict[Operation, Figures] = {}
    for function, memory in memory_functions(module, source).items():
        copied: defaultdict[Operation | None, Formula] = defaultdict(lambda: NONE)
        for op in function.walk():
            if (model := CopyOpInterface.of(op)) is not None:
                size = source.sizes.of_contents(model.source(op))
                copied[origin(op)] += (size or UNKNOWN).times(executions(op))
        if (of := origin(function)) is not None:
            found[of] = Figures(copied, peak_of(memory))
    return found


class _Change(NamedTuple):
    """A changed clone of the program, or of what a trial makes of it."""

    clone: TracedClone
    passes: Sequence[ModulePass]
    """The passes that bufferize it."""
    edits: Mapping[Operation, Edit]
    """By function what is changed there."""


class Experiments:
    """
    The changes of a program that have been tried, and what each changes: of what the trial makes of
    it, and of the program itself, edits of functions among them, and options, with these values of
    `max-peak-increase`. `updated` has the arguments of a function that are in results, each with
    the index of the result.
    """

    def __init__(
        self,
        ctx: Context,
        module: ModuleOp,
        options: BufferizePass,
        trial: Trial,
        percents: Iterable[int],
        edits: Mapping[Operation, Iterable[Edit]],
        updated: Mapping[Operation, Collection[tuple[int, int]]],
        *,
        copies: bool,
    ):
        self._ctx = ctx
        self._trial = trial
        self._tried = list[
            tuple[Mapping[Operation, Edit], Mapping[Operation, Figures]]
        ]()
        at_peaks = [("max_peak_increase", percent) for percent in percents]
        known = chain(
            _edited(module, options, edits, updated),
            _with_options(module, options, at_peaks),
        )
        changes = _of_small(module, options, trial, known, copies=copies)
        for number, change in enumerate(changes if trial.is_small else known, 1):
            self._try(change)
            if not trial.is_small or MAX_OPS_TRIED.exceeded_by(number * trial.ops):
                break

    @cached_property
    def _now(self) -> Mapping[Operation, Figures]:
        return figures(self._trial.module, self._trial.origin)

    def _try(self, change: _Change) -> None:
        """Bufferize a changed clone, and keep its figures by function of the program."""
        module = change.clone.module
        # Remarks are about the program as it is.
        with redirect_stderr(StringIO()), suppress(BufferizationError):
            verified_module("bufferization-report", module)
            for module_pass in change.passes:
                module_pass.apply(self._ctx, module)
            self._tried.append((change.edits, figures(module, change.clone.origin)))

    def ways(
        self, function: Operation, op: Operation | None = None, index: int | None = None
    ) -> Sequence[Way]:
        """
        The changes with which less is copied for an operand of the op, or, without one, that
        lower the peak; the best ones first.
        """
        result = None if op is None or not is_return(op) else index
        found: list[tuple[tuple[int, ...], Way]] = []
        for edits, after in self._tried:
            if function not in self._now or function not in after.keys() & edits:
                continue
            now, then, edit = self._now[function], after[function], edits[function]
            scores = [
                (magnitude(f.peak),)
                if op is None
                else (magnitude(f.total), magnitude(f.copied.get(op, NONE)))
                for f in (then, now)
            ]
            is_about = result is None or result in (edit.results or [result])
            if is_about and all(map(lt, *scores)):
                effects = [
                    *_effect(now.total, then.total, "copied"),
                    *_effect(now.peak, then.peak, "at the peak"),
                ]
                words = f"{edit.words}: {', '.join(effects)}."
                more = magnitude(then.peak) - magnitude(now.peak)
                rank = *scores[0], magnitude(then.total)
                found.append((rank, Way(words, more)))
        return [way for _, way in sorted(found, key=lambda pair: pair[0])]


def _effect(before: Formula, after: Formula, what: str) -> Iterator[str]:
    less, more = before - after, after - before
    if magnitude(after) < magnitude(before):
        yield f"{formula_text(less)} bytes less {what}"
    elif more.terms:
        yield f"{formula_text(more)} bytes more {what}"


def _edited(
    module: ModuleOp,
    options: BufferizePass,
    edits: Mapping[Operation, Iterable[Edit]],
    updated: Mapping[Operation, Collection[tuple[int, int]]],
) -> Iterator[_Change]:
    """Clones with an edit of each function, four at most: those that are known, and donations."""
    graph = CallGraph(module)
    # Edits of called functions would change their callers, too.
    left = {
        f: islice(chain(edits.get(f, ()), _donations(f, updated.get(f, ()))), 4)
        for f in graph.functions
        if not graph.calls[f]
    }
    while made := {f: e for f, of in left.items() if (e := next(of, None)) is not None}:
        clone = TracedClone(module)
        for edit in made.values():
            if edit.make is not None:
                edit.make(clone.ops)
        yield _Change(clone, [options], {**made})


def _with_options(
    module: ModuleOp, options: BufferizePass, values: Iterable[tuple[str, object]]
) -> Iterator[_Change]:
    """The program with each of these values of options, unless it has that one."""
    for name, value in values:
        if getattr(options, name) != value:
            edit = Edit(f"Set {name.replace('_', '-')}={str(value).lower()}")
            every = dict.fromkeys(functions_in(module), edit)
            changed = replace(options, **{name: value})
            yield _Change(TracedClone(module), [changed], every)


def _of_small(
    module: ModuleOp,
    options: BufferizePass,
    trial: Trial,
    known: Iterable[_Change],
    *,
    copies: bool,
) -> Iterator[_Change]:
    """
    The changes of a small program, also where nothing tells that they help. Passes and layouts that
    only avoid copies make no difference without `copies`.
    """
    every = functions_in(module)
    if copies:
        clone = TracedClone(trial.module)
        for op, cloned in clone.ops.items():
            clone.trace(cloned, trial.origin(op))
        edit = Edit("Run copy-removal after bufferize")
        yield _Change(clone, [CopyRemovalPass()], dict.fromkeys(every, edit))
    yield from known
    if options.eliminate_copies:
        passes = EliminateCopiesPass(), SplitAtPeakPass(), options
        edit = Edit("Run eliminate-copies,split-at-peak before bufferize")
        yield _Change(TracedClone(module), passes, dict.fromkeys(every, edit))
    loops = any(is_loop(op) and any(map(is_tensor, op.results)) for op in module.walk())
    values: Sequence[tuple[str, object, bool]] = (
        ("eliminate_copies", True, True),
        ("allow_return_allocs_from_loops", True, loops),
        ("function_boundary_type_conversion", LayoutMapOption.IDENTITY, copies),
        ("max_added_work", 100, options.fuse),
        ("peak_weight", 2, True),
    )
    helping = ((name, value) for name, value, may_help in values if may_help)
    yield from _with_options(module, options, helping)


def _donations(
    function: func.FuncOp, updated: Collection[tuple[int, int]]
) -> Iterator[Edit]:
    """
    Donations of arguments of a public function for its results: of all `updated` ones together,
    of each of them, and of others.
    """
    if is_private(function) or not function.body.blocks:
        return
    pairs = [*possible_donations(function)]
    # An argument can be in one donation only.
    together = dict(pair for pair in pairs if pair in updated)
    if len(together) > 1:
        yield _donation(function, [*together.items()])
    for pair in sorted(pairs, key=lambda pair: pair not in updated):
        yield _donation(function, [pair])


def _donation(function: func.FuncOp, pairs: Sequence[tuple[int, int]]) -> Edit:
    """The donation of arguments, each for the result with an index."""
    names = [f"%{function.args[n].name_hint or n}" for n, _ in pairs]
    results = [result for _, result in pairs]
    what, places = ("them", names) if names[1:] else ("it", ["that argument"])
    each = [f"= {r} on {place}" for r, place in zip(results, places, strict=True)]

    def make(clones: Mapping[Operation, Operation]) -> None:
        for number, result in pairs:
            donate(clones[function], number, result)

    return Edit(
        f"If callers do not need {', '.join(names)} any more, donate {what}, with the "
        f"attribute {ALIASING_RESULT} {', '.join(each)}",
        make,
        results,
    )
