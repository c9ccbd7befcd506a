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
    constraint = f"must have operand #{operand.index} in place, but "
    match reason:
        case NotWritable(value):
            return BufferizationError(
                operand.owner.op,
                constraint + "its buffer must not be written",
                related=[
                    ("the buffer that is not writable comes from", _source(value))
                ],
                hint=_how_to_write(value.value),
            )
        case Conflict(read, write, _):
            return BufferizationError(
                operand.owner.op,
                constraint + "that causes a read-after-write conflict",
                related=[
                    ("the contents are still to be read by", read.owner.op),
                    ("but destroyed by", write.owner.op),
                ],
            )
        case Race(write, definition):
            return BufferizationError(
                operand.owner.op,
                constraint + "several runs of a parallel region would write the same "
                "memory",
                related=[
                    ("it is written by", write.owner.op),
                    ("and comes from", _source(definition)),
                ],
            )


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


def _source(value: ValueInfo) -> Operation | None:
    """The op that defines the tensor, or that has it as an argument of its blocks."""
    owner = value.value.owner
    return owner if isinstance(owner, Operation) else owner.parent_op()
