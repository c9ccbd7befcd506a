"""
Cheap contents that are computed again before their user, instead of being copied.

    %f = linalg.fill ins(%zero) outs(%e)
    %a = linalg.matmul ins(%x, %y) outs(%f)
    %b = linalg.matmul ins(%x, %z) outs(%f)    // outs(%g), with a linalg.fill %g of its own

Of the users of one `linalg.fill`, all but one get a copy of it if they write it. Copying
reads and writes all its bytes; filling once more writes them.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.interfaces.contents import (
    RematerializationOpInterface,
)
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.facts.records import TensorOperand
from xdsl_bufferization.one_shot.rewriting.tensor_copies import (
    forwarded_to,
    where_copies_may_be,
)
from xdsl_bufferization.support.data_layout import bytes_of_contents
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.edits import Edit, EditKind
from xdsl_bufferization.tensors.effects import is_pure
from xdsl_bufferization.tensors.eliminate_copies.rewriting import Rewriting


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
    return _give_own(filter(_shares_undefined_contents, operands), rewriting)


def _give_own(
    operands: Iterable[TensorOperand], rewriting: Rewriting
) -> AbstractSet[TensorOperand]:
    """Give operands contents of their own, if these are cheap; returns those operands."""
    changes = rewriting.changes
    found = {
        operand: op
        for operand in operands
        # An op that has been removed has no operands, and is in no function.
        if rewriting.admits(_edit(EditKind.REMATERIALIZE, operand))
        and operand.owner.op.operands[operand.index] is operand.value.value
        and (op := _cheap_op(operand)) is not None
    }
    for operand, op in found.items():
        user = operand.owner.op
        place = InsertPoint.before(where_copies_may_be(operand.owner))
        former = user.operands[operand.index]
        model = RematerializationOpInterface.expect(op)
        value = model.rematerialize(op, changes.builder(user, place))
        changes.set_operand(user, operand.index, value)
        rewriting.edits.add(_edit(EditKind.REMATERIALIZE, operand))
        remove_unused(former, changes)
    return found.keys()


def _edit(kind: EditKind, operand: TensorOperand) -> Edit:
    return Edit(kind, operand.owner.op, operand.index)


def _is_copied(analysis: BufferizationAnalysis, operand: TensorOperand) -> bool:
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
    Its memory, and a destination that takes its place, need not be there any earlier then. Operands
    that have changed since the analysis are left alone.
    """
    analysis, changes = rewriting.analysis, rewriting.changes
    for operand in analysis.program.operands():
        user, value = operand.owner.op, operand.value.value
        if (
            operand.writes
            and isinstance(value, OpResult)
            # Ops that have been removed, with a loop around them too, use nothing.
            and value.get_user_of_unique_use() is user
            and user.operands[operand.index] is value
            and value.op.parent is user.parent
            and value.op.next_op is not user
            and (model := RematerializationOpInterface.of(value.op)) is not None
            and _is_cheap(model, value.op, operand)
            and analysis.is_in_place(operand)
            and not _reads_what_is_written(rewriting, value.op)
            and rewriting.admits(edit := _edit(EditKind.SINK, operand))
        ):
            builder = changes.builder(user)
            again = model.rematerialize(value.op, builder)
            changes.set_operand(user, operand.index, again)
            rewriting.edits.add(edit)
            remove_unused(value, changes)


def _reads_what_is_written(rewriting: Rewriting, op: Operation) -> bool:
    """Whether a tensor that the op reads may be overwritten at some time."""
    info, one_shot = rewriting.analysis.program.info(op), rewriting.one_shot
    return info is not None and any(
        operand.reads and (one_shot is None or one_shot.is_written(operand.value))
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
