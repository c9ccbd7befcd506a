"""
Padding and concatenation whose operands are computed in the result.

`tensor.pad` and `tensor.concat` copy their operands. As insertions into one destination
they allow `eliminate-empty-tensors` to compute an operand in its part of it.

    %r = tensor.concat dim(0) %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>

    %e = tensor.empty() : tensor<8xf32>              // instead
    %s = tensor.insert_slice %a into %e[0] [4] [1]
    %r = tensor.insert_slice %b into %s[4] [4] [1]

Insertions that a later insertion overwrites.

    %a = tensor.insert_slice %x into %t[1] [62] [1]
    %b = tensor.insert_slice %y into %a[1] [62] [1]    // into %t, then %a is not needed

Invariant: the elements of `%b` stay the same. If anything else uses `%a`, nothing is done: `%a` and
`%b` would both be made from `%t`, and one of them in new memory.

Takes time linear in the ops of the functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects import tensor
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.contents import InsertionsOpInterface
from xdsl_bufferization.interfaces.subset import (
    Slice,
    SubsetExtractionOpInterface,
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.support.call_graph import outermost_function
from xdsl_bufferization.support.regions import block_of, defining_op, walk
from xdsl_bufferization.support.shaped_types import is_tensor
from xdsl_bufferization.tensors.changes import Changes, Removed
from xdsl_bufferization.tensors.edits import Edit, EditKind, Edits
from xdsl_bufferization.tensors.eliminate_copies.insertion_order import Orders
from xdsl_bufferization.tensors.eliminate_copies.rematerialization import remove_unused
from xdsl_bufferization.tensors.eliminate_copies.rewriting import Rewriting


class Insertions:
    """An op that has been replaced by insertions, and can be put back."""

    def __init__(self, removed: Removed, new: Sequence[Operation], result: SSAValue):
        self._removed = removed
        self._new = new
        self._result = result

    def undo_if_copied(self, rewriting: Rewriting) -> bool:
        """
        Put the op back if all of its operands are copied, into a tensor of its own; whether
        that has been done. `False` also if the analysis is not about the op.
        """
        empty = next(op for op in self._new if isinstance(op, tensor.EmptyOp))
        if empty.parent is None or self._is_part_used():
            # The destination is a part of another one, or a part of it a destination.
            return False
        insertions = [
            op
            for op in self._new
            if op.parent is not None
            and (model := SubsetInsertionOpInterface.of(op)) is not None
            and op.operands[model.source_operand(op)].owner not in self._new
        ]
        if not insertions or not all(
            is_copied(rewriting.analysis, op) for op in insertions
        ):
            return False
        changes, last, op = rewriting.changes, self._result, self._removed.op
        changes.put_back(self._removed, block_of(last), defining_op(last).next_op)
        changes.replace_uses(last, op.results[0])
        remove_unused(last, changes)
        rewriting.edits.drop(_edit(op))
        return True

    def follow(self, orders: Orders) -> None:
        """Take notice that insertions have another order."""
        if (ordered := orders.get(self._result)) is not None:
            self._new = [*self._new, *ordered]
            self._result = ordered[-1].results[0]

    def _is_part_used(self) -> bool:
        """Whether others than a border are in a part of the result."""
        new = {*self._new}
        users = {
            use.operation
            for op in self._new
            for result in op.results
            if result is not self._result
            for use in result.uses
        } - new
        return any(
            SubsetExtractionOpInterface.of(user) is None
            or any(u.operation not in new for r in user.results for u in r.uses)
            for user in users
        )


def is_copied(analysis: BufferizationAnalysis, op: Operation) -> bool:
    """
    Whether the op inserts a tensor that is elsewhere, as far as the analysis knows it, or puts
    together slices and arguments, which cannot be computed there.
    """
    if InsertionsOpInterface.of(op) is not None:
        return all(_is_elsewhere(value) for value in op.operands if is_tensor(value))
    model = SubsetInsertionOpInterface.of(op)
    if model is None or not op.results or not isinstance(analysis, OneShotAnalysis):
        return False
    source = analysis.program.operand(op, model.source_operand(op))
    destination = analysis.program.operand(op, model.destination_operand(op))
    return (
        source is not None
        and destination is not None
        and not (
            analysis.is_in_place(source)
            and analysis.are_aliases(source.value, destination.value)
        )
    )


def _is_elsewhere(value: SSAValue) -> bool:
    return isinstance(value, BlockArgument) or (
        isinstance(value, OpResult)
        and SubsetExtractionOpInterface.of(value.op) is not None
    )


def ops_to_replace(functions: Iterable[Operation]) -> Sequence[Operation]:
    """The ops that copy operands into their result, in program order."""
    return [op for op in walk(functions) if InsertionsOpInterface.of(op) is not None]


def insert_instead(
    ops: Iterable[Operation], changes: Changes, edits: Edits
) -> Sequence[Insertions]:
    """Replace ops by insertions, if there are such and `edits` admits it."""
    return [
        insertions
        for op in ops
        if edits.admits(_edit(op))
        and (insertions := _replace(op, changes, edits)) is not None
    ]


def _edit(op: Operation) -> Edit:
    return Edit(EditKind.INSERT, op)


def _replace(op: Operation, changes: Changes, edits: Edits) -> Insertions | None:
    model = InsertionsOpInterface.of(op)
    if model is None or outermost_function(op) is None:
        # It has been removed, by itself or with an op around it that nothing uses any more.
        return None
    new: list[Operation] = []
    builder = changes.builder(op, new=new)
    result = model.build_insertions(op, builder)
    if result is None:
        return None
    former = op.results[0]
    changes.replace_uses(former, result)
    result.name_hint = former.name_hint
    edits.add(_edit(op), new)
    return Insertions(changes.remove(op), new, result)


def drop_overwritten(functions: Iterable[Operation], changes: Changes) -> None:
    """Let insertions in the functions overwrite what was there before those that they undo."""
    for op in [*walk(functions)]:
        model = SubsetInsertionOpInterface.of(op)
        if model is None or op.parent is None:
            continue
        later, index = model.subset(op), model.destination_operand(op)
        while isinstance(later, Slice):
            inner = op.operands[index]
            if not isinstance(inner, OpResult) or not inner.has_one_use():
                break
            inserting = SubsetInsertionOpInterface.of(inner.op)
            if inserting is None or inserting.subset(inner.op) != later:
                break
            changes.set_operand(op, index, inserting.container(inner.op))
            remove_unused(inner, changes)
