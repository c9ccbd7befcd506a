"""
The text of a program: where ops and operands are written, the names of values, and the sizes of
buffers in terms of these names.

    %n = memref.dim %x, %c0                         // %x.0
    %b = memref.alloc(%n) : memref<?x16xf32>        // 64*%x.0 bytes: 2,048 for %x.0=32

Sizes that are known at run time only are polynomials, whose names are those that `assume` takes.
Sizes of a program are not negative, and neither are, here, the integers that sizes are computed
from: so more of each product is more.

xDSL keeps no text, but ops know the text that they were read from. It is parsed again, if it
still is that program; otherwise the text is what xDSL prints.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from io import StringIO
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FunctionType,
    MemRefType,
    ModuleOp,
)
from xdsl.ir import Attribute, BlockArgument, IRNode, Operation, SSAValue
from xdsl.printer import Printer
from xdsl.utils.hints import isa

from xdsl_bufferization.interfaces.memory_layout import extent_of
from xdsl_bufferization.support.data_layout import layout_at
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.locations import Text, origin, place_of
from xdsl_bufferization.support.memref_types import has_identity_layout
from xdsl_bufferization.support.names import (
    did_you_mean,
    escaped,
    op_name,
    printable_line,
)
from xdsl_bufferization.support.polynomials import Polynomial
from xdsl_bufferization.support.reading import LocatingParser
from xdsl_bufferization.tensors.costs.profile import BufferBytes
from xdsl_bufferization.tensors.reorder.reordering import increasing_subsequence

if TYPE_CHECKING:
    from xdsl_bufferization.interfaces.sizes import Expression, Symbol
    from xdsl_bufferization.memrefs.sizes.size_analysis import Sizes


class Assumed:
    """
    Numbers for sizes and `index` values that nothing is known of, by name: `%x.0` is the first
    size of `%x`.
    """

    def __init__(self, numbers: Mapping[str, int] | None = None):
        self.numbers = numbers or {}
        self.names: dict[str, None] = {}
        """The names that sizes asked for depend on, if any numbers are assumed."""

    def verify(self) -> None:
        """
        Raise `BufferizationError` if a number is assumed for a name on which no size asked for so
        far depends.
        """
        for name in self.numbers:
            if name not in self.names:
                known = ", ".join(self.names)
                raise BufferizationError(
                    None,
                    f"bufferization-report: assume: no size depends on {escaped(name)}"
                    + (f"; there are: {known}" if known else ", all are known"),
                    hint=did_you_mean(name, self.names),
                )


class BufferSizes:
    """The sizes of the buffers of a program that does not change, in its names of values."""

    def __init__(self, name: Callable[[SSAValue], str], assumed: Assumed):
        self._name = name
        self.assumed = assumed

    def of_contents(self, value: SSAValue) -> Formula | None:
        """
        The bytes of all elements of a tensor or memref, in terms of values with names if they
        are known at run time only; `None` if they are unknown.
        """
        size = BufferBytes(layout_at(value), lambda: self._analysis).of(value)
        return None if size is None else self._named(size)

    def _named(self, size: Expression) -> Formula | None:
        """The size in terms of names; `None` if a symbol has none."""
        if self.assumed.numbers:
            size = self._with_assumed(size)
        names: dict[Symbol, str] = {}
        for symbol in size.symbols:
            written = self._name(symbol.value)
            if written == _NAMELESS or not written.startswith("%"):
                return None
            dimension = symbol.dimension
            names[symbol] = written if dimension is None else f"{written}.{dimension}"
        return size.renamed(names.__getitem__)

    def of_memory(self, value: SSAValue) -> Formula | None:
        """
        As `of_contents`, for the bytes of a memref up to the last element, with the gaps of the
        layout before and between the elements.
        """
        type = value.type
        if not isinstance(type, MemRefType) or has_identity_layout(type):
            return self.of_contents(value)
        extent = extent_of(type)
        stride = layout_at(value).stride_in_bytes(type.element_type)
        if extent is None or stride is None:
            return None
        return number_of(extent * stride)

    def number(self, value: SSAValue) -> Formula | None:
        """The value of an integer, in terms of values with names."""
        return self._named(self._analysis.number(value))

    def _with_assumed(self, size: Expression) -> Expression:
        # Few programs have sizes that are assumed.
        from xdsl_bufferization.interfaces.sizes import Expression
        from xdsl_bufferization.memrefs.sizes.computation import names_of

        names = {symbol: names_of(Expression.of(symbol)) for symbol in size.symbols}
        self.assumed.names |= dict.fromkeys(names.values())
        return size.substituted(
            {
                symbol: Expression.constant(self.assumed.numbers[name])
                for symbol, name in names.items()
                if name in self.assumed.numbers
            }
        )

    @cached_property
    def _analysis(self) -> Sizes:
        # As above.
        from xdsl_bufferization.memrefs.sizes.size_analysis import Sizes

        return Sizes()


_NAMELESS = "%?"
"""The name that a source gives to values that are not written in it."""


def assumed_numbers(entries: Iterable[str]) -> Mapping[str, int]:
    """
    The numbers in entries such as `%x.0=32`, by the name before the sign.

    Raises `BufferizationError` if an entry is not of that form, or names a value twice.
    """
    numbers: dict[str, int] = {}
    for entry in entries:
        name, _, text = entry.partition("=")
        if not (name.startswith("%") and text.isdecimal() and name not in numbers):
            raise BufferizationError(
                None,
                f"bufferization-report: '{escaped(entry)}' is not a value of assume; it takes "
                'sizes with a number each, such as assume="%x.0=32"',
            )
        numbers[name] = int(text)
    return numbers


Formula: TypeAlias = Polynomial[str]
"""A number of bytes; its symbols are names such as `%x.0`."""

NONE: Formula = Polynomial({})
"""No bytes."""
UNKNOWN: Formula = Polynomial[str].of("?")
"""A number of bytes that does not follow from what the program names."""

_TYPICAL = 1024
"""The number that all names stand for where formulas are put in an order."""


class Sized:
    """A buffer, or contents, of a size that may be known at run time only."""

    __slots__ = ()
    bytes: Formula | None
    """The bytes; `None` if they do not follow from what the program names."""

    @property
    def size(self) -> int | None:
        """The bytes, if they are known now."""
        return None if self.bytes is None else self.bytes.number


def number_of(count: int) -> Formula:
    """So many bytes."""
    return Polynomial[str].constant(count)


def total(amounts: Iterable[Formula | None]) -> tuple[Formula, int]:
    """The sum of the known amounts, and the number of unknown ones."""
    return without_unknown(sum((it or UNKNOWN for it in amounts), NONE))


def without_unknown(sum: Formula) -> tuple[Formula, int]:
    """The known part of a sum, and how often it has an unknown number."""
    terms = dict(sum.terms)
    (unknown,) = UNKNOWN.terms
    number = terms.pop(unknown, 0)
    return Polynomial(terms), number


def formula_text(formula: Formula) -> str:
    """The formula for people: `4,096 + 64*%x.0`."""
    return formula.text(str)


def magnitude(formula: Formula | None) -> int:
    """A number that is larger for most values of names if the formula is."""
    return -1 if formula is None else formula.at(_TYPICAL)


def is_at_most(a: Formula, b: Formula) -> bool:
    """Whether the one is never more than the other."""
    return (b - a).is_nonnegative(lambda _: True)


# Texts of programs --------------------------------------------------------------------


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
        self._range = cache(self._find_range)

    @property
    def is_printed(self) -> bool:
        """Whether the text is what xDSL prints, not a file."""
        return not self.name

    def place(self, op: Operation) -> SourceRange | None:
        """The op's name in the text; `None` if the op is not in the text."""
        return self._place(self._starts.get(op), op)

    def position(self, op: Operation) -> tuple[int, int] | None:
        """The line and column of the op in the text, both from 1 on."""
        if (start := self._starts.get(op)) is None:
            return None
        line, column, _ = start
        return line + self._first_line, column + 1

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

    def _place(self, position: _Position | None, op: Operation) -> SourceRange | None:
        return None if position is None else self._range(position, op)

    def _find_range(self, position: _Position, op: Operation) -> SourceRange:
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
        file = place_of(op) if self.is_printed else None
        return SourceRange(
            line + self._first_line,
            column + 1,
            length,
            text,
            origin(op) if file is None else str(file),
            skipped,
        )

    def add(self, written: _Written) -> None:
        """Add an op, and the values written in it."""
        op, line, column, values, results, self._last_lines[op] = written
        self._starts[op] = self._name_of_op(op, line, column)
        tokens: defaultdict[SSAValue, deque[_Position]] = defaultdict(deque)
        for value, name, position in values:
            self._names.setdefault(value, name)
            tokens[value].append(position)
        for index, operand in enumerate(op.operands):
            if places := tokens.get(operand):
                # Two operands may be written once, as in `%x, %x` of custom syntax.
                place = places.popleft() if len(places) > 1 else places[0]
                self._operands[op, index] = place
        self._names.update(zip(op.results, results, strict=False))

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
_Values = list[tuple[SSAValue, str, _Position]]
"""The values in an op's text: the value, its name without `%`, and its position."""


class _Written(NamedTuple):
    """An op in a text."""

    op: Operation
    line: int
    column: int
    values: _Values
    results: Sequence[str]
    """The names of its results, without `%`, if they are not among the values."""
    last_line: int = 0
    """The index of the line in which it ends, if the text is printed."""


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
        values = [
            (value, p.name, (*parser.line_and_column(p.start), p.length))
            for p in parsed.operands
            if isinstance(value := twins.get(p.value), SSAValue)
        ]
        place = parser.line_and_column(parsed.start)
        names = _result_names(text.content, parsed.start)
        source.add(_Written(twin_ops[parsed.op], *place, values, names))
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
    printer = _LocatingPrinter()
    printer.print_op(module)
    source = Source("", printer.text.getvalue(), assumed=assumed)
    for written in printer.printed:
        source.add(written)
    return source


def printed_names(module: ModuleOp) -> Mapping[SSAValue, str]:
    """The names of values, with `%`, in the text that xDSL prints."""
    printer = _NamingPrinter()
    printer.print_op(module)
    return printer.names


class _LocatingPrinter(Printer):
    """A printer that keeps the positions of ops and of the values written in them."""

    def __init__(self) -> None:
        self.text = StringIO()
        super().__init__(self.text)
        self.printed: list[_Written] = []
        self._written: list[_Values] = [[]]
        """For each op that is being printed, the innermost last: the values written in it."""

    def print_op(self, op: Operation) -> None:
        line, column = self._current_line, self._current_column
        self._written.append([])
        super().print_op(op)
        values = self._written.pop()
        end = self._current_line
        self.printed.append(_Written(op, line, column, values, (), end))

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


class _NamingPrinter(Printer):
    """A printer that gives values their names, and writes nothing but newlines."""

    def __init__(self) -> None:
        super().__init__(StringIO())
        self.names: dict[SSAValue, str] = {}

    def print_ssa_value(self, value: SSAValue) -> str:
        name = super().print_ssa_value(value)
        self.names[value] = f"%{name}"
        return name

    def print_string(self, text: str, *, indent: int | None = None) -> None:
        """Names do not depend on what is written."""

    def print_attribute(self, attribute: Attribute) -> None:
        """Attributes have no names of values."""


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
