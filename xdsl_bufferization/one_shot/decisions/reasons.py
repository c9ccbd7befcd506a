"""
Why an operand is out of place.

    %r = tensor.insert %f into %t[%i]    // Conflict(read: %t of %x, write: this, definition: %t)
    %x = tensor.extract %t[%i]

    %c = arith.constant dense<0.0>
    %s = tensor.insert %f into %c[%i]    // NotWritable(%c)

The report, errors and annotations put the reason in words.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from xdsl.dialects import func
from xdsl.ir import BlockArgument, Operation, SSAValue

from xdsl_bufferization.one_shot.facts.records import TensorOperand, ValueInfo
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.donation import ALIASING_RESULT
from xdsl_bufferization.support.regions import defining_op, index_of


class Conflict(NamedTuple):
    """
    A read-after-write conflict: `write` would destroy what `definition` put into the
    memory before `read` reads it.
    """

    read: TensorOperand
    write: TensorOperand
    definition: ValueInfo
    stopped: ValueInfo | None = None
    """
    The tensor of the read or the write, if it is traced back to more origins than
    `MAX_ORIGINS`: fewer might be known to be other memory, or the same.
    """


class NotWritable(NamedTuple):
    """The read-only memory of `value` would be written."""

    value: ValueInfo


class Race(NamedTuple):
    """
    Executions of a parallel region would all write the memory of `definition`, which is
    outside of the region.
    """

    write: TensorOperand
    definition: ValueInfo


Reason: TypeAlias = Conflict | NotWritable | Race


def cannot_be_in_place(operand: TensorOperand, reason: Reason) -> BufferizationError:
    """The error about an operand that must be in place, and cannot be for the reason."""
    what, related = explained(reason)
    return BufferizationError(
        operand.owner.op,
        f"must have operand #{operand.index} in place, but {what}",
        related=related,
        hint=_how_to_write(reason.value.value)
        if isinstance(reason, NotWritable)
        else "",
    )


def explained(
    reason: Reason | None,
) -> tuple[str, list[tuple[str, Operation | None]]]:
    """The reason in words, and the ops that have to do with it."""
    match reason:
        case Conflict(read, write, definition):
            where, op = _definition(definition)
            return "that causes a read-after-write conflict", [
                (f"the contents are those of {where}", op),
                (
                    f"they are still to be read by operand #{read.index} of",
                    read.owner.op,
                ),
                (
                    f"but would be destroyed through operand #{write.index} of",
                    write.owner.op,
                ),
            ]
        case NotWritable(value):
            where, op = _definition(value)
            return "its buffer must not be written", [
                (f"the buffer that is not writable is that of {where}", op)
            ]
        case Race(write, definition):
            where, op = _definition(definition)
            return "several runs of a parallel region would write the same memory", [
                (f"the memory is that of {where}", op),
                (f"it is written through operand #{write.index} of", write.owner.op),
            ]
        case None:
            return "every write works on a copy, without an analysis", []


def _definition(info: ValueInfo) -> tuple[str, Operation | None]:
    """A tensor in words, and the op that has it as a result or block argument."""
    value = info.value
    if isinstance(value, BlockArgument):
        return f"block argument #{value.index} of", value.block.parent_op()
    return f"result #{index_of(value)} of", defining_op(value)


def _how_to_write(value: SSAValue) -> str:
    """The change that lets the memory of the tensor be written, if one is known."""
    if not isinstance(value, BlockArgument) or not isinstance(
        value.block.parent_op(), func.FuncOp
    ):
        return ""
    return (
        f"if callers do not need argument #{value.index} as it was, donate it with "
        f"{ALIASING_RESULT}, or give it bufferization.writable = true"
    )
