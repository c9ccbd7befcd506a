"""
The report on functions on tensors: the buffers and copies that bufferization makes, with reasons.

Copies are *forced* if the bound of their function proves it, also where their size is unknown.
They are *avoidable* if a way to avoid them is known: the bound says how, or there is advice for
the author. Otherwise their verdict is *unknown*.

    %s = tensor.insert %x into %t[%i] : tensor<?xf32>   // copies %t: avoidable, since the
    %o = tensor.extract %t[%j] : tensor<?xf32>          // extraction may come first

The verdict agrees with the reason for the copy: only if the advice says which ops to move does it
say that they may run in another order. Two bounds are computed at most, each in near-linear time;
the second one only if there are copies of unknown size. If an attempt to avoid a copy was given
up since the peak was higher, the report says by how many bytes; if no attempt avoids the copy,
how far they went.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.interfaces.bufferizable import ForwardedCopy
from xdsl_bufferization.interfaces.contents import move_of
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.interfaces.loop_like import trip_count
from xdsl_bufferization.memrefs.buffers.buffer_flow import base_of
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.decisions.reasons import NotWritable
from xdsl_bufferization.one_shot.facts.records import OpInfo
from xdsl_bufferization.report.experiments import Edit, Experiments
from xdsl_bufferization.report.memory import memory_functions
from xdsl_bufferization.report.model import (
    Allocation,
    Copy,
    Move,
    TensorFunction,
    Verdict,
)
from xdsl_bufferization.report.reasons import Advice, Explainer, Explanation
from xdsl_bufferization.report.source import Note, Source, in_order, magnitude
from xdsl_bufferization.report.trial import (
    CopyCause,
    Output,
    Trial,
    is_cheap,
    told_apart,
)
from xdsl_bufferization.support.call_graph import (
    is_function,
    is_return,
    outermost_function,
)
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import ancestors
from xdsl_bufferization.tensors.eliminate_copies.interference import Insertions
from xdsl_bufferization.transforms.bufferize import BufferizePass
from xdsl_bufferization.verification.copy_bound.bound import CopyBound, copy_bounds
from xdsl_bufferization.verification.copy_bound.forced import ForcedCopy
from xdsl_bufferization.verification.copy_bound.links import UNKNOWN_IS_LARGE, Operand
from xdsl_bufferization.verification.copy_bound.program import (
    executions,
    loops_around,
)


def tensor_functions(
    ctx: Context, module: ModuleOp, options: BufferizePass, source: Source
) -> Mapping[Operation, TensorFunction]:
    """
    The report on each function and, under the module, on the ops outside of functions, without
    names and places.

    Raises `BufferizationError` if the program cannot be bufferized.
    """
    simple = replace(options, eliminate_copies=False)
    if options.eliminate_copies:
        # Copies that are refused may be those that are eliminated.
        simple = replace(simple, must_be_in_place=False, hoist=False)
    with options.arguments_kept(module):
        # It refuses what the models, which bounds ask, are not for.
        trial = Trial(ctx, module, simple, source)
        bounds = _Bounds(module)
        if options.eliminate_copies:
            former = _Gathered(module, trial, bounds)
            former.gather(only_copies=True)
            trial = Trial(ctx, module, options, source)
            gathered = _Gathered(module, trial, bounds)
            gathered.gather()
            gathered.compare(former)
        else:
            gathered = _Gathered(module, trial, bounds)
            gathered.gather()
        gathered.gather_memory()
    gathered.try_changes(ctx, options)
    found = gathered.by_function
    # Most programs have no ops outside of functions.
    return {
        f: it for f, it in found.items() if f is not module or it != TensorFunction()
    }


class _Gathered:
    """Gathers the copies and buffers of the functions of a trial."""

    def __init__(self, module: ModuleOp, trial: Trial, bounds: _Bounds):
        self.by_function = defaultdict[Operation, TensorFunction](TensorFunction)
        self._module = module
        self._trial = trial
        self._output = Output(trial)
        self._explainer = Explainer(trial)
        self._bounds = bounds
        self._made: set[int] = set()
        """The identities of the forced copies that are among those seen so far."""
        self._without_contents: set[CopyCause] = set()
        """The causes that need a new buffer, but no copy of the contents."""
        self._own_copies: Counter[Operation] = Counter()
        """By op: the number of copies seen so far that it itself makes."""
        self._explained: dict[CopyCause, Explanation] = {}
        self._arguments: dict[tuple[Operation, int], BlockArgument] = {}
        """By return and operand: the argument of the function whose memory is returned."""
        self._rewritten: list[tuple[Operation, TensorFunction]] = []
        """The bufferized functions, each with its report."""
        self._copied_for: dict[int, tuple[Operation, int | None]] = {}
        """By identity of a copy: the op that it is made for, and the index of its operand."""
        self._kept: dict[SSAValue, SSAValue] = {}
        """By value of the trial that is a copy of memory not to be written: that memory."""
        self._updated: defaultdict[Operation, set[tuple[int, int]]] = defaultdict(set)
        """By function: the arguments that are in results, or their copies are; and the results."""
        self._moves: defaultdict[Operation, list[Edit]] = defaultdict(list)
        """By function: the moves of ops that may avoid copies."""
        self._filled: set[Operation] = set()
        """The ops that buffers seen so far are made for."""
        self._percents: set[int] = set()
        """The values of `max-peak-increase` that may avoid copies."""

    def gather(self, *, only_copies: bool = False) -> None:
        """Bufferize the copy of the program, and collect all but what is on memory."""
        self._note_decisions()
        if not only_copies:
            for function, bound in self._bounds.of_bytes.items():
                if bound.copies:
                    self._of(function).forced = bound.size
            self._note_moves()
            # They are known before the rewrite.
            self._least_peaks = self._trial.least_peaks
        self._trial.rewrite()
        for op in self._trial.module.walk():
            function = outermost_function(op)
            if function is not None and self._trial.origin(function) is None:
                # An entry function, which does nothing but call.
                continue
            origin = self._trial.origin(op) or self._module
            if (model := CopyOpInterface.of(op)) is not None:
                copy = self._copy(op, origin, model.source(op), model.target(op))
                self._of(origin).copies.append(copy)
            if only_copies:
                continue
            if is_function(op) and any(region.blocks for region in op.regions):
                self._rewritten.append((op, self._of(origin)))
            for result in allocated_by(op):
                made = self._allocation(op, origin, result)
                self._of(origin).allocations.append(made)

    def compare(self, former: _Gathered) -> None:
        """Add the copies that are eliminated: those of another trial, but not of this one."""
        for function, before in former.by_function.items():
            after = self.by_function[function]
            # They are told by op and place.
            left = Counter((copy.op, copy.place) for copy in after.copies)
            for copy in before.copies:
                left[copy.op, copy.place] -= 1
                if left[copy.op, copy.place] < 0:
                    edits = self._trial.edits_about(*former._copied_for[id(copy)])
                    why = copy.verdict == "avoidable" and copy.verdict_reason
                    why = why or edits or "it is computed in place"
                    gone = replace(copy, verdict="avoidable", verdict_reason=why)
                    after.eliminated.append(gone)

    def gather_memory(self) -> None:
        """Find the memory of the functions, after `gather`."""
        functions = [op for op, _ in self._rewritten]
        found = memory_functions(self._trial.module, self._output, functions)
        for op, report in self._rewritten:
            memory, origin = found[op], self._trial.origin(op)
            least = None if origin is None else self._least_peaks.get(origin)
            peak = memory.heap.peak
            # One buffer is there in any order, and a bound in bytes says nothing of unknown sizes.
            if not least or peak is None or len(memory.heap.alive) < 2:
                least = None
            else:
                least = min(least, peak.live_bytes)
            report.memory = replace(
                memory,
                lines=in_order(memory.lines),
                buffers=told_apart(memory.buffers),
                least_peak=least,
            )
            report.allocations = [*told_apart(report.allocations)]

    def try_changes(self, ctx: Context, options: BufferizePass) -> None:
        """Advise what has been tried, after `gather_memory`."""
        trial, percents = self._trial, sorted(self._percents)
        copies = any(report.copies for report in self.by_function.values())
        experiments = Experiments(
            ctx,
            self._module,
            options,
            trial,
            percents,
            self._moves,
            self._updated,
            copies=copies,
        )
        for function, report in self.by_function.items():
            report.copies = [
                self._tried(copy, function, experiments) for copy in report.copies
            ]
            for largest_first in report.copies, report.moves:
                largest_first.sort(key=lambda it: -magnitude(it.bytes) * it.times)
            if report.memory is not None:
                advice = [way.words for way in experiments.ways(function)[:1]]
                if not advice and len(report.memory.heap.alive) > 1:
                    advice = [
                        "No donation, option or pass that was tried lowers it."
                        if trial.is_small
                        else "The program is too large to try options here: max-added-work=100 "
                        "and peak-weight=2 are left to try."
                    ]
                report.memory = replace(report.memory, advice=advice)

    def _tried(self, copy: Copy, function: Operation, experiments: Experiments) -> Copy:
        """The copy with the changes that avoid it."""
        if copy.verdict == "forced":
            return copy
        ways = experiments.ways(function, *self._copied_for[id(copy)])[:2]
        advice = [*(way.words for way in ways), *copy.advice]
        if not ways:
            if advice or copy.tried or not self._trial.eliminates_copies:
                return copy
            why = "eliminate-copies has no rewrite that avoids it"
            return replace(copy, tried=why)
        increase = min(way.peak_increase for way in ways)
        return replace(
            copy,
            advice=advice,
            verdict="avoidable",
            verdict_reason=copy.verdict_reason * (copy.verdict == "avoidable"),
            peak_increase=max(increase, 0) or None,
        )

    # Before the rewrite

    def _note_decisions(self) -> None:
        """Collect the decisions, which are known before the rewrite, with their reasons."""
        for analysis in self._trial.one_shot.analyses:
            for info in analysis.program.ops:
                origin = self._trial.origin(info.op)
                if origin is None:
                    continue
                report = self._of(origin)
                if is_return(origin):
                    self._note_arguments(origin, info, analysis)
                for operand in info.operands if info.model is not None else ():
                    if analysis.is_in_place(operand):
                        report.in_place += 1
                        continue
                    report.out_of_place += 1
                    reason = analysis.reason(operand)
                    if isinstance(reason, NotWritable):
                        memory = reason.value.value
                        self._kept.update((a.value, memory) for a in operand.aliases)
                    explained = self._explainer.operand(operand, reason)
                    if (move := explained.advice.move) is not None:
                        self._moves[self._function(origin)].append(move)
                    if analysis.can_omit_copy(operand):
                        self._without_contents.add(operand)
                    self._explained[operand] = explained
        for copy in self._trial.one_shot.forwarded_copies:
            self._explained[copy] = self._explainer.forwarded(copy)

    def _note_moves(self) -> None:
        """Collect the ops that only move elements, before the rewrite."""
        trial = self._trial
        for op in trial.module.walk():
            move, origin = move_of(op), trial.origin(op)
            if move is None or move.map is None or origin is None:
                continue
            (result,) = op.results
            why = self._explainer.move(op, move.source)
            self._of(origin).moves.append(
                Move(
                    trial.source.value_name((*origin.results, result)[0]),
                    str(result.type),
                    trial.sizes.of_contents(result),
                    trial.op_name(op),
                    trial.source.place(origin),
                    self._loops(op),
                    why.reason,
                    why.notes,
                    why.advice.ways,
                    executions(op),
                    _is_number_known(op),
                    why.code.label,
                )
            )

    def _note_arguments(
        self, origin: Operation, info: OpInfo, analysis: OneShotAnalysis
    ) -> None:
        """Collect which arguments of the function are returned, also through loops."""
        entry = origin.parent_block()
        for operand in info.operands:
            memory = [*analysis.memory_of(operand.value.value)]
            if (
                entry is not None
                and len(memory) == 1
                and isinstance(
                    argument := self._kept.get(memory[0], memory[0]), BlockArgument
                )
                and argument.block is info.op.parent_block()
                # The others are destinations, which the function gets from its callers.
                and argument.index < len(entry.args)
            ):
                updated = self._updated[self._function(origin)]
                updated.add((argument.index, operand.index))
                if argument is memory[0]:
                    self._arguments[origin, operand.index] = entry.args[argument.index]

    # After the rewrite

    def _of(self, origin: Operation) -> TensorFunction:
        return self.by_function[self._function(origin)]

    def _function(self, op: Operation) -> Operation:
        """The function around an op of the program, or the module."""
        return next(filter(is_function, ancestors(op)), self._module)

    def _allocation(
        self, op: Operation, origin: Operation, result: SSAValue
    ) -> Allocation:
        trial, output = self._trial, self._output
        cause = trial.cause(op)
        returned = trial.returned_operand(origin, result)
        near = origin.results or origin.operands
        tensor = trial.tensor_of(op, origin, returned, near, result)
        filled = output.origin(op)
        why = None if cause is None else self._explained[cause]
        again = ""
        if filled in self._filled and is_cheap(filled):
            again = "it is computed again instead of copied"
        self._filled.add(filled)
        place = cause and trial.source.operand_place(origin, self._index(cause))
        made = Allocation(
            output.value_name(result),
            "" if tensor is None else trial.source.value_name(tensor),
            str(result.type),
            output.sizes.of_contents(result),
            op_name(filled),
            place or trial.source.place(filled),
            why.reason if why else again,
            self._loops(op),
            output_name=output.output_name(result),
            code=why.code.label if why else "",
        )
        if why is None or cause not in self._without_contents:
            return made
        return replace(
            made, notes=why.notes, advice=why.advice.ways, needed=why.advice.needed
        )

    def _copy(
        self, op: Operation, origin: Operation, source: SSAValue, target: SSAValue
    ) -> Copy:
        trial, base = self._trial, base_of(source)
        cause, returned = trial.cause(op), trial.returned_operand(origin, target)
        number = self._own_copies[origin]
        tensor = trial.tensor_of(op, origin, returned, origin.operands, base, number)
        if cause is not None:
            explanation, index = self._explained[cause], self._index(cause)
        elif returned is not None:
            memory = self._arguments.get((origin, returned), base)
            explanation, index = self._explainer.returned(origin, memory), returned
        else:
            self._own_copies[origin] += 1
            explanation = self._explainer.own_copy(origin, source, target)
            indices = (i for i, it in enumerate(origin.operands) if it is tensor)
            index = next(indices, None)
        size = self._output.sizes.of_contents(source)
        is_sized = size is not None and size.number is not None
        verdict, why = self._verdict(origin, index, is_sized, explanation.advice)
        tried = "" if verdict == "forced" else self._outcome(origin)
        copy = Copy(
            "" if tensor is None else trial.source.value_name(tensor),
            str(source.type),
            size,
            op_name(origin),
            trial.source.operand_place(origin, index),
            explanation.reason,
            explanation.notes,
            () if verdict == "forced" else explanation.advice.ways,
            self._loops(op),
            verdict,
            why,
            executions(op),
            _is_number_known(op),
            tried=tried,
            code=explanation.code.label,
        )
        self._copied_for[id(copy)] = origin, index
        return copy

    def _index(self, cause: CopyCause) -> int | None:
        """The index of the operand of the program that is copied."""
        if isinstance(cause, ForwardedCopy):
            return cause.operand
        return self._trial.operand_index(cause.owner.op, cause.index)

    def _loops(self, op: Operation) -> Sequence[Note]:
        """The loops around an op of the bufferized program, the outermost first."""
        return [
            Note(op_name(loop), self._trial.place(loop)) for loop in loops_around(op)
        ][::-1]

    # Verdicts

    def _verdict(
        self, op: Operation, index: int | None, is_sized: bool, advice: Advice
    ) -> tuple[Verdict, str]:
        """
        The verdict on a copy for an operand of the op, and its reason; `is_sized` if its bytes are
        known.
        """
        bound = self._bounds.of_bytes.get(self._function(op))
        why = ""
        if bound is not None and index is not None:
            operand = Operand(op, index)
            if (forced := self._forced(operand, is_sized)) is not None:
                return "forced", forced.reason
            if not advice.is_agreed:
                why = bound.why_avoidable(operand, may_reorder=advice.move is not None)
            why = why or bound.why_worthless(operand)
        if why or advice.ways:
            return "avoidable", why
        return "unknown", advice.needed

    def _forced(self, operand: Operand, is_sized: bool) -> ForcedCopy | None:
        """The forced copy that a copy made for the operand is, unless another one was it."""
        forced = self._bounds.sized if is_sized else self._bounds.unsized
        for copy in forced.get(operand, ()):
            if id(copy) not in self._made:
                self._made.add(id(copy))
                return copy
        return None

    def _outcome(self, op: Operation) -> str:
        """
        The outcome of the attempts to avoid the copies that are made for an op of the program, in
        words; empty if there were none. Notes the `max-peak-increase` that may avoid them.
        """
        cloned, trace = self._trial.clone_of(op), self._trial.trace
        if cloned is None or not self._trial.eliminates_copies:
            return ""
        more = trace.cheapest_without(cloned)
        if more is None:
            name = f"eliminate-copies replaced {op_name(op)} by insertions"
            match trace.insertions(cloned):
                case Insertions.KEPT:
                    return (
                        f"{name}; this one still copies, since what it inserts cannot be "
                        "computed there"
                    )
                case Insertions.PUT_BACK:
                    return (
                        f"{name}, and put it back, since they copied the same contents"
                    )
                case None:
                    return ""
        if any(more.traffic):
            why = ", since the function then copied or moved more"
        elif more.peak:
            why = ", since the peak was then higher"
            if more.percent is not None:
                self._percents.add(more.percent)
        elif more.is_assumed:
            why = ", since the peak was then not known to be as low for all sizes"
        else:
            why = " with other changes"
        return f"eliminate-copies avoided it, and undid that{why}"


def _is_number_known(op: Operation) -> bool:
    """Whether it is known how often each loop around the op runs."""
    return all(trip_count(loop) is not None for loop in loops_around(op))


class _Bounds:
    """The bounds of the functions of a program."""

    def __init__(self, module: ModuleOp):
        self._module = module
        self.of_bytes: Mapping[Operation, CopyBound] = copy_bounds(module)

    @cached_property
    def sized(self) -> Mapping[Operand, Sequence[ForcedCopy]]:
        """By operand: the forced copies of known size."""
        return _by_operand(bound.copies for bound in self.of_bytes.values())

    @cached_property
    def unsized(self) -> Mapping[Operand, Sequence[ForcedCopy]]:
        """By operand: the forced copies of unknown size."""
        bounds = copy_bounds(self._module, UNKNOWN_IS_LARGE).values()
        return _by_operand(bound.copies_of_unknown_size for bound in bounds)


def _by_operand(
    copies: Iterable[Iterable[ForcedCopy]],
) -> Mapping[Operand, Sequence[ForcedCopy]]:
    found = defaultdict[Operand, list[ForcedCopy]](list)
    for copy in chain.from_iterable(copies):
        for operand in copy.operands:
            found[operand].append(copy)
    return found
