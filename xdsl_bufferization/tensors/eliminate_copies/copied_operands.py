"""
Operands that are copied, and do without it, or are copied elsewhere.

`rematerialize` computes cheap contents again before their user, `separate` does so with tensors
without contents, and `sink` computes them as late as possible:

    %f = linalg.fill ins(%zero) outs(%e)
    %a = linalg.matmul ins(%x, %y) outs(%f)
    %b = linalg.matmul ins(%x, %z) outs(%f)    // outs(%g), with a linalg.fill %g of its own

Copying reads and writes all bytes of the `linalg.fill`; filling once more writes them.

`copy_straight` copies an operand to where the result is inserted, which would be copied there:

    %y = tensor.insert_slice %row into %x[2] [4] [1]            // writes a copy of %x
    %m = tensor.insert_slice %y into %ys[%i, 0] [1, 8] [1, 1]   // copies %y

    %c = bufferization.materialize_in_destination %x in %empty  // instead: the only copy
    %y = tensor.insert_slice %row into %c[2] [4] [1]

`eliminate-empty-tensors` lets the part of `%ys` take the place of `%empty`. Where it does not, the
op gets its operand back. An operand that is only overwritten need not be copied:

    %y = linalg.add ins(%a, %b) outs(%a)                        // outs(%empty)
    %m = tensor.insert_slice %y into %ys[%i, 0] [1, 8] [1, 1]

`save_contents` saves old contents of a donated argument once, before the argument is updated, such
as a cache that is read before and after a step:

    %new = tensor.insert %f into %state[%i]     // a copy of %state, and one back at the return
    %x = tensor.extract %state[%j]              // %j depends on %new, so the order stays
    func.return %new, %x                        // %state is donated for %new

    %old = bufferization.alloc_tensor() copy(%state)   // instead: the only copy
    %new = tensor.insert %f into %state[%i]            // in place
    %x = tensor.extract %old[%j]

Invariant: the contents of each tensor stay the same. Finding the operands takes time linear in the
operands of the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import NamedTuple

from xdsl.dialects import func, tensor
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue, Use
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.bufferization import (
    AllocTensorOp,
    MaterializeInDestinationOp,
)
from xdsl_bufferization.interfaces.contents import (
    RematerializationOpInterface,
    empty_like,
)
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.decisions.reasons import Conflict
from xdsl_bufferization.one_shot.facts.records import TensorOperand
from xdsl_bufferization.one_shot.rewriting.tensor_copies import (
    forwarded_to,
    where_copies_may_be,
)
from xdsl_bufferization.support.data_layout import bytes_of_contents
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.regions import ancestor_in, region_of
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.edits import Edit, EditKind, Edits
from xdsl_bufferization.tensors.eliminate_copies.rewriting import (
    Rewriting,
    inserted_operands,
    is_overwritten,
    operands_in_buffer,
    ops_after,
)
from xdsl_bufferization.tensors.op_order import is_pure


def rematerialize(rewriting: Rewriting) -> AbstractSet[TensorOperand]:
    """
    Give each operand that would be a copy of cheap contents contents of its own; returns those
    operands. The analysis may be out of date about operands that have changed.
    """
    analysis = rewriting.analysis
    operands = (o for o in analysis.program.operands() if _is_copied(analysis, o))
    return _give_own(operands, rewriting)


def separate(rewriting: Rewriting) -> AbstractSet[TensorOperand]:
    """
    Give each op that overwrites a tensor without contents, but is not its only user, a tensor of
    its own, as `rematerialize` does.
    """
    operands = rewriting.analysis.program.operands()
    # All of them: the last one is the only user of what is left.
    return _give_own([*filter(_shares_undefined_contents, operands)], rewriting)


def _give_own(
    operands: Iterable[TensorOperand],
    rewriting: Rewriting,
    kind: EditKind = EditKind.REMATERIALIZE,
) -> AbstractSet[TensorOperand]:
    """Give operands contents of their own, if these are cheap; returns those operands."""
    changes = rewriting.changes
    found: set[TensorOperand] = set()
    for operand in operands:
        user, former = operand.owner.op, operand.value.value
        if (
            # An op that has been removed has no operands, and is in no function.
            not rewriting.admits(edit := _edit(kind, operand))
            or user.operands[operand.index] is not former
            or (op := _cheap_op(operand)) is None
        ):
            continue
        place = InsertPoint.before(where_copies_may_be(operand.owner))
        model = RematerializationOpInterface.expect(op)
        value = model.rematerialize(op, changes.builder(user, place))
        changes.set_operand(user, operand.index, value)
        rewriting.edits.add(edit)
        remove_unused(former, changes)
        found.add(operand)
    return found


def _edit(kind: EditKind, operand: TensorOperand) -> Edit:
    return Edit(kind, operand.owner.op, operand.index)


def _is_copied(analysis: OneShotAnalysis, operand: TensorOperand) -> bool:
    return (
        not analysis.is_in_place(operand)
        and operand.owner.model is not None
        and not analysis.can_omit_copy(operand)
    )


def _shares_undefined_contents(operand: TensorOperand) -> bool:
    """Whether the op overwrites a tensor without contents that has other users."""
    return (
        operand.writes
        and not operand.reads
        and not operand.value.definitions
        and operand.owner.model is not None
        and not operand.value.value.has_one_use()
    )


def sink(rewriting: Rewriting) -> None:
    """
    Compute what is cheap right before the one op that overwrites it, if that is in the same block.
    Its memory, and a destination that takes its place, need not be there any earlier then.
    """
    operands = rewriting.analysis.program.operands()
    can_sink = partial(_is_computed_too_early, rewriting.analysis)
    _give_own(filter(can_sink, operands), rewriting, EditKind.SINK)


def _is_computed_too_early(analysis: OneShotAnalysis, operand: TensorOperand) -> bool:
    user, value = operand.owner.op, operand.value.value
    return (
        operand.writes
        and isinstance(value, OpResult)
        # Ops that have been removed, with a loop around them too, use nothing.
        and value.get_user_of_unique_use() is user
        and value.op.parent is user.parent
        and value.op.next_op is not user
        and analysis.is_in_place(operand)
        and not _reads_what_is_written(analysis, value.op)
    )


def _reads_what_is_written(analysis: OneShotAnalysis, op: Operation) -> bool:
    """Whether a tensor that the op reads may be overwritten at some time."""
    info = analysis.program.info(op)
    return info is not None and any(
        operand.reads and analysis.is_written(operand.value)
        for operand in info.operands
    )


def _cheap_op(operand: TensorOperand) -> Operation | None:
    """The op that computes the operand's contents; `None` if copying is cheaper."""
    op = operand.value.value.owner
    if isinstance(op, Block) or (model := RematerializationOpInterface.of(op)) is None:
        return None
    return op if _is_cheap(model, op, operand) else None


def _is_cheap(
    model: RematerializationOpInterface, op: Operation, operand: TensorOperand
) -> bool:
    """Whether computing moves fewer bytes than to copy what is copied for the operand."""
    read = model.bytes_read(op)
    if read is None:
        return False
    copied = forwarded_to(operand) or operand.value.value
    size, written = bytes_of_contents(copied), model.bytes_written(op)
    if size is None or written is None:
        # As many are written as would be copied, and none read.
        return read == 0 and copied is op.results[0]
    return read + written < 2 * size


def remove_unused(value: SSAValue, changes: Changes) -> None:
    """Remove the op of the value, and those that only it used, if nothing uses it."""
    pending = [value]
    while pending:
        op = pending.pop().owner
        if (
            isinstance(op, Operation)
            and op.parent is not None
            and all(result.first_use is None for result in op.results)
            and _has_no_side_effects(op)
        ):
            operands = list(op.operands)
            changes.remove(op)
            pending.extend(operands)


def _has_no_side_effects(op: Operation) -> bool:
    # What can be computed again need not be computed, either.
    return RematerializationOpInterface.of(op) is not None or all(
        map(is_pure, op.walk())
    )


class StraightCopy(NamedTuple):
    """An operand of an op that is another tensor now: a copy, or an empty one."""

    op: Operation
    operand: int
    former: SSAValue
    user: Operation
    """The op that writes the empty tensor, at the index: the copy, or the op itself."""
    init: int

    def undo_if_useless(self, changes: Changes, edits: Edits) -> bool:
        """
        Give the op its operand back if the empty tensor is still there; whether that has been
        done.
        """
        if self.user.parent is None:
            return False
        empty = self.user.operands[self.init]
        if not isinstance(empty.owner, tensor.EmptyOp):
            return False
        if self.user is not self.op:
            copy = self.user.results[0]
            changes.replace_uses(copy, self.user.operands[0])
            remove_unused(copy, changes)
        elif self.former.first_use is None:
            # Its memory is not there without this use.
            return False
        else:
            changes.set_operand(self.op, self.operand, self.former)
            remove_unused(empty, changes)
        edits.drop(Edit(EditKind.FORWARD_COPY, self.op, self.operand))
        return True


def copy_straight(rewriting: Rewriting) -> Sequence[StraightCopy]:
    """
    Copy operands to empty tensors that another tensor may take the place of, or use these if the
    contents do not matter. Operands that have changed since the analysis are left alone.
    """
    made: list[StraightCopy] = []
    analysis = rewriting.analysis
    for operand in _copied_operands(analysis):
        op, index, former = operand.owner.op, operand.index, operand.value.value
        if (
            not rewriting.admits(edit := _edit(EditKind.FORWARD_COPY, operand))
            or op.operands[index] is not former
            or not isinstance(former.type, TensorType)
        ):
            continue
        place = InsertPoint.before(where_copies_may_be(operand.owner))
        new: list[Operation] = []
        builder = rewriting.changes.builder(op, place, new=new)
        own, user, init = empty_like(former, builder), op, index
        if not is_overwritten(operand):
            user, init = builder.insert(MaterializeInDestinationOp(former, own)), 1
            own = user.results[0]
        rewriting.changes.set_operand(op, index, own)
        rewriting.edits.add(edit, new)
        made.append(StraightCopy(op, index, former, user, init))
    return made


def _copied_operands(analysis: OneShotAnalysis) -> Iterator[TensorOperand]:
    """
    The operands that are copied with their contents, or overwritten in memory that is no empty
    tensor's, so that the tensor that is inserted somewhere else, or one in the same buffer before,
    can be written.
    """
    seen: set[SSAValue] = set()
    empty = {
        analysis.alias_sets.find(value)
        for value in analysis.program.values.values()
        if not value.definitions
    }
    for info in analysis.program.ops:
        for inserted in inserted_operands(info):
            if not analysis.is_in_place(inserted):
                continue
            for operand in operands_in_buffer(analysis, inserted.value.value, seen):
                if operand.owner.model is None:
                    continue
                is_in_place = analysis.is_in_place(operand)
                if is_overwritten(operand):
                    if (
                        not is_in_place
                        or analysis.alias_sets.find(operand.value) not in empty
                    ):
                        yield operand
                elif (
                    not is_in_place
                    and not analysis.can_omit_copy(operand)
                    and forwarded_to(operand) is None
                ):
                    yield operand


def save_contents(rewriting: Rewriting) -> None:
    """Save what is read of donated arguments after the first op that would write a copy of them."""
    changes, edits = rewriting.changes, rewriting.edits
    for argument in _donated(rewriting):
        write = next(_copied_writes(rewriting, argument), None)
        if write is None or not (later := _later_uses(argument, write.owner.op)):
            continue
        builder = changes.builder(write.owner.op, InsertPoint.before(write.owner.op))
        saved = builder.insert(AllocTensorOp(argument.type, copy=argument))
        for reader, index in later:
            changes.set_operand(reader, index, saved.tensor)
        edits.add(_edit(EditKind.SAVE_CONTENTS, write), [saved])


def _copied_writes(
    rewriting: Rewriting, argument: BlockArgument
) -> Iterator[TensorOperand]:
    """The operands, in its block, that are copied since the argument is read afterwards."""
    for use in argument.uses:
        write = rewriting.analysis.program.operand(use.operation, use.index)
        if (
            write is not None
            and use.operation.parent is argument.block
            and isinstance(reason := rewriting.analysis.reason(write), Conflict)
            and reason.write is write
            and rewriting.admits(_edit(EditKind.SAVE_CONTENTS, write))
        ):
            yield write


def _donated(rewriting: Rewriting) -> Iterator[BlockArgument]:
    for function in rewriting.functions:
        if isinstance(function, func.FuncOp):
            for number in donated_arguments(function).values():
                yield function.args[number]


def _later_uses(value: SSAValue, writer: Operation) -> Sequence[tuple[Operation, int]]:
    """The uses of the value by ops after the writer in its block."""
    block = writer.parent
    assert block is not None
    region = region_of(block)
    after = {*ops_after(writer), block.last_op}

    def is_later(use: Use) -> bool:
        return ancestor_in(region, use.operation) in after

    return [(use.operation, use.index) for use in value.uses if is_later(use)]
