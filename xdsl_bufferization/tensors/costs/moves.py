"""Moves of a function: the ops that only move elements from one tensor to another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from xdsl.ir import Operation

from xdsl_bufferization.interfaces.move import move_of
from xdsl_bufferization.support.data_layout import DataLayout
from xdsl_bufferization.support.walk import walk


class Moves(NamedTuple):
    """Moves in the text of a program, those in loops counted once."""

    number: int = 0
    read: int = 0
    """The bytes that those of known size read."""
    written: int = 0
    """The bytes that those of known size write."""


NO_MOVES = Moves()


def moves_of(function: Operation, ops: Iterable[Operation] | None = None) -> Moves:
    """
    The moves in a function on tensors, given its `ops` with tensors if these are known. Takes time
    linear in the ops.
    """
    layout = DataLayout.of(function)
    number = read = written = 0
    for op in walk([function]) if ops is None else ops:
        if not op.results or (move := move_of(op)) is None or move.map is None:
            continue
        number += 1
        size = layout.bytes_of_contents(op.results[0].type)
        source = layout.bytes_of_contents(move.source.type)
        if size is not None and source is not None:
            read += min(source, size)
            written += size
    return Moves(number, read, written)
