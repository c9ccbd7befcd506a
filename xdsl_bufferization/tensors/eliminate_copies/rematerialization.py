"""
Cheap contents that are computed again before their user, instead of being copied.

    %f = linalg.fill ins(%zero) outs(%e)
    %a = linalg.matmul ins(%x, %y) outs(%f)
    %b = linalg.matmul ins(%x, %z) outs(%f)    // outs(%g), with a linalg.fill %g of its own

Of the users of one `linalg.fill`, all but one get a copy of it if they write it. Copying
reads and writes all its bytes; filling once more writes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from xdsl.builder import Builder
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.interfaces.rematerialization import (
    RematerializationOpInterface,
)
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.facts.records import TensorOperand
from xdsl_bufferization.one_shot.rewriting.tensor_copies import (
    forwarded_to,
    where_copies_may_be,
)
from xdsl_bufferization.support.call_graph import outermost_function
from xdsl_bufferization.support.data_layout import bytes_of_contents
from xdsl_bufferization.support.limits import MAX_STEPS_COMPUTED_AGAIN
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.edits import Edit, EditKind, Edits
from xdsl_bufferization.tensors.effects import is_pure


def rematerialize(
    analysis: BufferizationAnalysis,
    functions: AbstractSet[Operation],
    changes: Changes,
    edits: Edits,
) -> AbstractSet[TensorOperand]:
    """
    Give each operand in the functions that would be a copy of cheap contents contents of its own,
    as far as `edits` admits; returns those operands. The analysis is out of date then, and may be
    so before about operands that have changed.
    """
    return _give_own(
        (o for o in analysis.program.operands() if _is_copied(analysis, o)),
        analysis,
        functions,
        changes,
        edits,
    )


def separate(
    analysis: BufferizationAnalysis,
    functions: AbstractSet[Operation],
    changes: Changes,
    edits: Edits,
) -> AbstractSet[TensorOperand]:
    """
    Give each op that overwrites a tensor without contents, but is not its only user, a tensor of
    its own, as `rematerialize` does.
    """
    operands = filter(_shares_undefined_contents, analysis.program.operands())
    return _give_own(operands, analysis, functions, changes, edits)


def _give_own(
    operands: Iterable[TensorOperand],
    analysis: BufferizationAnalysis,
    functions: AbstractSet[Operation],
    changes: Changes,
    edits: Edits,
) -> AbstractSet[TensorOperand]:
    """Give operands contents of their own, if these are cheap; returns those operands."""
    found = {
        operand: steps
        for operand in operands
        if outermost_function(operand.owner.op) in functions
        and operand.owner.op.operands[operand.index] is operand.value.value
        and edits.admits(_edit(EditKind.REMATERIALIZE, operand))
        and (steps := _steps(analysis, operand)) is not None
    }
    for operand, steps in found.items():
        user = operand.owner.op
        place = InsertPoint.before(where_copies_may_be(operand.owner))
        former = user.operands[operand.index]
        value = _compute_again(steps, changes.builder(user, place))
        changes.set_operand(user, operand.index, value)
        edits.add(_edit(EditKind.REMATERIALIZE, operand))
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


def sink(
    analysis: BufferizationAnalysis,
    functions: AbstractSet[Operation],
    changes: Changes,
    edits: Edits,
) -> None:
    """
    Compute what is cheap right before the one op that overwrites it, if that is in the same
    block, as far as `edits` admits.

    Its memory, and a destination that takes its place, need not be there any earlier then.
    The analysis is out of date, and may be so before: operands that have changed are left
    alone.
    """
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
            and not _reads_what_is_written(analysis, value.op)
            and outermost_function(user) in functions
            and edits.admits(edit := _edit(EditKind.SINK, operand))
        ):
            builder = changes.builder(user, InsertPoint.before(user))
            again = _compute_again((value.op,), builder)
            changes.set_operand(user, operand.index, again)
            edits.add(edit)
            remove_unused(value, changes)


def _reads_what_is_written(analysis: BufferizationAnalysis, op: Operation) -> bool:
    """Whether a tensor that the op reads may be overwritten at some time."""
    info = analysis.program.info(op)
    return info is not None and any(
        operand.reads
        and not (
            isinstance(analysis, OneShotAnalysis)
            and not analysis.is_written(operand.value)
        )
        for operand in info.operands
    )


def _steps(
    analysis: BufferizationAnalysis, operand: TensorOperand
) -> Sequence[Operation] | None:
    """
    The op that computes the operand's contents and those that pass its tensor on, in
    order; `None` if copying is cheaper.
    """
    steps: list[Operation] = []
    value = operand.value.value
    while isinstance(value, OpResult):
        if MAX_STEPS_COMPUTED_AGAIN.exceeded_by(len(steps) + 1):
            break
        steps.append(value.op)
        model = RematerializationOpInterface.of(value.op)
        if model is not None:
            cheap = _is_cheap(model, value.op, operand)
            return steps[::-1] if cheap else None
        source = _only_source(analysis, value)
        if source is None:
            return None
        value = source
    return None


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


def _only_source(analysis: BufferizationAnalysis, value: OpResult) -> SSAValue | None:
    """The one tensor that the op of the value passes on, if it does nothing else."""
    info = analysis.program.info(value.op)
    if info is None or value.op.regions or not is_pure(value.op):
        return None
    (*tensors,) = info.operands
    if len(tensors) != 1 or len(value.op.results) != 1:
        return None
    (source,) = tensors
    if source.reads or source.writes or not source.aliases:
        return None
    return source.value.value


def _compute_again(steps: Sequence[Operation], builder: Builder) -> SSAValue:
    first, *others = steps
    model = RematerializationOpInterface.expect(first)
    former, value = first.results[0], model.rematerialize(first, builder)
    for step in others:
        clone = step.clone()
        clone.operands = [value if o is former else o for o in step.operands]
        former, value = step.results[0], builder.insert(clone).results[0]
    return value


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
