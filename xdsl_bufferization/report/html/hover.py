"""Descriptions of the buffer below the pointer, in charts."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl_bufferization.report.formulas import amount
from xdsl_bufferization.report.html.numbers import exact
from xdsl_bufferization.report.memory.rows import offset_text
from xdsl_bufferization.report.model import Buffer
from xdsl_bufferization.report.source import Note, SourceRange

_LINE = 90
"""The most characters of a line of the program that are shown."""


def hover_text(buffer: Buffer) -> str:
    """The text about a buffer."""
    return "\n".join(_lines(buffer))


def _lines(buffer: Buffer) -> Iterator[str]:
    more = f", {buffer.more_at_once + 1} at once" if buffer.more_at_once else ""
    yield f"{buffer.name} : {_short(buffer.type)}"
    yield f"{exact(amount(buffer))}{more}, {buffer.ending}"
    if offset := offset_text(buffer):
        yield f"offset {offset}"
    yield from _about("made by", Note(buffer.op, buffer.place))
    yield from _about("first use", buffer.first_use)
    yield from _about("last use", buffer.last_use)
    for free in buffer.frees[:2]:
        yield from _about("freed by", free)


def _about(what: str, note: Note | None) -> Iterator[str]:
    """A remark, and the line of the program that it is about."""
    if note is not None:
        yield f"{what} {note.text}{at_line(note.place)}"
        if note.place is not None:
            yield f"    {_short(note.place.text.strip())}"


def at_line(place: SourceRange | None) -> str:
    return "" if place is None else f", line {place.line}"


def _short(text: str) -> str:
    return text if len(text) <= _LINE else f"{text[: _LINE - 1]}…"
