"""
Old contents of donated arguments are saved once, before the argument is updated.

    %new = tensor.insert %f into %state[%i]     // a copy of %state, and one back at the return
    %x = tensor.extract %state[%j]              // %j depends on %new, so the order stays
    func.return %new, %x                        // %state is donated for %new

    %old = bufferization.alloc_tensor() copy(%state)   // instead: the only copy
    %new = tensor.insert %f into %state[%i]            // in place
    %x = tensor.extract %old[%j]

A cache that is read before and after a step updates it is such an argument.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import func
from xdsl.ir import BlockArgument, Operation, SSAValue, Use
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.bufferization import AllocTensorOp
from xdsl_bufferization.one_shot.decisions.reasons import Conflict
from xdsl_bufferization.one_shot.facts.records import TensorOperand
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.regions import ancestor_in, region_of
from xdsl_bufferization.tensors.edits import Edit, EditKind
from xdsl_bufferization.tensors.eliminate_copies.rewriting import Rewriting, ops_after


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
        edits.add(_edit(write), [saved])


def _edit(write: TensorOperand) -> Edit:
    return Edit(EditKind.SAVE_CONTENTS, write.owner.op, write.index)


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
            and rewriting.admits(_edit(write))
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
