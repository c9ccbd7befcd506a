"""The buffers and copies that bufferization makes for functions on tensors, with reasons."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from xdsl_bufferization.buffers.allocation_uses import call_effects
from xdsl_bufferization.buffers.buffer_flow import base_of
from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.interfaces.bufferizable import (
    ForwardedCopy,
)
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.interfaces.loop_like import trip_count
from xdsl_bufferization.interfaces.move import move_of
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.facts.records import OpInfo, TensorOperand
from xdsl_bufferization.report.buffer_sizes import magnitude
from xdsl_bufferization.report.memory.function import memory_functions
from xdsl_bufferization.report.memory.usage import Callees
from xdsl_bufferization.report.model import Allocation, Copy, MemoryFunction, Move
from xdsl_bufferization.report.source import Note, Source, SourceRange, in_order
from xdsl_bufferization.report.tensors.experiments import (
    Edit,
    Experiments,
)
from xdsl_bufferization.report.tensors.moves import MoveExplainer
from xdsl_bufferization.report.tensors.names import (
    Traced,
    is_cheap,
    named_like,
    returned_operand,
    told_apart,
)
from xdsl_bufferization.report.tensors.reasons import Explainer, Explanation
from xdsl_bufferization.report.tensors.trial import CopyCause, Trial
from xdsl_bufferization.report.tensors.verdicts import Bounds, Verdicts, tried_about
from xdsl_bufferization.support.call_graph import (
    is_function,
    is_return,
    outermost_function,
)
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import ancestors
from xdsl_bufferization.transforms.bufferize import BufferizePass
from xdsl_bufferization.verification.copy_bound.repetitions import (
    executions,
    loops_around,
)


@dataclass
class TensorUse:
    """The in-place decisions, buffers and copies of a function, as in `TensorFunction`."""

    in_place: int = 0
    out_of_place: int = 0
    allocations: list[Allocation] = field(default_factory=list[Allocation])
    copies: list[Copy] = field(default_factory=list[Copy])
    forced: int = 0
    eliminated: list[Copy] = field(default_factory=list[Copy])
    moves: list[Move] = field(default_factory=list[Move])
    memory: MemoryFunction | None = None


def tensor_uses(
    ctx: Context, module: ModuleOp, options: BufferizePass, source: Source
) -> Mapping[Operation, TensorUse]:
    """
    The use of each function and, under the module, of the ops outside of functions.

    Raises `BufferizationError` if the program cannot be bufferized.
    """
    simple = replace(options, eliminate_copies=False)
    if options.eliminate_copies:
        # Copies that are refused may be those that are eliminated.
        simple = replace(simple, must_be_in_place=False)
    with options.arguments_kept(module):
        uses = _tensor_uses(ctx, module, options, simple, source)
    uses.try_changes(ctx, options)
    return uses.by_function


def _tensor_uses(
    ctx: Context,
    module: ModuleOp,
    options: BufferizePass,
    simple: BufferizePass,
    source: Source,
) -> _TensorUses:
    """The use by these options, with what the `simple` ones copy and they do not."""
    # It refuses what the models, which bounds ask, are not for.
    trial = Trial(ctx, module, simple, source)
    bounds = Bounds(module)
    uses = _gather(module, trial, bounds)
    copied = uses.by_function
    if options.eliminate_copies:
        former, trial = uses, Trial(ctx, module, options, source)
        uses = _gather(module, trial, bounds)
        for function, use in copied.items():
            left = uses.by_function.setdefault(function, TensorUse())
            for copy in _without(use.copies, left.copies):
                edits = trial.edits_about(*former.copied_for[id(copy)])
                left.eliminated.append(_eliminated(copy, edits))
    uses.gather_memory()
    return uses


def _gather(module: ModuleOp, trial: Trial, bounds: Bounds) -> _TensorUses:
    uses = _TensorUses(module, trial, Verdicts(bounds))
    uses.gather()
    return uses


def _eliminated(copy: Copy, edits: str) -> Copy:
    """The copy, which is avoidable, since it has been avoided by the `edits`."""
    is_known = copy.verdict == "avoidable" and copy.verdict_reason
    why = copy.verdict_reason if is_known else edits or "it is computed in place"
    return replace(copy, verdict="avoidable", verdict_reason=why)


def _without(copies: Sequence[Copy], others: Sequence[Copy]) -> Iterator[Copy]:
    """The copies that are not among the others, which are told by op and place."""
    left = Counter((copy.op, copy.place) for copy in others)
    for copy in copies:
        if left[copy.op, copy.place]:
            left[copy.op, copy.place] -= 1
        else:
            yield copy


class _TensorUses:
    def __init__(self, module: ModuleOp, trial: Trial, verdicts: Verdicts):
        self.by_function: dict[Operation, TensorUse] = {}
        self._module = module
        self._trial = trial
        self._explainer = Explainer(trial)
        self._without_contents: set[CopyCause] = set()
        """The causes that need a new buffer, but no copy of the contents."""
        self._own_copies: Counter[Operation] = Counter()
        """By op: the number of copies seen so far that it itself makes."""
        self._explained: dict[CopyCause, Explanation] = {}
        self._verdicts = verdicts
        self._arguments: dict[tuple[Operation, int], BlockArgument] = {}
        """By return and operand: the argument of the function whose memory is returned."""
        self._rewritten: list[tuple[Operation, TensorUse]] = []
        """The bufferized functions, each with its use."""
        self.copied_for: dict[int, tuple[Operation, int | None]] = {}
        """By identity of a copy: the op that it is made for, and the index of its operand."""
        self._moves: defaultdict[Operation, list[Edit]] = defaultdict(list)
        """By function: the moves of ops that may avoid copies."""
        self._filled: set[Operation] = set()
        """The ops that buffers seen so far are made for."""
        self._percents: set[int] = set()
        """The values of `max-peak-increase` that may avoid copies."""

    def gather(self) -> None:
        """Bufferize the copy of the program, and collect all but `TensorUse.memory`."""
        for function, forced in self._verdicts.forced.items():
            self._use(function).forced = forced
        self._note_decisions()
        self._note_moves()
        ops = self._trial.rewrite()
        self._result = Traced(self._trial, self._trial.result)
        for op in ops:
            function = outermost_function(op)
            if function is not None and self._trial.origin(function) is None:
                # An entry function, which does nothing but call.
                continue
            origin = self._trial.origin(op) or self._module
            use = self._use(origin)
            if is_function(op) and any(region.blocks for region in op.regions):
                self._rewritten.append((op, use))
            for result in allocated_by(op):
                use.allocations.append(self._allocation(op, origin, result))
            if (model := CopyOpInterface.of(op)) is not None:
                use.copies.append(
                    self._copy(op, origin, model.source(op), model.target(op))
                )

    def gather_memory(self) -> None:
        """Find the memory of the functions, after `gather`."""
        module = self._trial.module
        found = memory_functions(
            [op for op, _ in self._rewritten],
            self._result,
            call_effects(module),
            Callees(module),
        )
        for op, use in self._rewritten:
            memory = found[op]
            use.memory = replace(
                memory,
                lines=in_order(memory.lines),
                buffers=told_apart(memory.buffers),
                least_peak=self._least_peak(op, memory),
            )
            use.allocations = [*told_apart(use.allocations)]

    def try_changes(self, ctx: Context, options: BufferizePass) -> None:
        """Advise what has been tried, after `gather_memory`."""
        experiments = Experiments(
            ctx,
            self._module,
            options,
            self._trial,
            sorted(self._percents),
            self._moves,
        )
        for function, use in self.by_function.items():
            use.copies = [self._tried(c, function, experiments) for c in use.copies]
            for largest_first in use.copies, use.moves:
                largest_first.sort(key=lambda it: -magnitude(it.bytes) * it.times)
            if use.memory is not None:
                advice = [way.words for way in experiments.ways(function)[:1]]
                if not advice and len(use.memory.heap.alive) > 1:
                    advice = [
                        "No donation, option or pass that was tried lowers it."
                        if self._trial.is_small
                        else "The program is too large to try options: max-added-work=100 may "
                        "lower it."
                    ]
                use.memory = replace(use.memory, advice=advice)

    def _tried(self, copy: Copy, function: Operation, experiments: Experiments) -> Copy:
        """The copy with the changes that avoid it."""
        if copy.verdict == "forced":
            return copy
        ways = experiments.ways(function, *self.copied_for[id(copy)])[:2]
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

    def _least_peak(self, function: Operation, memory: MemoryFunction) -> int | None:
        """The lower bound of the peak over all orders of the ops, if it is known."""
        origin = self._trial.origin(function)
        least = None if origin is None else self._trial.least_peaks.get(origin)
        peak = memory.heap.peak
        # One buffer is there in any order, and a bound in bytes says nothing of unknown sizes.
        if least is None or peak is None or not least or len(memory.heap.alive) < 2:
            return None
        return min(least, peak.live_bytes)

    def _note_decisions(self) -> None:
        """Collect the decisions, which are known before the rewrite, with their reasons."""
        for analysis in self._trial.analyses:
            for info in analysis.program.ops:
                origin = self._trial.origin(info.op)
                if origin is None:
                    continue
                use = self._use(origin)
                if is_return(origin):
                    self._note_arguments(origin, info, analysis)
                for operand in info.operands if info.model is not None else ():
                    if analysis.is_in_place(operand):
                        use.in_place += 1
                        continue
                    use.out_of_place += 1
                    reason = analysis.reason(operand)
                    explained = self._explainer.operand(operand, reason)
                    if (move := explained.advice.move) is not None:
                        self._moves[self._function(origin)].append(move)
                    if analysis.can_omit_copy(operand):
                        self._without_contents.add(operand)
                    self._explained[operand] = explained
        for copy in self._trial.forwarded_copies:
            self._explained[copy] = self._explainer.forwarded(copy)

    def _note_moves(self) -> None:
        """Collect the ops that only move elements, before the rewrite."""
        explainer = MoveExplainer(self._trial, self._explainer)
        sizes = self._trial.source.sizes.of_other_program()
        for op in self._trial.module.walk():
            move, origin = move_of(op), self._trial.origin(op)
            if move is None or move.map is None or origin is None:
                continue
            (result,) = op.results
            moved = origin.results[0] if origin.results else result
            why = explainer.explain(op, move.source)
            self._use(origin).moves.append(
                Move(
                    self._trial.source.value_name(moved),
                    str(result.type),
                    sizes.of_contents(result, self._trial.value_name),
                    self._trial.op_name(op),
                    self._trial.source.place(origin),
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
        self, origin: Operation, info: OpInfo, analysis: BufferizationAnalysis
    ) -> None:
        """Collect which arguments of the function are returned, also through loops."""
        entry = origin.parent_block()
        for operand in info.operands:
            memory = [*analysis.memory_of(operand.value.value)]
            if (
                entry is not None
                and len(memory) == 1
                and isinstance(argument := memory[0], BlockArgument)
                and argument.block is info.op.parent_block()
                # The others are destinations, which the function gets from its callers.
                and argument.index < len(entry.args)
            ):
                self._arguments[origin, operand.index] = entry.args[argument.index]

    def _use(self, origin: Operation) -> TensorUse:
        return self.by_function.setdefault(self._function(origin), TensorUse())

    def _function(self, op: Operation) -> Operation:
        """The function around an op of the program, or the module."""
        return next(filter(is_function, ancestors(op)), self._module)

    def _allocation(
        self, op: Operation, origin: Operation, result: SSAValue
    ) -> Allocation:
        cause = self._trial.cause(op)
        returned = returned_operand(self._trial, origin, result)
        tensor = (
            self._trial.copied(op)
            or (None if returned is None else origin.operands[returned])
            or named_like(self._trial.source, origin.results or origin.operands, result)
        )
        filled = self._result.origin(op)
        why = None if cause is None else self._explained[cause]
        again = "it is computed again instead of copied"
        if filled not in self._filled:
            self._filled.add(filled)
            again = ""
        made = Allocation(
            self._result.value_name(result),
            "" if tensor is None else self._trial.source.value_name(tensor),
            str(result.type),
            self._result.sizes.of_contents(result, self._result.value_name),
            op_name(filled),
            self._place(cause, origin) or self._trial.source.place(filled),
            why.reason if why else again * is_cheap(filled),
            self._loops(op),
            output_name=self._result.output_name(result),
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
        cause = self._trial.cause(op)
        base = base_of(source)
        returned = returned_operand(self._trial, origin, target)
        tensor = (
            self._trial.copied(op)
            or (None if returned is None else origin.operands[returned])
            or named_like(
                self._trial.source, origin.operands, base, self._own_copies[origin]
            )
        )
        index: int | None
        if cause is not None:
            explanation = self._explained[cause]
            place = self._place(cause, origin)
            index = (
                cause.operand
                if isinstance(cause, ForwardedCopy)
                else self._trial.operand_index(cause.owner.op, cause.index)
            )
        elif returned is not None:
            index = returned
            base = self._arguments.get((origin, returned), base)
            explanation = self._explainer.returned(origin, base)
            place = self._trial.source.operand_place(origin, returned)
        else:
            self._own_copies[origin] += 1
            explanation = self._explainer.own_copy(origin, source, target)
            index = _index(origin, tensor)
            place = (
                self._trial.source.place(origin)
                if index is None
                else self._trial.source.operand_place(origin, index)
            )
        advice = explanation.advice
        size = self._result.sizes.of_contents(source, self._result.value_name)
        is_sized = size is not None and size.number is not None
        verdict = self._verdicts.of(
            self._function(origin), origin, index, is_sized, advice
        )
        copy = Copy(
            "" if tensor is None else self._trial.source.value_name(tensor),
            str(source.type),
            size,
            op_name(origin),
            place,
            explanation.reason,
            explanation.notes,
            () if verdict.name == "forced" else advice.ways,
            self._loops(op),
            verdict.name,
            verdict.reason,
            executions(op),
            _is_number_known(op),
            code=explanation.code.label,
        )
        if verdict.name != "forced":
            tried = tried_about(self._trial, origin)
            if tried.percent is not None:
                self._percents.add(tried.percent)
            copy = replace(copy, tried=tried.words)
        self.copied_for[id(copy)] = origin, index
        return copy

    def _place(self, cause: CopyCause | None, origin: Operation) -> SourceRange | None:
        match cause:
            case TensorOperand():
                return self._trial.operand_place(cause.owner.op, cause.index)
            case ForwardedCopy():
                return self._trial.source.operand_place(origin, cause.operand)
            case None:
                return None

    def _loops(self, op: Operation) -> Sequence[Note]:
        """The loops around an op of the bufferized program, the outermost first."""
        return [
            Note(op_name(loop), self._trial.place(loop)) for loop in loops_around(op)
        ][::-1]


def _is_number_known(op: Operation) -> bool:
    """Whether it is known how often each loop around the op runs."""
    return all(trip_count(loop) is not None for loop in loops_around(op))


def _index(op: Operation, tensor: SSAValue | None) -> int | None:
    """The index of the op's first operand that is the tensor."""
    return next((i for i, operand in enumerate(op.operands) if operand is tensor), None)
