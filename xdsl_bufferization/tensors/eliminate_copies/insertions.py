"""
Padding and concatenation whose operands are computed in the result.

`tensor.pad` and `tensor.concat` copy their operands. As insertions into one destination
they allow `eliminate-empty-tensors` to compute an operand in its part of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.interfaces.insertions import InsertionsOpInterface
from xdsl_bufferization.interfaces.subset import SubsetInsertionOpInterface
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.walk import walk


class Insertions:
    """An op that has been replaced by insertions, and can be put back."""

    def __init__(
        self, index: int, op: Operation, new: Sequence[Operation], result: SSAValue
    ):
        self.index = index
        """Which of the ops that can be replaced it was."""
        self._op = op
        self._operands = list(op.operands)
        self._new = new
        self._result = result
        # What is not in the program does not use its values.
        op.operands = ()

    def is_one_of(self, ops: AbstractSet[Operation]) -> bool:
        """Whether one of the new ops is among these."""
        return not ops.isdisjoint(self._new)

    def undo_if_copied(self, analysis: BufferizationAnalysis) -> bool:
        """
        Put the op back if all of its operands are copied, into a tensor of its own; whether
        that has been done. `False` also if the analysis is not about the op.
        """
        if any(op.parent is None for op in self._new) or self._is_part_used():
            # The destination is a part of another one, or a part of it a destination.
            return False
        insertions = [
            (op, model)
            for op in self._new
            if (model := SubsetInsertionOpInterface.of(op)) is not None
            and op.operands[model.source_operand(op)] in self._operands
        ]
        if not insertions or any(
            _is_in_destination(analysis, op, model) for op, model in insertions
        ):
            return False
        self._undo()
        return True

    def _is_part_used(self) -> bool:
        new = {*self._new}
        return any(
            use.operation not in new
            for op in self._new
            for result in op.results
            if result is not self._result
            for use in result.uses
        )

    def _undo(self) -> None:
        last = self._new[-1]
        assert last.parent is not None
        last.parent.insert_op_after(self._op, last)
        self._op.operands = self._operands
        self._result.replace_all_uses_with(self._op.results[0])
        for op in reversed(self._new):
            op.detach()
            op.erase()

    def keep(self) -> None:
        """Forget the op."""
        self._op.erase()


def _is_in_destination(
    analysis: BufferizationAnalysis, op: Operation, model: SubsetInsertionOpInterface
) -> bool:
    """
    Whether the source of the insertion is in the memory of its destination, so that nothing
    is copied; or if the analysis is not about the op.
    """
    source = analysis.program.operand(op, model.source_operand(op))
    if source is None or not isinstance(analysis, OneShotAnalysis):
        return True
    destination = analysis.program.values[model.container(op)]
    return analysis.is_in_place(source) and (
        analysis.are_aliases(source.value, destination)
    )


def ops_to_replace(functions: Iterable[Operation]) -> Sequence[Operation]:
    """The ops that copy operands into their result, in program order."""
    return [op for op in walk(functions) if InsertionsOpInterface.of(op) is not None]


def insert_instead(
    ops: Iterable[tuple[int, Operation]],
) -> Sequence[Insertions]:
    """Replace ops, given with an index each, by insertions, if there are such."""
    return [
        insertions
        for index, op in ops
        if (insertions := _replace(index, op)) is not None
    ]


def _replace(index: int, op: Operation) -> Insertions | None:
    model = InsertionsOpInterface.of(op)
    if model is None or op.parent is None:
        # Nobody uses it any more, and it has been erased.
        return None
    new: list[Operation] = []
    builder = builder_for(op, InsertPoint.before(op))
    builder.operation_insertion_handler.append(new.append)
    result = model.build_insertions(op, builder)
    if result is None:
        return None
    former = op.results[0]
    former.replace_all_uses_with(result)
    result.name_hint = former.name_hint
    op.detach()
    return Insertions(index, op, new, result)
