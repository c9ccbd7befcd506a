"""Moves of a function: the ops that only move elements from one tensor to another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from xdsl.ir import Operation

from xdsl_bufferization.interfaces.move import move_of
from xdsl_bufferization.support.walk import walk
from xdsl_bufferization.tensors.costs.buffer_bytes import BufferBytes, bytes_in
from xdsl_bufferization.tensors.costs.executions import executions


class Moves(NamedTuple):
    """Moves in the text of a program, those in loops counted once."""

    number: int = 0
    read: int = 0
    """The bytes that they read, as far as these are known or assumed (`buffer_bytes.py`)."""
    written: int = 0
    """The bytes that they write."""
    repeated: int = 0
    """The bytes that they read and write in further iterations of loops (`executions.py`)."""


NO_MOVES = Moves()


def moves_of(
    function: Operation,
    known: BufferBytes | None = None,
    ops: Iterable[Operation] | None = None,
) -> Moves:
    """
    The moves in a function on tensors, given the sizes of tensors that are `known`, and its `ops`
    with tensors if these are known, too. Takes time linear in the ops.
    """
    buffers = known or bytes_in(function)
    number = read = written = repeated = 0
    for op in walk([function]) if ops is None else ops:
        if not op.results or (move := move_of(op)) is None or move.map is None:
            continue
        number += 1
        size = buffers.of(op.results[0])
        source = buffers.of(move.source)
        if size is not None and source is not None:
            taken = min(source.number, size.number)
            read += taken
            written += size.number
            repeated += (taken + size.number) * (executions(op) - 1)
    return Moves(number, read, written, repeated)
