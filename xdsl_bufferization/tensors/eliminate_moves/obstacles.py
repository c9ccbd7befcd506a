"""
Reasons why a move is left, as the place that decides finds them.

    %t = linalg.transpose ins(%x) ...     // ReaderNotStructured: the call needs its elements
    %r = func.call @product(%t)

Invariant: a move that is left has one obstacle, the first that is found. A move that the pass does
not see, since a later pass makes it, has none. Constant time and memory for each move.

Constants with one number for all elements.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    TensorType,
)
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.host.literals import splat_number

# Obstacles of the op itself ---------------------------------------------------------------


class Encoded(NamedTuple):
    """A type with an encoding, which may say how the elements are in memory."""

    value: SSAValue


class HasDestination(NamedTuple):
    """An init that is not a `tensor.empty`: the elements are wanted in its memory."""

    init: SSAValue


# Obstacles of an op that reads the result -------------------------------------------------


class ReaderNotStructured(NamedTuple):
    """A use by an op without indexing maps that could be composed with that of the move."""

    reader: Operation


class ReaderWrites(NamedTuple):
    """An op that uses the result as its init."""

    reader: Operation


class ReaderCallsLibrary(NamedTuple):
    """A `linalg.generic` for a library function, which expects the operands as they are."""

    reader: Operation


class NoSuchMap(NamedTuple):
    """An op that cannot have the composed map."""

    reader: Operation


class OneMoveEach(NamedTuple):
    """One of several readers, in whose place there would be a move again."""

    reader: Operation


class UsedInOtherBlock(NamedTuple):
    """A use in a block that the block of the move does not enclose."""

    user: Operation


# Obstacles of the source's memory ---------------------------------------------------------


class Overwritten(NamedTuple):
    """A write of the source, or a use that may let others write it, before the last read."""

    writer: Operation


class ResultWritten(NamedTuple):
    """A write of the result, for which it needs memory of its own."""

    writer: Operation


class UsedAsMemref(NamedTuple):
    """A source whose memory ops on memrefs access."""


class LivesLonger(NamedTuple):
    """A source that is not needed otherwise, and may take more memory than the result."""

    more_bytes: int | None
    """By how much; `None` if that is not known."""


class MayShareAlready(NamedTuple):
    """A result that may be in the buffer of its source already."""


Obstacle: TypeAlias = (
    Encoded
    | HasDestination
    | ReaderNotStructured
    | ReaderWrites
    | ReaderCallsLibrary
    | NoSuchMap
    | OneMoveEach
    | UsedInOtherBlock
    | Overwritten
    | ResultWritten
    | UsedAsMemref
    | LivesLonger
    | MayShareAlready
)


class LeftMoves(dict[Operation, Obstacle]):
    """The obstacles of the moves that are left; empty unless the pass has run."""

    has_run = False


def splat_of(op: arith.ConstantOp) -> IntegerAttr[Any] | FloatAttr[Any] | None:
    """The number that all elements of a constant tensor are, if there is one."""
    value = op.value
    if isinstance(value, DenseIntOrFPElementsAttr) and isinstance(
        value.type, TensorType
    ):
        return splat_number(value)
    return None
