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

from xdsl_bufferization.one_shot.facts.records import TensorOperand, ValueInfo


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
