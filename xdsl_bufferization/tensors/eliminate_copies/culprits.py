"""
The edits that are to blame for costs: those that have to do with a copy that the program did not
make before, or with memory that is allocated while a peak is too high.

    %s = linalg.add ins(%l, %r) outs(%part)           // writes %u, since %part is a part of it
    %n = tensor.insert_slice %s into %u[1] [62] [1]   // the edit IN_DESTINATION is about %s

`%l`, a part of `%u`, is copied, since a write to an alias of `%part` conflicts with reading it.
So the edit about `%s`, which is in that alias set, is to blame. Alias sets are coarse: which edits
really are to blame shows when the program is rewritten without them.

Takes time linear in the operands of the program, and `n log n` in the buffers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from xdsl.dialects import func
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.interfaces.subset import SubsetInsertionOpInterface
from xdsl_bufferization.one_shot.decisions.alias_sets import AliasSet
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.decisions.reasons import Conflict, Race
from xdsl_bufferization.one_shot.facts.records import TensorOperand
from xdsl_bufferization.support.call_graph import outermost_function
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.costs.figures import Cost, LiveMemory, peak_of
from xdsl_bufferization.tensors.edits import Edit, EditKind, Edits
from xdsl_bufferization.tensors.eliminate_copies.blame import (
    Blame,
    BlamedMemory,
    OperandPlace,
)
from xdsl_bufferization.tensors.eliminate_copies.insertions import is_copied


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


def blame(
    program: AnalysedModule,
    edits: Edits,
    costs: Costs,
    limits: Mapping[func.FuncOp, Cost],
) -> Mapping[func.FuncOp, Blame]:
    """
    Which of the edits may have made functions worse, by these functions; given their costs,
    and those that they may have.
    """
    if not limits:
        # Most programs are fine at once.
        return {}
    suspects = _Suspects(program, edits)
    copies: dict[func.FuncOp, dict[OperandPlace, Sequence[Edit]]] = {}
    for function, limit in limits.items():
        if not costs.copies(function).are_no_more_than(limit.copies):
            copies[function] = {}
    for place in copied_operands(program) if copies else ():
        function = outermost_function(place[0])
        if function is not None and function in copies:
            copies[function][place] = suspects.of_copy(place)
    made: dict[func.FuncOp | None, list[Edit]] = defaultdict(list)
    for edit in edits.made:
        made[edits.function(edit)].append(edit)
    return {
        function: Blame(
            made[function],
            copies.get(function, {}),
            _blamed_memory(suspects, costs.live_memory(function), limit.peaks),
        )
        for function, limit in limits.items()
    }


def _blamed_memory(
    suspects: _Suspects,
    live: Mapping[Attribute, Sequence[LiveMemory]],
    limits: Mapping[Attribute, int],
) -> Mapping[Attribute, Sequence[BlamedMemory]]:
    """The memory in each memory space whose peak exceeds its limit."""
    return {
        space: [
            BlamedMemory(
                memory, () if memory.op is None else suspects.of_memory(memory.op)
            )
            for memory in memories
        ]
        for space, memories in live.items()
        if peak_of(memories) > limits.get(space, 0)
    }


class _Suspects:
    """
    The edits of an attempt, by the alias sets of the tensors that they are about. Valid as long
    as the program is as it was analysed.
    """

    def __init__(self, program: AnalysedModule, edits: Edits):
        self._edits = edits
        self._analyses = {
            info.op: analysis
            for analysis in program.analyses
            for info in analysis.program.ops
            if isinstance(info.op, func.FuncOp)
            and isinstance(analysis, OneShotAnalysis)
        }
        self._by_set: dict[AliasSet, list[Edit]] = defaultdict(list)
        self._by_op: dict[Operation, list[Edit]] = defaultdict(list)
        for edit in edits.made:
            # Left out, the first edit has not made the op that the second is about.
            origin = edits.origin(edit.op) or edit
            self._by_op[edit.op].append(origin)
            for value in _tensors(edit, edits):
                if (alias_set := self._set_of(value)) is not None:
                    self._by_set[alias_set].append(origin)

    def of_copy(self, place: OperandPlace) -> Sequence[Edit]:
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
        return [e for e in related if e.kind is not EditKind.IN_DESTINATION]

    def of_memory(self, op: Operation) -> Sequence[Edit]:
        """The edits that have to do with memory that the op needs, the likeliest first."""
        return self._related([op], op.results)

    def _related(
        self, ops: Iterable[Operation], values: Iterable[SSAValue]
    ) -> Sequence[Edit]:
        found: dict[Edit, None] = {}
        for op in ops:
            origin = self._edits.origin(op)
            found.update(dict.fromkeys([] if origin is None else [origin]))
            found.update(dict.fromkeys(self._by_op.get(op, ())))
        for value in values:
            alias_set = self._set_of(value)
            if alias_set is not None:
                found.update(dict.fromkeys(self._by_set.get(alias_set, ())))
        return [*found]

    def _set_of(self, value: SSAValue) -> AliasSet | None:
        op = (
            value.owner
            if isinstance(value.owner, Operation)
            else value.owner.parent_op()
        )
        analysis = None if op is None else self._analysis_of(op)
        info = None if analysis is None else analysis.program.values.get(value)
        if analysis is None or info is None:
            return None
        return analysis.alias_sets.find(info)

    def _analysis_of(self, op: Operation) -> OneShotAnalysis | None:
        function = outermost_function(op)
        return None if function is None else self._analyses.get(function)


def _tensors(edit: Edit, edits: Edits) -> Sequence[SSAValue]:
    """The tensors that an edit is about."""
    op = edit.op
    match edit.kind:
        case EditKind.INSERTIONS | EditKind.DISTRIBUTED:
            return [result for new in edits.new(edit) for result in new.results]
        case EditKind.MOVED_WRITER:
            return list(op.operands)
        case _:
            return op.operands[edit.operand : edit.operand + 1]
