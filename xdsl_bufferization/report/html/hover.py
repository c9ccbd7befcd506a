"""The texts of a chart below the pointer, about a buffer or a position."""

from __future__ import annotations

from html import escape

from xdsl_bufferization.report.html.numbers import exact
from xdsl_bufferization.report.model import Buffer
from xdsl_bufferization.report.source import Note, SourceRange

_LINE = 90
"""The most characters of a line of the program that are shown."""


def hover_text(buffer: Buffer) -> str:
    """The text about a buffer, in the HTML that plotly supports."""
    more = f", {buffer.more_at_once + 1} at once" if buffer.more_at_once else ""
    lines = [
        f"<b>{escape(buffer.name, quote=False)}</b> : {_short(buffer.type)}",
        f"{exact(buffer.size)}{more}, {buffer.ending}",
    ]
    if buffer.offset is not None:
        lines.append(f"offset {buffer.offset:,}")
    text = "<br>".join(lines)
    text += about("made by", Note(buffer.op, buffer.place))
    text += about("first use", buffer.first_use)
    text += about("last use", buffer.last_use)
    for free in buffer.frees[:2]:
        text += about("freed by", free)
    return text


def about(what: str, note: Note | None) -> str:
    """A line with a remark, and the line of the program that it is about."""
    if note is None:
        return ""
    text = f"<br>{what} {escape(note.text, quote=False)}{at_line(note.place)}"
    if note.place is not None:
        text += f"<br>  <i>{_short(note.place.text.strip())}</i>"
    return text


def at_line(place: SourceRange | None) -> str:
    return "" if place is None else f", line {place.line}"


def _short(text: str) -> str:
    text = text if len(text) <= _LINE else f"{text[: _LINE - 1]}…"
    return escape(text, quote=False)
