"""
The axes of a chart, lines of the program and bytes, and the text below the pointer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from xdsl_bufferization.report.buffer_sizes import Formula, formula_text
from xdsl_bufferization.report.model import Buffer, MemoryFunction
from xdsl_bufferization.report.peaks import offset_text
from xdsl_bufferization.report.source import Note, SourceRange

_UNITS = ("bytes", "KiB", "MiB", "GiB")


def exact(size: int | Formula | None) -> str:
    """All digits, and in units: `1,234,567 bytes (1.2 MiB)`."""
    if size is None:
        return "unknown"
    if isinstance(size, int):
        text = "1 byte" if size == 1 else f"{size:,} bytes"
        power = min(max(size.bit_length() - 1, 0) // 10, len(_UNITS) - 1)
        return f"{text} ({size / 1024**power:,.1f} {_UNITS[power]})" if power else text
    return f"{formula_text(size)} bytes" if size.number is None else exact(size.number)


_TICKS = 8
"""The most ticks on an axis, besides the first."""


@dataclass(frozen=True, slots=True)
class Axis:
    """Where positions are, in lines of the program, or in ops if its lines are not known."""

    title: str
    at: Sequence[float]
    """For each position, and for the end."""
    first: float
    end: float

    def percent(self, position: int) -> float:
        """How far to the right the position is."""
        return self._percent(self.at[position])

    def ticks(self) -> Iterator[tuple[float, str]]:
        """The places of ticks, in percent, and what they say."""
        step = step_of(int(self.end - self.first), 1)
        start = -(-int(self.first) // step) * step
        for value in range(start, int(self.end) + 1, step):
            yield self._percent(value), f"{value:,}"

    def _percent(self, value: float) -> float:
        return 100 * (value - self.first) / (self.end - self.first)


def axis_of(function: MemoryFunction) -> Axis:
    """The axis of lines, on which ops that share a line are beside one another in it."""
    lines = [line for line in function.lines if line is not None]
    if not lines or any(a > b for a, b in pairwise(lines)):
        end = function.positions
        title = "position in the program, in ops"
        return Axis(title, range(end + 1), 0, max(end, 1))
    places = [
        line + index / number
        for line, group in groupby(lines)
        for number in [sum(1 for _ in group)]
        for index in range(number)
    ]
    end = lines[-1] + 1
    at: list[float] = [end]
    for line in reversed(function.lines):
        # A block starts where its first op is.
        at.append(at[-1] if line is None else places.pop())
    at.reverse()
    return Axis("line", at, lines[0], end)


def step_of(top: int, least: int) -> int:
    """The distance of ticks up to `top`: 1, 2, 5, 10 and so on."""
    return next(
        n * 10**exponent
        for exponent in range(100)
        for n in (1, 2, 5)
        if n * 10**exponent >= least and n * 10**exponent * _TICKS >= top
    )


_LINE = 90
"""The most characters of a line of the program that are shown."""


def hover_text(buffer: Buffer) -> str:
    """The text about a buffer."""
    return "\n".join(_lines(buffer))


def _lines(buffer: Buffer) -> Iterator[str]:
    more = f", {buffer.more_at_once + 1} at once" if buffer.more_at_once else ""
    yield f"{buffer.name} : {_short(buffer.type)}"
    yield f"{exact(buffer.bytes)}{more}, {buffer.ending}"
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
