"""
Edits that interfere: those that have to do with a copy that the program did not make before, or
with memory that is allocated while a peak is too high.

    %s = linalg.add ins(%l, %r) outs(%part)           // writes %u, since %part is a part of it
    %n = tensor.insert_slice %s into %u[1] [62] [1]   // the edit COMPUTE_IN_DESTINATION is about %s

`%l`, a part of `%u`, is copied, since a write to an alias of `%part` conflicts with reading it.
So the edit about `%s`, which is in that alias set, interferes. Alias sets are coarse: whether the
copy is gone without an edit shows when the program is rewritten without it.

    allocated:   A 64 bytes (edit a), B 16 bytes (edit b), C 32 bytes; at most 100 are allowed

Leaving out edit b is enough: without it, 96 bytes are allocated. Edit a is left out in another
candidate: it holds the most memory.

Takes time linear in the operands of the program, and `n log n` in the buffers.

The `Trace` records the attempts of `eliminate-copies`, to tell for a copy that is left what was
tried.

    %p = tensor.pad %r ...   // attempt 1: %r computed in %p, peak 7,088 bytes; allowed are 5,936
                             // attempt 2: %r copied,         peak 5,936 bytes

Attempt 1 avoids the copy of `%r` at 1,152 bytes more.

Ops are those of the module as it came. A copy that a new op makes counts for the op that an edit
has replaced by it, so that the numbers of two attempts can be compared op by op. Recording takes
one walk over the program for each attempt, and is left out unless a trace is asked for.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum, auto
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from sortedcontainers import SortedList
from xdsl.dialects import func
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.interfaces.contents import InsertionsOpInterface
from xdsl_bufferization.interfaces.subset import SubsetInsertionOpInterface
from xdsl_bufferization.one_shot.decisions.alias_sets import AliasSet
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.decisions.reasons import Conflict, Race
from xdsl_bufferization.one_shot.facts.records import TensorOperand
from xdsl_bufferization.support.call_graph import outermost_function
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.support.shaped_types import is_tensor
from xdsl_bufferization.tensors.analysed_module import (
    AnalysedModule,
    analyses_by_function,
)
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.costs.profile import Allocation, Cost
from xdsl_bufferization.tensors.edits import Edit, EditKind, Edits
from xdsl_bufferization.tensors.eliminate_copies.insertions import is_copied
from xdsl_bufferization.tensors.search import Limits

OperandPlace: TypeAlias = tuple[Operation, int]
"""An op and the index of one of its operands."""


def copied_operands(program: AnalysedModule) -> AbstractSet[OperandPlace]:
    """
    The operands that are copied as decided: by ops, as forwarded by terminators, and where they
    are inserted.
    """
    copied = {(c.terminator, c.operand) for c in program.decisions.forwarded_copies}
    for analysis in program.analyses:
        for operand in analysis.program.operands():
            op, index = operand.owner.op, operand.index
            if analysis.is_in_place(operand):
                insertion = SubsetInsertionOpInterface.of(op)
                if (
                    insertion is not None
                    and index == insertion.source_operand(op)
                    and is_copied(analysis, op)
                ):
                    copied.add((op, index))
            elif not analysis.can_omit_copy(operand):
                copied.add((op, index))
    return copied


def copied_by_function(
    program: AnalysedModule,
) -> Mapping[func.FuncOp | None, Sequence[OperandPlace]]:
    """The operands that are copied as decided, by outermost function."""
    found: dict[func.FuncOp | None, list[OperandPlace]] = defaultdict(list)
    for place in copied_operands(program):
        found[outermost_function(place[0])].append(place)
    return found


class _Memory(NamedTuple):
    """Memory that is allocated, and the edits that it may be for, the likeliest first."""

    live: Allocation
    edits: Sequence[Edit]


class Interfering(NamedTuple):
    """The edits of one function, and those that may have made it worse."""

    copies: Sequence[Sequence[Edit]]
    """By new copy: the edits that have to do with it, the likeliest first."""
    memory: Sequence[tuple[int, Sequence[_Memory]]]
    """For each memory space whose peak is too high: the limit, and what is allocated."""

    def smallest(self, *, largest_first: bool = False) -> AbstractSet[Edit]:
        """
        Few of the edits, without which more may be well: those whose memory makes the peaks
        exceed the limits, or if none does, the likeliest for each copy. `largest_first` says that
        edits with most memory are chosen, not those with little more than what is too much.
        """
        found: set[Edit] = set()
        for limit, memories in self.memory:
            found |= _least_memory(memories, limit, largest_first=largest_first)
        return found or {edits[0] for edits in self.copies if edits}

    def saving_no_traffic_first(self) -> Interfering:
        """The same, with edits first for each memory that only let ops overwrite inputs."""

        def saves(edit: Edit) -> bool:
            return edit.kind is not EditKind.COALESCE_INIT

        return self._replace(
            memory=[
                (
                    limit,
                    [m._replace(edits=sorted(m.edits, key=saves)) for m in of],
                )
                for limit, of in self.memory
            ]
        )


class Interference:
    """
    The edits of an attempt, by the alias sets of the tensors that they are about. Valid as long
    as the program is as it was analysed.
    """

    def __init__(self, program: AnalysedModule, edits: Edits):
        self._program = program
        self._edits = edits

    def of(
        self,
        function: func.FuncOp,
        costs: Costs,
        limits: Mapping[Attribute, int],
        before: AbstractSet[OperandPlace],
    ) -> Interfering:
        """
        The edits that may have made the function worse, given the costs of the program, the
        limits of the peaks, and the operands that are copied without the edits.
        """
        return Interfering(
            [
                self._of_copy(place)
                for place in self._copied.get(function, ())
                if place not in before
            ],
            [
                (limit, [*map(self._memory_of, profile.allocations)])
                for space, profile in costs[function].profiles.items()
                if profile.peak > (limit := limits.get(space, 0))
            ],
        )

    @cached_property
    def made(self) -> Mapping[func.FuncOp | None, Sequence[Edit]]:
        """The edits by the function that they have changed."""
        made: dict[func.FuncOp | None, list[Edit]] = defaultdict(list)
        for edit in self._edits.made:
            made[self._edits.function(edit)].append(edit)
        return made

    @cached_property
    def _copied(self) -> Mapping[func.FuncOp | None, Sequence[OperandPlace]]:
        return copied_by_function(self._program)

    @cached_property
    def _index(
        self,
    ) -> tuple[Mapping[AliasSet, Sequence[Edit]], Mapping[Operation, Sequence[Edit]]]:
        """The edits by alias set, and by op."""
        by_set: dict[AliasSet, list[Edit]] = defaultdict(list)
        by_op: dict[Operation, list[Edit]] = defaultdict(list)
        for edit in self._edits.made:
            # Left out, the first edit has not made the op that the second is about.
            origin = self._edits.origin(edit.op) or edit
            by_op[edit.op].append(origin)
            for value in _tensors(edit, self._edits):
                if (alias_set := self._set_of(value)) is not None:
                    by_set[alias_set].append(origin)
        return by_set, by_op

    def _memory_of(self, live: Allocation) -> _Memory:
        op = live.op
        return _Memory(live, () if op is None else self._related([op], op.results))

    def _of_copy(self, place: OperandPlace) -> Sequence[Edit]:
        """The edits that have to do with the copy of an operand, the likeliest first."""
        op, index = place
        analysis = self._analysis_of(op)
        operand = None if analysis is None else analysis.program.operand(op, index)
        if analysis is None or operand is None:
            return ()
        reason = analysis.reason(operand)
        involved: list[TensorOperand] = []
        if isinstance(reason, Conflict):
            involved = [reason.write, reason.read]
        elif isinstance(reason, Race):
            involved = [reason.write]
        ops = [op, *(o.owner.op for o in involved)]
        values = [
            *(alias.value for alias in operand.aliases),
            *(o.value.value for o in involved),
            operand.value.value,
        ]
        if not analysis.is_in_place(operand):
            return self._related(ops, values)
        # It is copied by an insertion, as the op that computes it does so elsewhere.
        computing = operand.value.owner
        if computing is not None:
            ops.append(computing.op)
        related = self._related(ops, values)
        return [e for e in related if e.kind is not EditKind.COMPUTE_IN_DESTINATION]

    def _related(
        self, ops: Iterable[Operation], values: Iterable[SSAValue]
    ) -> Sequence[Edit]:
        by_set, by_op = self._index
        found: dict[Edit, None] = {}
        for op in ops:
            if (origin := self._edits.origin(op)) is not None:
                found[origin] = None
            found.update(dict.fromkeys(by_op.get(op, ())))
        for value in values:
            alias_set = self._set_of(value)
            if alias_set is not None:
                found.update(dict.fromkeys(by_set.get(alias_set, ())))
        return [*found]

    def _set_of(self, value: SSAValue) -> AliasSet | None:
        owner = value.owner
        op = owner if isinstance(owner, Operation) else owner.parent_op()
        analysis = op and self._analysis_of(op)
        info = analysis and analysis.program.values.get(value)
        return analysis and info and analysis.alias_sets.find(info)

    def _analysis_of(self, op: Operation) -> OneShotAnalysis | None:
        function = outermost_function(op)
        if function is None:
            return None
        return self._program.remember(analyses_by_function).get(function)


def _tensors(edit: Edit, edits: Edits) -> Sequence[SSAValue]:
    """The tensors that an edit is about."""
    op = edit.op
    match edit.kind:
        case EditKind.INSERT | EditKind.DISTRIBUTE:
            return [result for new in edits.new(edit) for result in new.results]
        case EditKind.SINK_WRITER:
            return list(op.operands)
        case EditKind.ORDER_INSERTIONS:
            return ()
        case _:
            return op.operands[edit.operand : edit.operand + 1]


def _least_memory(
    memories: Sequence[_Memory], limit: int, *, largest_first: bool
) -> AbstractSet[Edit]:
    """
    Edits without whose memory no more than the limit is allocated at any time, or as little as
    possible; each memory counts for its likeliest edit. Takes `n log n` time: one sweep over the
    positions, in which each edit is chosen at most once: the one with the least memory that is as
    much as the excess, unless `largest_first`, or else the one with the most.
    """
    by_start = sorted(memories, key=lambda memory: memory.live.start)
    edits = [*dict.fromkeys(memory.edits[0] for memory in by_start if memory.edits)]
    numbers = {edit: number for number, edit in enumerate(edits)}
    changes = [
        (position, numbers[memory.edits[0]] if memory.edits else _NONE, size)
        for memory in memories
        for position, size in (
            (memory.live.start, memory.live.bytes),
            (memory.live.end, -memory.live.bytes),
        )
    ]
    chosen: set[int] = set()
    alive, by_size = Counter[int](), SortedList[tuple[int, int]]()

    def resize(number: int, size: int) -> None:
        by_size.discard((alive[number], number))
        alive[number] = size
        if size and number != _NONE:
            by_size.add((size, number))

    excess = -limit
    for _, at in groupby(sorted(changes), key=itemgetter(0)):
        for _, number, size in at:
            if number not in chosen:
                excess += size
                resize(number, alive[number] + size)
        while excess > 0 and by_size:
            least = len(by_size) if largest_first else by_size.bisect_left((excess, 0))
            size, number = by_size[min(least, len(by_size) - 1)]
            excess -= size
            resize(number, 0)
            chosen.add(number)
    return {edits[number] for number in chosen}


_NONE = -1
"""The number of memory that no edit is about."""


class MoreCosts(NamedTuple):
    """The costs beyond the limits in an attempt that avoids a copy."""

    traffic: tuple[int, ...]
    """Copies, their bytes, and copies and ops that only move elements together."""
    peak: int
    """Bytes of the peak."""
    percent: int | None
    """The `max-peak-increase` that allows this peak; `None` if none does."""
    is_assumed: bool
    """Whether bytes depend on sizes that are assumed, as they are known at run time only."""


class _Attempt(NamedTuple):
    copies: Mapping[Operation, int]
    """By op of the module as it came: the number of copies that are made for it."""
    more: Mapping[func.FuncOp, MoreCosts]
    undone: AbstractSet[Operation]
    """The ops that were replaced by insertions and put back, since these copied as well."""


class Insertions(Enum):
    """The fate of an op that is replaced by insertions."""

    KEPT = auto()
    PUT_BACK = auto()
    """The op is there again, since the insertions copied as much."""


class Trace:
    """The edits and costs of the attempts; empty if there were none."""

    def __init__(self) -> None:
        self._attempts: list[_Attempt] = []
        self._edits: list[Edits] = []
        self._left: Mapping[Operation, int] = {}
        self._replaced: AbstractSet[Operation] = frozenset()
        """The ops in whose place there are insertions after all attempts."""
        self._functions: Mapping[Operation, func.FuncOp | None] = {}
        """By op with copies that are left: the function that it is in before later rewrites."""

    def add(
        self, program: AnalysedModule, edits: Edits, costs: Costs, limits: Limits
    ) -> None:
        """Record an attempt, given the costs of the program as it is now."""
        self._attempts.append(
            _Attempt(
                _copies_by_op(program, edits),
                {f: _more(f, costs.of(f), limits) for f in limits.functions},
                _replaced(edits.undone),
            )
        )
        self._edits.append(edits)

    def finish(self, program: AnalysedModule) -> None:
        """Record which copies are left after all attempts."""
        self._left = _copies_by_op(program, *self._edits)
        ops = {*walk([program.module])}
        for edits in self._edits:
            self._replaced |= _replaced(edits.made) - ops
        self._functions = {op: outermost_function(op) for op in self._left}

    def cheapest_without(self, op: Operation) -> MoreCosts | None:
        """
        The costs beyond the limits of an attempt that makes fewer copies for the op: the attempt
        that exceeds them least. `None` if there is no such attempt.
        """
        function = self._functions.get(op)
        if function is None:
            return None
        found = [
            attempt.more[function]
            for attempt in self._attempts
            if function in attempt.more
            and attempt.copies.get(op, 0) < self._left.get(op, 0)
        ]
        return min(found, key=lambda more: (more.traffic, more.peak), default=None)

    def edits_about(self, ops: Iterable[Operation]) -> str:
        """The effects of the edits of the ops, for the user; empty if there are none."""
        about = (edit for op in ops for edit in self._edits_by_op.get(op, ()))
        return "; ".join(dict.fromkeys(edit.kind.does for edit in about))

    @cached_property
    def _edits_by_op(self) -> Mapping[Operation, Sequence[Edit]]:
        """By op that they are about."""
        found: dict[Operation, list[Edit]] = {}
        for edits in self._edits:
            for edit in edits.made:
                origin = edits.origin(edit.op) or edit
                for op in {edit.op, origin.op}:
                    found.setdefault(op, []).append(edit)
        return found

    def insertions(self, op: Operation) -> Insertions | None:
        """The fate of insertions in place of the op, if there were any."""
        if op in self._replaced:
            return Insertions.KEPT
        if any(op in attempt.undone for attempt in self._attempts):
            return Insertions.PUT_BACK
        return None


def _replaced(edits: AbstractSet[Edit]) -> AbstractSet[Operation]:
    """The ops that edits replace by insertions."""
    return {edit.op for edit in edits if edit.kind is EditKind.INSERT}


def _copies_by_op(program: AnalysedModule, *edits: Edits) -> Mapping[Operation, int]:
    found: Counter[Operation] = Counter()
    for op, _ in copied_operands(program):
        origin = next(filter(None, (e.origin(op) for e in edits)), None)
        found[op if origin is None else origin.op] += 1
    for op in walk([program.module]):
        if InsertionsOpInterface.of(op) is not None:
            found[op] += sum(map(is_tensor, op.operands))
    return found


def _more(function: func.FuncOp, cost: Cost, limits: Limits) -> MoreCosts:
    limit = limits.of(function)
    traffic = [
        (of.copies.number, of.copies.size, of.traffic[0]) for of in (cost, limit)
    ]
    return MoreCosts(
        tuple(max(0, now - allowed) for now, allowed in zip(*traffic, strict=True)),
        max(0, *(n - limit.peaks.get(space, 0) for space, n in cost.peaks.items()), 0),
        limits.percent_for(function, cost),
        cost.depends_on_sizes or bool(cost.copies.bytes.maxima),
    )
