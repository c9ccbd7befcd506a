"""
Where the ops of a program are in its text, and what its values are called there.

xDSL's parser keeps no positions. So the file that the program comes from is read again, if
the program is still what the file says; otherwise the text is what xDSL would print.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections import defaultdict, deque
from dataclasses import dataclass
from io import StringIO
from itertools import accumulate
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FileLineColLoc, ModuleOp
from xdsl.ir import (
    Attribute,
    AttributeInvT,
    BlockArgument,
    IRNode,
    Operation,
    SSAValue,
)
from xdsl.parser import Parser
from xdsl.parser.core import UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.hints import isa

from xdsl_bufferization.support.names import op_name

_HEADER = 20
"""The arguments of an op's first block are in so many lines."""
_AROUND = 250
"""Of long lines, so many characters are kept on both sides of a piece."""
_LONG = 16
"""Constants with more elements are not printed."""


@dataclass(frozen=True, slots=True)
class Place:
    """A piece of a line of the program's text; lines and columns count from 1 on."""

    line: int
    column: int
    """In characters, as `length`."""
    length: int
    text: str
    """The line; of a long one, what is around the piece."""
    origin: str = ""
    """What the op's location says of where it comes from, `FILE:LINE:COLUMN`, if it does."""
    skipped: int = 0
    """Characters of a long line in front of `text`."""

    @property
    def start(self) -> int:
        """Where in `text` the piece begins, from 0 on."""
        return self.column - 1 - self.skipped


@dataclass(frozen=True, slots=True)
class Note:
    """Something that is said of a place in the program."""

    text: str
    place: Place | None


class Source:
    """
    The text of a program: where its ops and their operands are, and the names of values.

    `name` is that of the file, or empty if the text is the one that xDSL prints.
    """

    def __init__(self, name: str = "", text: str = ""):
        self.name = name
        self._lines = text.split("\n")
        self._starts: dict[Operation, _Position] = {}
        """Of the ops' names."""
        self._operands: dict[tuple[Operation, int], _Position] = {}
        self._names: dict[SSAValue, str] = {}

    @property
    def is_printed(self) -> bool:
        """Whether the text is not what somebody wrote but what xDSL would print."""
        return not self.name

    def place(self, op: Operation) -> Place | None:
        """Where the op's name is; `None` if the op is not in the text."""
        return self._place(self._starts.get(op), _origin(op))

    def operand_place(self, op: Operation, index: int) -> Place | None:
        """Where the operand is, or else the op."""
        position = self._operands.get((op, index))
        return self._place(position, _origin(op)) or self.place(op)

    def argument_place(self, argument: BlockArgument) -> Place | None:
        """Where the argument is first written, or else the op that its block is in."""
        op = argument.block.parent_op()
        if op is None or (start := self._starts.get(op)) is None:
            return None
        line, column, length = start
        name = self.value_name(argument)
        column += length
        for number in range(line, min(line + _HEADER, len(self._lines))):
            found = re.compile(re.escape(name) + r"(?![\w$.-])").search(
                self._lines[number], column
            )
            if found is not None:
                position = number, found.start(), len(name)
                return self._place(position, _origin(op))
            column = 0
        return self.place(op)

    def value_name(self, value: SSAValue) -> str:
        """The value as it is written in the text, `%` included."""
        name = self._names.get(value)
        return f"%{name or value.name_hint or '?'}"

    def _place(self, position: _Position | None, origin: str) -> Place | None:
        if position is None:
            return None
        line, column, length = position
        text, skipped = self._lines[line], 0
        if len(text) > 2 * _AROUND:
            # Constants make lines that are megabytes long.
            skipped = max(column - _AROUND, 0)
            text = text[skipped : column + length + _AROUND]
        return Place(line + 1, column + 1, length, text, origin, skipped)

    def add(self, op: Operation, start: _Position, written: _Written) -> None:
        """Note an op whose text starts there, and the values written in it."""
        line, column, _ = start
        self._starts[op] = self._name_of_op(op, line, column)
        tokens: defaultdict[SSAValue, deque[_Position]] = defaultdict(deque)
        for value, name, position in written:
            self._names.setdefault(value, name)
            tokens[value].append(position)
        for index, operand in enumerate(op.operands):
            if places := tokens.get(operand):
                # An operand may be written once for two.
                place = places.popleft() if len(places) > 1 else places[0]
                self._operands[op, index] = place

    def add_name(self, value: SSAValue, name: str) -> None:
        """Note what a value is called in the text."""
        self._names[value] = name

    def _name_of_op(self, op: Operation, line: int, column: int) -> _Position:
        """Where the name is in the line in which the op begins."""
        name = op_name(op)
        for written in (name, name.partition(".")[2]):
            found = self._lines[line].find(written, column)
            if written and found >= 0:
                return line, found, len(written)
        return line, column, 1


_Position = tuple[int, int, int]
"""Line and column, from 0 on, and length."""
_Written = list[tuple[SSAValue, str, _Position]]
"""Values in an op's text: the value, its name without `%`, and where it is."""


def _origin(op: Operation) -> str:
    """The place in a source program that the op's location names, or nothing."""
    if isinstance(loc := op.location, FileLineColLoc):
        return f"{loc.filename.data}:{loc.line.data}:{loc.column.data}"
    return ""


def find_source(module: ModuleOp, ctx: Context) -> Source:
    """
    The text of the program: that of the file named on the command line that runs, if it
    reads as just this program, or else the program as xDSL prints it, as that of one part
    of a file that is split.
    """
    if "--split-input-file" not in sys.argv:
        for argument in sys.argv[1:]:
            source = _read(Path(argument), module, ctx)
            if source is not None:
                return source
    return _print(module)


def _read(path: Path, module: ModuleOp, ctx: Context) -> Source | None:
    """The file as the text of the program, if it is that."""
    try:
        if not path.is_file():
            return None
        text = path.read_text()
        parser = _LocatingParser(ctx, text, str(path))
        read = parser.parse_module()
    except (OSError, ValueError, ParseError, VerifyException):
        # Whatever it is, it is not this program.
        return None
    twins: dict[IRNode | SSAValue, IRNode | SSAValue] = {}
    if not read.is_structurally_equivalent(module, twins):
        return None
    twin_ops = dict(zip(read.walk(), module.walk(), strict=True))
    source = Source(str(path), text)
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]

    def position(start: int, end: int) -> _Position:
        line = bisect_right(starts, start) - 1
        return line, start - starts[line], end - start

    for op, start, written in parser.parsed:
        twin = twin_ops[op]
        source.add(
            twin,
            position(start, start),
            [
                (operand, name, position(*span))
                for value, name, span in written
                if isinstance(operand := twins.get(value), SSAValue)
            ],
        )
        for result, name in zip(twin.results, _result_names(text, start), strict=False):
            source.add_name(result, name)
    return source


class _LocatingParser(Parser):
    """A parser that keeps where ops begin and where values are written in them."""

    def __init__(self, ctx: Context, text: str, name: str):
        super().__init__(ctx, text, name)
        self._text = text
        self.parsed: list[
            tuple[Operation, int, list[tuple[SSAValue, str, tuple[int, int]]]]
        ] = []
        self._written: list[list[tuple[SSAValue, str, tuple[int, int]]]] = [[]]
        """Of the ops that are being parsed, the innermost last."""

    def parse_operation(self) -> Operation:
        start = self.pos
        self._written.append([])
        op = super().parse_operation()
        self.parsed.append((op, start, self._written.pop()))
        return op

    def resolve_operand(
        self, operand: UnresolvedOperand, type: AttributeInvT
    ) -> SSAValue[AttributeInvT]:
        value = super().resolve_operand(operand, type)
        text, start, end = self._text, operand.span.start, operand.span.end
        if text.startswith(number := f"#{operand.index}", end):
            end += len(number)
        self._written[-1].append((value, text[start + 1 : end], (start, end)))
        return value


_RESULTS = re.compile(r"(%[\w$.-]+(:\d+)?\s*,?\s*)*=")


def _result_names(text: str, start: int) -> list[str]:
    """The names of the results of the op whose text starts there, without `%`."""
    found = _RESULTS.match(text, start)
    names: list[str] = []
    for name, count in re.findall(r"%([\w$.-]+)(?::(\d+))?", found[0] if found else ""):
        names += [f"{name}#{i}" for i in range(int(count))] if count else [name]
    return names


def _print(module: ModuleOp) -> Source:
    """The program as xDSL prints it, without the elements of large constants."""
    stream = StringIO()
    printer = _LocatingPrinter(stream)
    printer.print_op(module)
    source = Source("", stream.getvalue())
    for op, line, column, written in printer.printed:
        source.add(op, (line, column, 0), written)
        for result in op.results:
            source.add_name(result, printer.print_ssa_value(result))
    return source


class _LocatingPrinter(Printer):
    """A printer that keeps where ops begin and where values are written in them."""

    def __init__(self, stream: StringIO):
        super().__init__(stream)
        self.printed: list[tuple[Operation, int, int, _Written]] = []
        self._written: list[_Written] = [[]]
        """Of the ops that are being printed, the innermost last."""

    def print_op(self, op: Operation) -> None:
        line, column = self._current_line, self._current_column
        self._written.append([])
        super().print_op(op)
        self.printed.append((op, line, column, self._written.pop()))

    def print_ssa_value(self, value: SSAValue) -> str:
        line, column = self._current_line, self._current_column
        name = super().print_ssa_value(value)
        self._written[-1].append((value, name, (line, column, len(name) + 1)))
        return name

    def print_attribute(self, attribute: Attribute) -> None:
        if isa(attribute, DenseIntOrFPElementsAttr) and len(attribute) > _LONG:
            self.print_string("dense<...> : ")
            attribute = attribute.type
        super().print_attribute(attribute)
