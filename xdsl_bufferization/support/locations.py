"""Locations of ops in source files: made, written in messages, and given to new ops."""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects.builtin import (
    FileLineColLoc,
    IntAttr,
    LocationAttr,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint


def file_location(name: str, line: int, column: int) -> FileLineColLoc:
    """A position in a file; line and column count from 1 on."""
    return FileLineColLoc(StringAttr(name), IntAttr(line), IntAttr(column))


def file_position(location: LocationAttr) -> str:
    """`FILE:LINE:COLUMN` if the location is a position in a file, otherwise empty."""
    if isinstance(location, FileLineColLoc):
        filename, line, column = location.filename, location.line, location.column
        return f"{filename.data}:{line.data}:{column.data}"
    return ""


def copy_location(old: Operation, new: Operation) -> None:
    """Give `new`, which does part of the work of `old`, its location if it has none."""
    if isinstance(new.location, UnknownLoc):
        new.location = old.location


def builder_for(op: Operation, insert_point: InsertPoint) -> Builder:
    """A builder whose ops get the location of `op`, since they do part of its work."""
    return Builder(
        insert_point, operation_insertion_handler=[lambda new: copy_location(op, new)]
    )
