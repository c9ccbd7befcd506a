"""
The report as one HTML file that needs no network: words and tables, around the charts of
`timeline.py`.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Any, cast

from xdsl_bufferization.report.html.timeline import (
    Chart,
    at_line,
    exact,
    largest,
    short,
)
from xdsl_bufferization.report.model import (
    SHOWN,
    Buffer,
    MemoryFunction,
    Report,
    help_at_peak,
    offset_text,
    peak_of,
    rows_of,
)
from xdsl_bufferization.report.source import Note, Sized, formula_text, total
from xdsl_bufferization.report.writer import Writer
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.names import printable, printable_lines, printed_symbol

LARGEST = 2000
"""The most rows of a table of buffers: the largest buffers have them."""
_WIDTH = 120
"""The characters of a line that are in view, on a wide screen."""


def to_html(report: Report) -> str:
    """
    The report as an HTML document.

    Raises `BufferizationError` if the package that only HTML needs is missing.
    """
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ModuleNotFoundError as error:
        raise BufferizationError(
            None,
            f"bufferization-report: format=html needs {error.name}, which is not installed",
            hint="pip install 'xdsl-bufferization[report]'",
        ) from None
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
        short=short,
        quoted=quoted,
        total=_total,
        digits=_digits,
        offset=offset_text,
        count=_count,
        printable=printable,
        symbol=printed_symbol,
    )
    script = (
        files("xdsl_bufferization.report.html")
        .joinpath("templates", "tables.js")
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
        script=script,
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
        peak_of=peak_of,
        at_line=at_line,
        rows_of=rows_of,
        shown_at_peak=SHOWN,
        help_at_peak=help_at_peak,
        largest=_largest,
        Note=Note,
    )


def _shown(value: Any) -> Any:
    """The text that the page shows for the value of an expression."""
    # Markup, which is a subclass, stays.
    if type(value) is str:
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
            charts.append(Chart(title, function, numbers, usage))
    for arena in function.arenas:
        of_caller = " of the caller" if arena.is_given else ""
        title = f"Arena {arena.name}{of_caller}"
        charts.append(Chart(title, function, arena.parts, arena.usage, arena.size))
    return charts


def quoted(notes: Iterable[Note | None]) -> Sequence[str]:
    """The lines that the notes are about, with their numbers, and with marks below."""
    writer = Writer("", colored=False, width=_WIDTH)
    writer.quote(note for note in notes if note is not None)
    return writer.text.splitlines()


def _digits(sized: Sized) -> str:
    """The bytes, for a column of a table."""
    known = sized.bytes
    return "unknown" if known is None else formula_text(known)


def _total(sized: Iterable[Sized]) -> str:
    """The sum of the known sizes, and the number of unknown ones."""
    known, unknown = total(it.bytes for it in sized)
    text = exact(known)
    if unknown:
        text += f" and {_count(unknown, 'buffer')} of unknown size"
    return text


def _count(number: int, noun: str) -> str:
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def _largest(buffers: Sequence[Buffer]) -> Sequence[Buffer]:
    """The buffers for which a table has rows."""
    return largest(buffers, LARGEST)
