"""The HTML page: words and tables, around the charts."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from itertools import groupby
from typing import Any, cast

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from xdsl_bufferization.report.formulas import Sized, amount, formula_text, total
from xdsl_bufferization.report.html.axis import exact
from xdsl_bufferization.report.html.timeline import Chart, timeline
from xdsl_bufferization.report.model import Buffer, Copy, MemoryFunction, Move, Report
from xdsl_bufferization.report.peaks import SHOWN, offset_text, peak_of, rows_of
from xdsl_bufferization.report.source import Note, SourceRange
from xdsl_bufferization.support.names import printable, printable_lines, printed_symbol

LARGEST = 2000
"""The most rows of a table of buffers: the largest buffers have them."""
_WIDTH = 120
"""The characters of a line that are in view, on a wide screen."""
_BEFORE = 50
"""The characters of a long line that are quoted before the first mark."""


def page(report: Report) -> str:
    """The report as an HTML document."""
    environment = Environment(
        loader=PackageLoader("xdsl_bufferization.report.html"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters = cast("dict[str, Any]", environment.filters)
    filters.update(
        exact=exact,
        quoted=quoted,
        total=_total,
        amount=amount,
        digits=_digits,
        offset=offset_text,
        count=_count,
        printable=printable,
        symbol=printed_symbol,
    )
    script = (
        files("xdsl_bufferization.report.html")
        .joinpath("templates", "sort.js")
        .read_text(encoding="utf-8")
    )
    memories = [
        function if isinstance(function, MemoryFunction) else function.memory
        for function in report.functions
    ]
    charts = [() if memory is None else _charts(memory) for memory in memories]
    return environment.get_template("report.html.jinja").render(
        report=report,
        charts=charts,
        script=Markup(script),
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
        peak_of=peak_of,
        rows_of=_rows_of,
        shown_at_peak=SHOWN,
        largest=_largest,
        copied=_copied,
        moved=_moved,
    )


def _shown(value: Any) -> Any:
    """The text that the page shows for the value of an expression."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return printable_lines(value)
    return value


def _charts(function: MemoryFunction) -> Sequence[Chart]:
    """The charts of the heap, the stack and the arenas that have buffers."""
    charts: list[Chart] = []
    for title, kind, usage in (
        ("Heap", "heap", function.heap),
        ("Stack", "stack", function.stack),
    ):
        numbers = [i for i, b in enumerate(function.buffers) if b.kind == kind]
        if numbers:
            charts.append(timeline(title, function, numbers, usage))
    for arena in function.arenas:
        of_caller = " of the caller" if arena.place is None else ""
        title = f"Arena {arena.name}{of_caller}"
        charts.append(timeline(title, function, arena.parts, arena.usage, arena.size))
    return charts


@dataclass(frozen=True, slots=True)
class QuotedLine:
    """A line of the program, or a part of a long one."""

    number: int
    parts: Sequence[tuple[str, bool]]
    """Parts of the text, each with whether it is marked."""
    remarks: Sequence[tuple[str, str]]
    """Under the line: spaces and `^` below the marked part, and a remark."""
    is_after_gap: bool
    """Whether lines between the previous quoted line and this one are left out."""


def quoted(notes: Iterable[Note | None]) -> Sequence[QuotedLine]:
    """The lines that the notes are about, in program order."""
    marks = [(n.place, n.text) for n in notes if n is not None and n.place is not None]
    marks.sort(key=lambda mark: (mark[0].line, mark[0].column))
    lines: list[QuotedLine] = []
    for number, group in groupby(marks, key=lambda mark: mark[0].line):
        is_after_gap = bool(lines) and number > lines[-1].number + 1
        left = [*group]
        while left:
            # Each part of a long line only has the text around itself.
            first = left[0][0]
            end = first.skipped + len(first.text)
            together = [m for m in left if m[0].column - 1 + m[0].length <= end]
            together = together or left[:1]
            left = left[len(together) :]
            lines.append(_quoted_line(number, together, is_after_gap))
            is_after_gap = False
    return lines


def _quoted_line(
    number: int, marks: Sequence[tuple[SourceRange, str]], is_after_gap: bool
) -> QuotedLine:
    first, last = marks[0][0], marks[-1][0]
    text = first.text
    is_in_view = last.start + last.length <= _WIDTH
    start = 0 if is_in_view else max(first.start - _BEFORE, 0)
    stop = max(last.column - 1 - first.skipped + last.length + _WIDTH, start)
    if stop >= len(text):
        stop = len(text)
    before = "…" if first.skipped + start else ""
    parts: list[tuple[str, bool]] = [(before, False)]
    at = start
    for place, _ in marks:
        begin = place.column - 1 - first.skipped
        if begin >= at:
            parts.append((text[at:begin], False))
            at = min(begin + max(place.length, 1), stop)
            parts.append((text[begin:at], True))
    parts.append((text[at:stop] + ("…" if stop < len(text) else ""), False))
    remarks = [
        (
            " " * (place.column - 1 - first.skipped - start + len(before))
            + "^" * min(max(place.length, 1), stop - start),
            remark,
        )
        for place, remark in marks
    ]
    return QuotedLine(number, parts, remarks, is_after_gap)


def _copied(copy: Copy) -> Note:
    return Note("copied for this", copy.place)


def _moved(move: Move) -> Note:
    return Note("moved by this", move.place)


def _digits(sized: Sized) -> str:
    """The bytes, for a column of a table."""
    known = amount(sized)
    return "unknown" if known is None else formula_text(known)


def _total(sized: Iterable[Sized]) -> str:
    """The sum of the known sizes, and the number of unknown ones."""
    known, unknown = total(map(amount, sized))
    text = exact(known)
    if unknown:
        text += f" and {_count(unknown, 'buffer')} of unknown size"
    return text


def _count(number: int, noun: str) -> str:
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def _rows_of(buffers: Sequence[Buffer]) -> Sequence[Sequence[Buffer]]:
    """Rows for the largest buffers; buffers of one view share a row."""
    return rows_of(_largest(buffers))


def _largest(buffers: Sequence[Buffer]) -> Sequence[Buffer]:
    """The largest buffers, for which a table has rows, in program order."""
    if len(buffers) <= LARGEST:
        return buffers
    order = sorted(range(len(buffers)), key=lambda i: -(buffers[i].size or 0))
    return [buffers[i] for i in sorted(order[:LARGEST])]
