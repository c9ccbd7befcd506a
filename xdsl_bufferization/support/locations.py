"""Locations of new ops: each has that of the op whose work it does."""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint


def hand_down_location(old: Operation, new: Operation) -> None:
    """Give an op that does part of the work of another one its location."""
    if isinstance(new.location, UnknownLoc):
        new.location = old.location


def builder_for(op: Operation, place: InsertPoint) -> Builder:
    """A builder of ops that do part of the work of `op`."""
    return Builder(
        place, operation_insertion_handler=[lambda new: hand_down_location(op, new)]
    )
