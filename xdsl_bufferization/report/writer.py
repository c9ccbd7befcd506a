"""Text for a terminal: tables, and quoted lines of a program with marks below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import StringIO
from itertools import groupby, zip_longest
from shutil import get_terminal_size
from textwrap import wrap

from xdsl.utils.color_printer import ColorPrinter
from xdsl.utils.colors import Colors

from xdsl_bufferization.report.source import (
    Formula,
    Line,
    Note,
    SourceRange,
    formula_text,
    total,
)
from xdsl_bufferization.support.names import printable, printable_lines, printed_symbol

WIDTH = 100
"""The columns of text that is not for a terminal."""
MIN_WIDTH = 40
"""No terminal is taken to be narrower."""
MAX_WIDTH = 140
"""Text is not wider, however wide the terminal is."""
_DOTS = "..."
_MAX_HANGING = 12
"""The most columns that sentences after a label are indented by."""
_MIN_COLUMN = 8
"""Columns of a table are not made narrower."""


def width_of_terminal() -> int:
    """The columns of text for this terminal."""
    return min(max(get_terminal_size().columns, MIN_WIDTH), MAX_WIDTH)


class Writer:
    """Writes text of `width` columns about the program in the file `source`."""

    def __init__(self, source: str, *, colored: bool, width: int = WIDTH):
        self._source = source
        self._width = width
        self._colored = colored
        self._stream = StringIO()
        self._printer = ColorPrinter(self._stream)

    @property
    def text(self) -> str:
        """The text written so far."""
        return self._stream.getvalue()

    def line(self, text: str = "", color: Colors | None = None) -> None:
        """Write a line."""
        self._print(text, color)
        self._print("\n")

    def sentence(self, text: str, indent: int = 0) -> None:
        """Write a sentence; lines after the first are indented."""
        for line in _wrapped(text, self._width, " " * indent, " " * (indent + 2)):
            self.line(line)

    def fact(self, text: str) -> None:
        """Write a fact about a function."""
        self.sentence(text, indent=2)

    def title(self, function: str, place: SourceRange | None) -> None:
        """Write the title of a function; without a name, of the ops outside of functions."""
        name = printed_symbol(function) if function else "outside of functions"
        where = "" if place is None else self._where(place)
        self._print(name, Colors.CYAN)
        if where and len(name) + 2 + len(where) > self._width:
            self.line(",")
            self.line(f"  {where}")
        else:
            self.line(f", {where}" if where else "")

    def headline(self, what: str, why: str) -> None:
        """Write what there is, and why."""
        first, *others = _wrapped(f"{what}: {why}", self._width)
        if first.startswith(what):
            self._print(what, Colors.YELLOW)
            first = first.removeprefix(what)
        self.line(first)
        for line in others:
            self.line(line)

    def help(self, text: str) -> None:
        """Write an advice."""
        self.remark("help", text)

    def remark(self, kind: str, text: str) -> None:
        """Write sentences of some kind."""
        label = f"  {kind}: "
        hanging = " " * min(len(label), _MAX_HANGING)
        first, *others = _wrapped(label + text, self._width, "", hanging)
        self._print(label.rstrip(), Colors.GREEN)
        self.line(first.removeprefix(label.rstrip()))
        for line in others:
            self.line(line)

    def table(
        self, header: Sequence[str], rows: Sequence[Sequence[str]], indent: int = 2
    ) -> None:
        """
        Write a table, without columns that are empty. Columns of numbers are aligned to the
        right, and others wrapped where the table would be too wide.
        """
        columns = [c for c in zip(header, *rows, strict=True) if any(c[1:])]
        right = [
            all(cell[:1].isdigit() or cell in ("", "?") for cell in c[1:])
            for c in columns
        ]
        widths = _widths(columns, right, self._width - indent)
        for number, row in enumerate(zip(*columns, strict=True)):
            wrapped = [
                _cell(cell, width) for cell, width in zip(row, widths, strict=True)
            ]
            for line in zip_longest(*wrapped, fillvalue=""):
                cells = [
                    cell.rjust(width) if is_right else cell.ljust(width)
                    for cell, width, is_right in zip(line, widths, right, strict=True)
                ]
                text = " " * indent + "  ".join(cells).rstrip()
                self.line(text, None if number else Colors.BLUE)

    def listing(self, lines: Sequence[Line]) -> None:
        """Write lines of the program with their numbers."""
        margin = max((len(str(line.number)) for line in lines), default=0)
        previous = lines[0].number - 1 if lines else 0
        for line in lines:
            if line.number > previous + 1:
                self.line(f"  {'.' * margin} |", Colors.BLUE)
            previous = line.number
            label = f"  {line.number:>{margin}} | "
            for part in _code(printable_lines(line.text), self._width - len(label)):
                self._print(label, Colors.BLUE)
                self.line(part)
                label = f"{'':{len(label) - 2}}| "

    def quote(self, notes: Iterable[Note], indent: int = 2) -> None:
        """Write the lines of the program that the notes are about, with marks."""
        marks = [(note.place, note.text) for note in notes if note.place is not None]
        marks.sort(key=lambda mark: (mark[0].line, mark[0].column))
        if not marks:
            return
        margin = len(str(marks[-1][0].line))
        previous = marks[0][0].line
        for line, group in groupby(marks, key=lambda mark: mark[0].line):
            if line > previous + 1:
                self.line(f"{'':{indent}}{'.' * margin} |", Colors.BLUE)
            previous = line
            on_line = [*group]
            while on_line:
                label = f"{'':{indent}}{line:>{margin}} | "
                on_line = self._quote_line(label, on_line)

    def _quote_line(
        self, label: str, marks: Sequence[tuple[SourceRange, str]]
    ) -> Sequence[tuple[SourceRange, str]]:
        """Quote the part of the line around the first mark; returns the marks outside of it."""
        first, room = marks[0][0], self._width - len(label)
        text, shift, end = _quoted(first, room)
        self._print(label, Colors.BLUE)
        self.line(text)
        blank = " " * (len(label) - 2) + "| "
        left: list[tuple[SourceRange, str]] = []
        for place, about in marks:
            start = place.column - 1 + shift
            if place is not first and start + place.length > end:
                left.append((place, about))
                continue
            # Tabs stay tabs, so that marks are aligned.
            under = "".join(c if c == "\t" else " " for c in text[:start])
            marked = "^" * max(min(place.length, end - start), 1)
            origin = f" ({place.origin})" if place.origin else ""
            self._write_mark(blank, under, marked, about + origin, room)
        return left

    def _write_mark(
        self, blank: str, under: str, marked: str, text: str, room: int
    ) -> None:
        """Write a mark, with its text after it, or below if there is no room."""
        fits = len(under) + len(marked) + 1 + len(text) <= room
        self._print(blank, Colors.BLUE)
        self._print(under)
        self.line(f"{marked} {text}" if fits else marked, Colors.RED)
        lines = () if fits else _wrapped(text, room)
        shift = max(0, min(len(under), room - max(map(len, lines), default=0)))
        for line in lines:
            self._print(blank, Colors.BLUE)
            self.line(" " * shift + line, Colors.RED)

    @staticmethod
    def size(size: Formula | None) -> str:
        """A number of bytes; `?` if it is unknown."""
        return "?" if size is None else formula_text(size)

    @staticmethod
    def total(sizes: Iterable[Formula | None]) -> str:
        """The number of sizes, and their sum."""
        sizes = [*sizes]
        known, unknown = total(sizes)
        text = str(len(sizes))
        if has_known := unknown < len(sizes):
            text += f", {formula_text(known)} bytes"
        if unknown:
            text += f"{' and' if has_known else ','} {unknown} of unknown size"
        return text

    def _where(self, place: SourceRange) -> str:
        if self._source:
            return f"{printable(self._source)}:{place.line}:{place.column}"
        origin = f" ({place.origin})" if place.origin else ""
        return f"line {place.line}{origin}"

    def _print(self, text: str, color: Colors | None = None) -> None:
        with self._printer.colored(color if self._colored else None):
            self._printer.print_string(printable_lines(text))


def _quoted(place: SourceRange, room: int) -> tuple[str, int, int]:
    """
    The part of the line around a place that there is room for, with dots where more is left out;
    by how much columns are further to the right in it, and the end of what is quoted.
    """
    text = place.text
    if len(text) <= room and not place.skipped:
        return text, 0, len(text)
    cut = 0
    if place.start + place.length > room - len(_DOTS):
        # The place is at two fifths of what is quoted, or further to the right at the line's end.
        cut = min(place.start - room * 2 // 5, len(text) - room + len(_DOTS))
        cut = max(cut, 0)
    before = _DOTS if place.skipped + cut else ""
    shift = len(before) - place.skipped - cut
    quoted = before + text[cut:]
    if len(quoted) <= room:
        return quoted, shift, len(quoted)
    end = room - len(_DOTS)
    return quoted[:end] + _DOTS, shift, end


def _code(text: str, room: int) -> Sequence[str]:
    """A line of the program, wrapped at spaces and further in if it is too long."""
    indent = " " * (len(text) - len(text.lstrip()))
    if len(text) <= room or len(indent) > room // 2:
        return [text]
    return _wrapped(text.lstrip(), room, indent, indent + " " * 6)


def _wrapped(
    text: str, width: int, indent: str = "", hanging: str = ""
) -> Sequence[str]:
    """The text in lines that break at spaces, and in words that are too long for a line."""
    return wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=hanging,
        break_on_hyphens=False,
    ) or [indent]


def _widths(
    columns: Sequence[Sequence[str]], right: Sequence[bool], room: int
) -> Sequence[int]:
    """
    The widths of columns. Where there is no room, the widest that has no numbers is narrower: at
    first as far as its words fit, then further.
    """
    widths = [max(map(len, column)) for column in columns]
    words = [
        max(len(word) for cell in c for word in cell.split() or "") for c in columns
    ]
    for limit in (max(words), _MIN_COLUMN):
        least = [
            width if is_right else min(width, max(min(word, limit), _MIN_COLUMN))
            for width, word, is_right in zip(widths, words, right, strict=True)
        ]
        while sum(widths) + 2 * (len(widths) - 1) > room:
            index = max(range(len(widths)), key=lambda i: widths[i] - least[i])
            if widths[index] <= least[index]:
                break
            widths[index] -= 1
    return widths


def _cell(text: str, width: int) -> Sequence[str]:
    """The lines of a cell."""
    return [text] if len(text) <= width else _wrapped(text, width)
