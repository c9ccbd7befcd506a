"""
The text of a program: where ops and operands are written, and the names of values.

xDSL keeps no text, but ops know the text that they were read from. It is parsed again, if it
still is that program; otherwise the text is what xDSL prints.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO

from xdsl.context import Context
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FunctionType, ModuleOp
from xdsl.ir import Attribute, BlockArgument, IRNode, Operation, SSAValue
from xdsl.printer import Printer
from xdsl.utils.hints import isa

from xdsl_bufferization.report.buffer_sizes import Assumed, BufferSizes
from xdsl_bufferization.support.locations import Text, origin, place_of
from xdsl_bufferization.support.names import op_name, printable_line
from xdsl_bufferization.support.reading import LocatingParser
from xdsl_bufferization.tensors.reorder.reordering import increasing_subsequence

_HEADER = 20
"""The number of lines, from the op's on, in which arguments of blocks are looked for."""
_AROUND = 250
"""The characters of a long line that are kept on each side of a part."""
_LONG = 16
"""Constants with more elements are not printed."""


ORIGIN = re.compile(r"(.*):(\d+):(\d+)")
"""Pattern of the origin of a place: the file, the line and the column."""

_LOCATION = re.compile(rf"loc\(|{ORIGIN.pattern}$")
"""Pattern of an origin that is no name."""

_GENERIC = re.compile(r'([^"]*"[^"]+"\(%[^()"]*\)) [<({]')
"""Pattern of an op in generic form, up to the end of its operands."""


@dataclass(frozen=True, slots=True)
class SourceRange:
    """A part of a line of the program's text; lines and columns count from 1 on."""

    line: int
    column: int
    """In characters, as `length`."""
    length: int
    text: str
    """
    The line, with types in place of attributes if it is in generic form; of a long one, only the
    characters around the part.
    """
    origin: str = ""
    """
    The op's location in a source program, `FILE:LINE:COLUMN`, or its name there, such as that of a
    layer, if it has one.
    """
    skipped: int = 0
    """The characters of a long line before `text`."""

    @property
    def start(self) -> int:
        """The index in `text` at which the part begins."""
        return self.column - 1 - self.skipped

    @property
    def layer(self) -> str:
        """The op's name in a source program, after a space; empty if it has none."""
        is_name = self.origin and not _LOCATION.match(self.origin)
        return f" {self.origin}" if is_name else ""


@dataclass(frozen=True, slots=True)
class Note:
    """A remark about a part of the program."""

    text: str
    place: SourceRange | None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the program's text, and its number, from 1 on."""

    number: int
    text: str


class Source:
    """
    The text of a program, with the positions of ops and operands and the names of values.

    `name` is the name of the file, or empty if the text is what xDSL prints. With `in_files`,
    reports then still mention the lines of the files that ops come from.
    """

    def __init__(
        self,
        name: str = "",
        text: str = "",
        first_line: int = 1,
        assumed: Assumed | None = None,
    ):
        self.name = name
        self.in_files = False
        self.sizes = BufferSizes(self.value_name, assumed or Assumed())
        self._first_line = first_line
        self._lines = [*map(printable_line, text.split("\n"))]
        self._starts: dict[Operation, _Position] = {}
        """The positions of the ops' names."""
        self._operands: dict[tuple[Operation, int], _Position] = {}
        self._names: dict[SSAValue, str] = {}
        self._last_lines: dict[Operation, int] = {}
        """The index of the last line of each op, if the text is printed."""

    @property
    def is_printed(self) -> bool:
        """Whether the text is what xDSL prints, not a file."""
        return not self.name

    def place(self, op: Operation) -> SourceRange | None:
        """The op's name in the text; `None` if the op is not in the text."""
        return self._place(self._starts.get(op), op)

    def line(self, op: Operation) -> int | None:
        """The op's line in the words of the report."""
        place = self.place(op)
        if (
            place is not None
            and self.in_files
            and (found := ORIGIN.fullmatch(place.origin))
        ):
            return int(found[2])
        return None if place is None else place.line

    def printed(self, ops: Iterable[Operation]) -> Sequence[Line]:
        """The lines that the ops are printed in; none if the text is a file."""
        numbers = {
            number
            for op in ops
            if self.is_printed and op in self._starts
            for number in range(self._starts[op][0], self._last_lines[op] + 1)
        }
        return [Line(n + self._first_line, self._lines[n]) for n in sorted(numbers)]

    def operand_place(self, op: Operation, index: int | None) -> SourceRange | None:
        """The operand in the text, or else the op."""
        position = None if index is None else self._operands.get((op, index))
        return self._place(position, op) or self.place(op)

    def argument_place(self, argument: BlockArgument) -> SourceRange | None:
        """The first occurrence of the argument, or else the op that its block is in."""
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
                return self._place(position, op)
            column = 0
        return self.place(op)

    def value_name(self, value: SSAValue) -> str:
        """The value as written in the text, with `%`."""
        name = self._names.get(value)
        return f"%{name or value.name_hint or '?'}"

    def output_name(self, value: SSAValue) -> str:
        """The same: the program has the buffers itself."""
        return self.value_name(value)

    def op_name(self, op: Operation) -> str:
        """The op's name."""
        return op_name(op)

    def _origin(self, op: Operation) -> str:
        """The op's location beside its place in this text."""
        place = place_of(op) if self.is_printed else None
        return origin(op) if place is None else str(place)

    def _place(self, position: _Position | None, op: Operation) -> SourceRange | None:
        if position is None:
            return None
        line, column, length = position
        text, skipped = self._lines[line], 0
        if generic := _GENERIC.match(text):
            # Attributes may take the whole line, and regions put the types in another one.
            types = FunctionType.from_lists(op.operand_types, op.result_types)
            text = f"{generic[1]} : {types}"
        if len(text) > 2 * _AROUND:
            # Constants may make lines of megabytes.
            skipped = max(column - _AROUND, 0)
            text = text[skipped : column + length + _AROUND]
        return SourceRange(
            line + self._first_line,
            column + 1,
            length,
            text,
            self._origin(op),
            skipped,
        )

    def add(self, op: Operation, start: _Position, written: _Written) -> None:
        """Add an op whose text starts at `start`, and the values written in it."""
        line, column, _ = start
        self._starts[op] = self._name_of_op(op, line, column)
        tokens: defaultdict[SSAValue, deque[_Position]] = defaultdict(deque)
        for value, name, position in written:
            self._names.setdefault(value, name)
            tokens[value].append(position)
        for index, operand in enumerate(op.operands):
            if places := tokens.get(operand):
                # Two operands may be written once, as in `%x, %x` of custom syntax.
                place = places.popleft() if len(places) > 1 else places[0]
                self._operands[op, index] = place

    def add_last_line(self, op: Operation, line: int) -> None:
        """Add the index of the line in which the op's text ends."""
        self._last_lines[op] = line

    def add_name(self, value: SSAValue, name: str) -> None:
        """Add the name of a value in the text."""
        self._names[value] = name

    def _name_of_op(self, op: Operation, line: int, column: int) -> _Position:
        """The op's name, in the line in which the op begins."""
        name = op_name(op)
        for written in (name, name.partition(".")[2]):
            found = self._lines[line].find(written, column)
            if written and found >= 0:
                return line, found, len(written)
        return line, column, 1


_Position = tuple[int, int, int]
"""Line and column, from 0 on, and length."""
_Written = list[tuple[SSAValue, str, _Position]]
"""The values in an op's text: the value, its name without `%`, and its position."""


def find_source(
    module: ModuleOp, ctx: Context, assumed: Assumed | None = None
) -> Source:
    """
    The text of the program: the one that it was read from, if it holds exactly this program,
    or else the program as xDSL prints it.
    """
    text = next((p.text for op in module.walk() if (p := place_of(op))), None)
    source = text and _read(text, module, ctx, assumed)
    return printed_source(module, assumed) if source is None else source


def _read(
    text: Text, module: ModuleOp, ctx: Context, assumed: Assumed | None
) -> Source | None:
    """The text, if that is the program's."""
    parser = LocatingParser(ctx, text)
    read = parser.parse_module()
    twins: dict[IRNode | SSAValue, IRNode | SSAValue] = {}
    if not read.is_structurally_equivalent(module, twins):
        return None
    twin_ops = dict(zip(read.walk(), module.walk(), strict=True))
    source = Source(text.name, text.content, text.first_line, assumed)
    for parsed in parser.parsed:
        twin = twin_ops[parsed.op]
        source.add(
            twin,
            (*parser.line_and_column(parsed.start), 0),
            [
                (twin_value, p.name, (*parser.line_and_column(p.start), p.length))
                for p in parsed.operands
                if isinstance(twin_value := twins.get(p.value), SSAValue)
            ],
        )
        names = _result_names(text.content, parsed.start)
        for result, name in zip(twin.results, names, strict=False):
            source.add_name(result, name)
    return source


_RESULTS = re.compile(r"(%[\w$.-]+(:\d+)?\s*,?\s*)*=")


def _result_names(text: str, start: int) -> list[str]:
    """The names, without `%`, of the results of the op whose text starts at `start`."""
    found = _RESULTS.match(text, start)
    names: list[str] = []
    for name, count in re.findall(r"%([\w$.-]+)(?::(\d+))?", found[0] if found else ""):
        names += [f"{name}#{i}" for i in range(int(count))] if count else [name]
    return names


def printed_source(module: ModuleOp, assumed: Assumed | None = None) -> Source:
    """The text that xDSL prints, without the elements of large constants."""
    stream = StringIO()
    printer = _LocatingPrinter(stream)
    printer.print_op(module)
    source = Source("", stream.getvalue(), assumed=assumed)
    for op, line, column, written, last_line in printer.printed:
        source.add(op, (line, column, 0), written)
        source.add_last_line(op, last_line)
        for result in op.results:
            source.add_name(result, printer.print_ssa_value(result))
    return source


class _LocatingPrinter(Printer):
    """A printer that keeps the positions of ops and of the values written in them."""

    def __init__(self, stream: StringIO):
        super().__init__(stream)
        self.printed: list[tuple[Operation, int, int, _Written, int]] = []
        """The ops: their lines and columns, what is written in them, their last lines."""
        self._written: list[_Written] = [[]]
        """For each op that is being printed, the innermost last: the values written in it."""

    def print_op(self, op: Operation) -> None:
        line, column = self._current_line, self._current_column
        self._written.append([])
        super().print_op(op)
        written = self._written.pop()
        self.printed.append((op, line, column, written, self._current_line))

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


def in_order(lines: Sequence[int | None]) -> Sequence[int | None]:
    """
    The lines in ascending order.

    Most ops are in the order of the program, and keep their lines. One that a pass has moved,
    or that frees memory for an op further above, is in the line of the ops around it.
    """
    numbered = [(line, i) for i, line in enumerate(lines) if line is not None]
    kept = increasing_subsequence(numbered)
    line = min(kept, default=(None,))[0]
    ordered: list[int | None] = []
    for index, own in enumerate(lines):
        if own is not None and (own, index) in kept:
            line = own
        ordered.append(None if own is None else line)
    return ordered
