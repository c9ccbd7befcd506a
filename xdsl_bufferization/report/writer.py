"""Text for a terminal: tables, and quoted lines of a program with marks below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import StringIO
from itertools import groupby
from textwrap import wrap

from xdsl.utils.color_printer import ColorPrinter
from xdsl.utils.colors import Colors

from xdsl_bufferization.report.source import Line, Note, SourceRange
from xdsl_bufferization.support.names import printable, printable_lines, printed_symbol

_WIDTH = 100
"""The columns that text is wrapped at."""
_BEFORE = 40
"""The characters of a long line that are quoted before the mark."""


class Writer:
    """Writes text about the program in the file `source`."""

    def __init__(self, source: str, *, colored: bool):
        self._source = source
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

    def title(self, function: str, place: SourceRange | None) -> None:
        """Write the title of a function; without a name, of the ops outside of functions."""
        where = "" if place is None else f", {self._where(place)}"
        self._print(
            printed_symbol(function) if function else "outside of functions",
            Colors.CYAN,
        )
        self.line(where)

    def headline(self, what: str, why: str) -> None:
        """Write what there is, and why."""
        lines = wrap(f"{what}: {why}", _WIDTH, break_on_hyphens=False)
        first = lines[0]
        if first.startswith(what):
            self._print(what, Colors.YELLOW)
            first = first.removeprefix(what)
        self.line(first)
        for line in lines[1:]:
            self.line(line)

    def help(self, text: str) -> None:
        """Write an advice."""
        self.remark("help", text)

    def remark(self, kind: str, text: str) -> None:
        """Write sentences of some kind."""
        label = f"  {kind}: "
        lines = wrap(text, _WIDTH - len(label), break_on_hyphens=False)
        self._print(label, Colors.GREEN)
        self.line(lines[0])
        for line in lines[1:]:
            self.line(" " * len(label) + line)

    def table(self, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Write a table; columns of numbers are aligned to the right."""
        columns = [*zip(header, *rows, strict=True)]
        widths = [max(map(len, column)) for column in columns]
        right = [
            all(cell[:1].isdigit() or cell in ("", "?") for cell in c[1:])
            for c in columns
        ]
        for number, row in enumerate((header, *rows)):
            cells = [
                cell.rjust(width) if is_right else cell.ljust(width)
                for cell, width, is_right in zip(row, widths, right, strict=True)
            ]
            self.line("  " + "  ".join(cells).rstrip(), None if number else Colors.BLUE)

    def listing(self, lines: Sequence[Line]) -> None:
        """Write lines of the program with their numbers."""
        margin = max((len(str(line.number)) for line in lines), default=0)
        previous = lines[0].number - 1 if lines else 0
        for line in lines:
            if line.number > previous + 1:
                self.line(f"  {'.' * margin} |", Colors.BLUE)
            previous = line.number
            self._print(f"  {line.number:>{margin}} | ", Colors.BLUE)
            self.line(line.text)

    def quote(self, notes: Iterable[Note]) -> None:
        """Write the lines of the program that the notes are about, with marks."""
        marks = [(note.place, note.text) for note in notes if note.place is not None]
        marks.sort(key=lambda mark: (mark[0].line, mark[0].column))
        if not marks:
            return
        margin = len(str(marks[-1][0].line))
        previous = marks[0][0].line
        for line, group in groupby(marks, key=lambda mark: mark[0].line):
            if line > previous + 1:
                self.line(f"  {'.' * margin} |", Colors.BLUE)
            previous = line
            on_line = [*group]
            while on_line:
                on_line = self._quote_line(line, margin, on_line)

    def _quote_line(
        self, line: int, margin: int, marks: Sequence[tuple[SourceRange, str]]
    ) -> Sequence[tuple[SourceRange, str]]:
        """Quote the part of the line around the first mark; returns the marks outside of it."""
        first = marks[0][0]
        cut = _cut(first)
        before = "..." if first.skipped + cut else ""
        quoted = first.text[cut : cut + _WIDTH]
        after = "..." if cut + _WIDTH < len(first.text) else ""
        self._print(f"  {line:>{margin}} | ", Colors.BLUE)
        self.line(before + quoted + after)
        left: list[tuple[SourceRange, str]] = []
        for place, text in marks:
            start = place.column - 1 - first.skipped - cut
            if place is not first and start + place.length > len(quoted):
                left.append((place, text))
                continue
            self._print(f"  {'':{margin}} | ", Colors.BLUE)
            # Tabs stay tabs, so that marks are aligned.
            blank = "".join(c if c == "\t" else " " for c in quoted[:start])
            self._print(" " * len(before) + blank)
            origin = f" ({place.origin})" if place.origin else ""
            length = max(min(place.length, len(quoted) - start), 1)
            self.line(f"{'^' * length} {text}{origin}", Colors.RED)
        return left

    @staticmethod
    def at(place: SourceRange | None) -> str:
        """The number of the line, in brackets."""
        return "" if place is None else f" (line {place.line})"

    @staticmethod
    def size(size: int | None) -> str:
        """A number of bytes; `?` if it is unknown."""
        return "?" if size is None else f"{size:,}"

    @staticmethod
    def total(sizes: Iterable[int | None]) -> str:
        """The number of sizes, and their sum."""
        sizes = [*sizes]
        known = [size for size in sizes if size is not None]
        unknown = len(sizes) - len(known)
        text = str(len(sizes))
        if known:
            text += f", {sum(known):,} bytes"
        if unknown:
            text += f"{' and' if known else ','} {unknown} of unknown size"
        return text

    def _where(self, place: SourceRange) -> str:
        if self._source:
            return f"{printable(self._source)}:{place.line}:{place.column}"
        origin = f" ({place.origin})" if place.origin else ""
        return f"line {place.line}{origin}"

    def _print(self, text: str, color: Colors | None = None) -> None:
        with self._printer.colored(color if self._colored else None):
            self._printer.print_string(printable_lines(text))


def _cut(place: SourceRange) -> int:
    """The number of characters at the start of a long line that are not quoted."""
    return 0 if len(place.text) <= _WIDTH else max(place.start - _BEFORE, 0)
