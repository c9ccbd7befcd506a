"""
Locations of ops: where they are in a text, and given to the ops that are made for them.

An op that `reading.LocatingParser` has read knows its place in the text. Passes give new ops
the location of the op that they are made for, so these know its place, too.
"""

from __future__ import annotations

from copy import copy
from typing import NamedTuple

from xdsl.builder import Builder
from xdsl.dialects.builtin import (
    FileLineColLoc,
    IntAttr,
    LocationAttr,
    NameLoc,
    NoneAttr,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import BuiltinAttribute, Operation, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.printer import Printer
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.support.names import printable

_PLACE = "place_in_text"
"""The attribute of a location object that has the place."""


class Text(NamedTuple):
    """A text that ops are read from: a file, or a part of one."""

    name: str
    content: str
    first_line: int = 1
    """The number of its first line in the file."""

    def line(self, number: int) -> str:
        """The line of that number in the file."""
        return self.content.split("\n")[number - self.first_line]


class NotUTF8Error(UnicodeError):
    """
    The content of a file is not UTF-8: where, and which byte; `lines_before` are the lines of the
    file before what is decoded.
    """

    def __init__(self, error: UnicodeDecodeError, name: str, lines_before: int = 0):
        before = error.object[: error.start]
        line = before.count(b"\n") + 1 + lines_before
        column = len(before.rpartition(b"\n")[2].decode(errors="replace")) + 1
        super().__init__(
            f"{name}:{line}:{column}: the byte {error.object[error.start]:#04x} is not UTF-8, "
            "which MLIR is written in"
        )


class Place(NamedTuple):
    """Where the name of an op is in a text; line and column count from 1 on."""

    text: Text
    line: int
    column: int

    def __str__(self) -> str:
        return f"{printable(self.text.name)}:{self.line}:{self.column}"


def place_of(op: Operation) -> Place | None:
    """The place of the op, or of the op that it is made for, in the text that was read."""
    return getattr(op.location, _PLACE, None)


def set_place(op: Operation, place: Place) -> None:
    """Let the op know its place, which is its location, too, if it has no other one."""
    location = (
        file_location(place.text.name, place.line, place.column)
        if isinstance(op.location, UnknownLoc)
        else copy(op.location)
    )
    object.__setattr__(location, _PLACE, place)
    op.location = location


def file_location(name: str, line: int, column: int) -> FileLineColLoc:
    """A position in a file; line and column count from 1 on."""
    return FileLineColLoc(StringAttr(name), IntAttr(line), IntAttr(column))


@irdl_attr_definition
class FileLineColRange(ParametrizedAttribute, BuiltinAttribute):
    """
    A range in a file, which xDSL has no class for: `loc("r.py":10:8 to 12:18)`, or, on one line,
    `loc("r.py":10:8 to :18)`.
    """

    name = "file_line_range"

    start: FileLineColLoc
    end_line: IntAttr
    end_column: IntAttr

    def print_builtin(self, printer: Printer) -> None:
        with printer.in_location():
            printer.print_attribute(self.start)
            line = "" if self.end_line == self.start.line else self.end_line.data
            printer.print_string(f" to {line}:{self.end_column.data}")


# xDSL's classes accept locations of its own classes only as parts of others.
FileLineColLoc.register(FileLineColRange)


def file_position(location: LocationAttr) -> str:
    """`FILE:LINE:COLUMN` of a position in a file, or of the start of a range; otherwise empty."""
    location = getattr(location, "start", location)
    if isinstance(location, FileLineColLoc):
        filename, line, column = location.filename, location.line, location.column
        return f"{printable(filename.data)}:{line.data}:{column.data}"
    return ""


def origin(op: Operation) -> str:
    """
    The location that the op has beside its place in the text, such as one in the program
    that the text is made from; empty if there is none.
    """
    if isinstance(op.location, UnknownLoc):
        return ""
    location = op.location
    if isinstance(location, NameLoc) and isinstance(location.location, NoneAttr):
        return printable(location.desc.data)
    position = file_position(location) or str(location)
    place = place_of(op)
    return "" if place is not None and str(place) == position else position


def copy_location(old: Operation, new: Operation) -> None:
    """Give `new`, which does part of the work of `old`, its location if it has none."""
    if isinstance(new.location, UnknownLoc):
        new.location = old.location


def builder_for(op: Operation, insert_point: InsertPoint | None = None) -> Builder:
    """
    A builder whose ops get the location of `op`, since they do part of its work: before it, or
    at the insertion point.
    """

    def locate(new: Operation) -> None:
        for nested in new.walk():
            copy_location(op, nested)

    return Builder(
        insert_point or InsertPoint.before(op), operation_insertion_handler=[locate]
    )
