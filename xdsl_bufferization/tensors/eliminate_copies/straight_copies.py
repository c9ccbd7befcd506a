"""
Operands that are copied, and then copied once more to where the result is inserted.

    %y = tensor.insert_slice %row into %x[2] [4] [1]            // writes a copy of %x
    %m = tensor.insert_slice %y into %ys[%i, 0] [1, 8] [1, 1]   // copies %y

One copy will do, straight to the destination:

    %c = bufferization.materialize_in_destination %x in %empty
    %y = tensor.insert_slice %row into %c[2] [4] [1]

`eliminate-empty-tensors` lets the part of `%ys` take the place of `%empty`. Where it does not, the
op gets its operand back. An operand that is only overwritten need not be copied:

    %y = linalg.add ins(%a, %b) outs(%a)                        // outs(%empty)
    %m = tensor.insert_slice %y into %ys[%i, 0] [1, 8] [1, 1]

Invariant: the contents of each tensor stay the same. Finding the operands takes time linear in the
operands of the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects import tensor
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.bufferization import MaterializeInDestinationOp
from xdsl_bufferization.interfaces.contents import empty_like
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.facts.records import TensorOperand
from xdsl_bufferization.one_shot.rewriting.tensor_copies import (
    forwarded_to,
    where_copies_may_be,
)
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.edits import Edit, EditKind, Edits
from xdsl_bufferization.tensors.eliminate_copies.rematerialization import remove_unused
from xdsl_bufferization.tensors.eliminate_copies.rewriting import (
    Rewriting,
    inserted_operands,
    is_overwritten,
    operands_in_buffer,
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
        edits.drop(_edit(self.op, self.operand))
        return True


def _edit(op: Operation, operand: int) -> Edit:
    return Edit(EditKind.FORWARD_COPY, op, operand)


def copy_straight(rewriting: Rewriting) -> Sequence[StraightCopy]:
    """
    Copy operands to empty tensors that another tensor may take the place of, or use these if the
    contents do not matter. Operands that have changed since the analysis are left alone.
    """
    made: list[StraightCopy] = []
    if (analysis := rewriting.one_shot) is None:
        return made
    for operand in _copied_operands(analysis):
        op, index, former = operand.owner.op, operand.index, operand.value.value
        if (
            not rewriting.admits(edit := _edit(op, index))
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
