"""
Reading programs so that each op knows the file, line and column that it comes from.

xDSL's parser keeps no positions; `LocatingParser` does.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from pathlib import Path
from string import digits
from typing import NamedTuple, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    LocationAttr,
    ModuleOp,
    NoneAttr,
)
from xdsl.ir import Attribute, AttributeInvT, Operation, SSAValue
from xdsl.parser.core import UnresolvedOperand
from xdsl.universe import Universe
from xdsl.utils.exceptions import ParseError

from xdsl_bufferization.host import repairs
from xdsl_bufferization.host.extensions import Extension, extend_all, register_lacking
from xdsl_bufferization.host.literals import DenseLiteralParser
from xdsl_bufferization.support.failures import checked, error_line
from xdsl_bufferization.support.locations import (
    FileLineColRange,
    NotUTF8Error,
    Place,
    Text,
    set_place,
)

_RESULTS = re.compile(r"(%[\w$.-]+(:\d+)?\s*,?\s*)+=\s*")
"""The results before the name of an op."""

_LOCATION_ALIAS = re.compile(r"(#[\w$-]+)[ \t]*=[ \t]*(loc\(.*\))[ \t]*$", re.MULTILINE)
"""The definition of an alias of a location, as mlir-opt prints it."""

_SIZE = *digits, "?"
"""The first characters of sizes in shapes."""


@cache
def multiverse() -> Universe:
    """
    The dialects, passes and targets of all packages, found once: the search takes as long as
    reading a small program. A package that is installed afterwards needs a new process.
    """
    return Universe.get_multiverse()


def context_of_all_dialects(*, allow_unregistered: bool = False) -> Context:
    """
    A context with the dialects that `xdsl-opt` knows when it calls this package. With it,
    `parse_module` and `read_module` read what mlir-opt 22 prints; xDSL's `Parser` takes
    `dense<0xFF800000>` for an integer. What is wrong in xDSL's own classes is repaired, if the
    environment allows that (see `repairs`).
    """
    repairs.apply(import_all=True)
    dialects = dict(multiverse().all_dialects)
    extend_all(dialects, Extension.redefining)
    context = Context(allow_unregistered=allow_unregistered)
    for name, factory in dialects.items():
        context.register_dialect(name, factory)
    register_lacking(context)
    return context


def read_module(context: Context, path: Path | str) -> ModuleOp:
    """
    The module in the file. Raises `OSError` or `UnicodeError` if the file cannot be read,
    `xdsl.utils.exceptions.ParseError` or `VerifyException` if it holds no valid module.
    """
    module = parse_module(context, read_text(Path(path)), str(path))
    module.verify()
    return module


def read_text(path: Path) -> str:
    """The text in the file. Raises `OSError` or `UnicodeError` if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise NotUTF8Error(error, str(path)) from None


def parse_module(context: Context, text: str, name: str) -> ModuleOp:
    """
    The module, whose ops have locations in the file `name`.

    Raises `xdsl.utils.exceptions.ParseError` if the text is not a module, and
    `TypeError` for an argument of another kind.
    """
    checked("parse_module", context, Context)
    checked("parse_module", text, str)
    return LocatingParser(context, Text(name, text)).parse_module()


class ParsedOperand(NamedTuple):
    """An operand in the text: the value, its name without `%`, and its characters."""

    value: SSAValue
    name: str
    start: int
    """The offset in the text."""
    length: int


class ParsedOp(NamedTuple):
    """An op, where its text starts, and the operands written in it but not in its regions."""

    op: Operation
    start: int
    """The offset in the text."""
    operands: list[ParsedOperand]


class _LocationParser(DenseLiteralParser):
    """Reads ranges, and fused locations with metadata, in addition."""

    def _parse_location(self) -> LocationAttr:
        if self.parse_optional_keyword("fused"):
            metadata: Attribute = NoneAttr()
            if self.parse_optional_punctuation("<"):
                metadata = self.parse_attribute()
                self.parse_punctuation(">")
            parts = self.parse_comma_separated_list(
                self.Delimiter.SQUARE, self._parse_location
            )
            return FusedLoc(tuple(parts), metadata)
        location = super()._parse_location()
        if type(location) is FileLineColLoc and self.parse_optional_keyword("to"):
            line = self.parse_optional_integer(False, False)
            self.parse_punctuation(":")
            end = location.line if line is None else IntAttr(line)
            column = IntAttr(self.parse_integer(False, False))
            return cast("LocationAttr", FileLineColRange(location, end, column))
        return location


class LocatingParser(_LocationParser):
    """
    A parser that tells each op its place in the text, which is its location if it is given
    no other one, and keeps where ops and their operands are written. It reads the elements of
    dense attributes as MLIR does.
    """

    def __init__(self, context: Context, text: Text):
        super().__init__(context, text.content, text.name)
        self.parsed: list[ParsedOp] = []
        """The ops parsed so far; those in regions precede the op around them."""
        self._text = text
        self._lines = [0]
        """The offset at which each line starts."""
        while end := text.content.find("\n", self._lines[-1]) + 1:
            self._lines.append(end)
        self._alias_ends = {
            start: match.end()
            for start in self._lines
            if (match := _LOCATION_ALIAS.match(text.content, start))
            and self._define_location(match)
        }
        """The end of each definition that was read, by its start."""
        self._operands: list[list[ParsedOperand]] = [[]]
        """For each op that is being parsed, the innermost last: its operands."""

    def _define_location(self, definition: re.Match[str]) -> bool:
        """
        Define the alias of a location, since mlir-opt prints most definitions after the ops that
        use them. A definition that cannot be read is left to xDSL.
        """
        name = definition[1]
        parser = _LocationParser(self.ctx, definition[2])
        parser.attribute_aliases = self.attribute_aliases
        try:
            location = parser.parse_optional_location()
        except ParseError:
            return False
        if location is None or name in self.attribute_aliases:
            return False
        self.attribute_aliases[name] = location
        return True

    def _parse_alias_def(self) -> None:
        if (end := self._alias_ends.get(self.pos)) is None:
            super()._parse_alias_def()
        else:
            self._resume_from(end)

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """The line and column, both from 0 on, of the character at the offset."""
        line = bisect_right(self._lines, offset) - 1
        return line, offset - self._lines[line]

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        try:
            return super().parse_module(allow_implicit_module)
        except (ParseError, RecursionError):
            raise
        except Exception as error:
            self.raise_error(error_line(error))

    def parse_operation(self) -> Operation:
        start = self.pos
        self._operands.append([])
        op = super().parse_operation()
        self.parsed.append(ParsedOp(op, start, self._operands.pop()))
        results = _RESULTS.match(self._text.content, start)
        line, column = self.line_and_column(start if results is None else results.end())
        set_place(op, Place(self._text, line + self._text.first_line, column + 1))
        return op

    def parse_ranked_shape(self) -> tuple[list[int], Attribute]:
        # xDSL's method wants no space after the last `x`, as in `tensor<4 x f32>`.
        sizes: list[int] = []
        while self._text.content.startswith(_SIZE, self.pos):
            sizes.append(self.parse_shape_dimension())
            self.parse_shape_delimiter()
        return sizes, self.parse_type()

    def resolve_operand(
        self, operand: UnresolvedOperand, type: AttributeInvT
    ) -> SSAValue[AttributeInvT]:
        value = super().resolve_operand(operand, type)
        start, end = operand.span.start, operand.span.end
        if self._text.content.startswith(number := f"#{operand.index}", end):
            end += len(number)
        name = self._text.content[start + 1 : end]
        self._operands[-1].append(ParsedOperand(value, name, start, end - start))
        return value
