"""
The report as one HTML file that needs no network: words and tables, around charts of memory over
time, which the template draws as SVG.

From left to right are the lines of the program. Each buffer of known size is an area as high as
its size, from its allocation to its free, pale while no op uses it. Areas of the heap and the stack
lie on one another, the oldest at the bottom, so that all of them together are as high as the memory
that is alive; areas of an arena are at their offsets. Those that are alive at the peak are labelled
there. Below, each buffer of unknown size has a line, and each loop a bracket.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from itertools import chain, count, pairwise
from typing import Any, NamedTuple, cast

from xdsl_bufferization.report.memory import taken_spans
from xdsl_bufferization.report.model import (
    SHOWN,
    AtPeak,
    Buffer,
    MemoryFunction,
    Report,
    Step,
    Usage,
    buffers_at_peak,
    help_at_peak,
    offset_text,
    peak_of,
    rows_of,
)
from xdsl_bufferization.report.source import (
    Formula,
    Note,
    Sized,
    SourceRange,
    formula_text,
    total,
)
from xdsl_bufferization.report.writer import Writer
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.names import printable, printable_lines, printed_symbol

PALETTE = (
    "#3b7ddd",
    "#e08a1e",
    "#2e9e5b",
    "#c2477f",
    "#0e9aa7",
    "#8d63d2",
    "#b58900",
    "#d9483b",
    "#5c7a29",
    "#7a6a8a",
)
"""The first colors of areas; after them, hues a golden angle apart."""
_LIGHTNESS = (75, 52, 30)
"""Those of the hues in turn, as the 9th and the 14th hue are nearly the first one again."""
REST = "#8a93a0"
"""The color of the area of all buffers that have none of their own."""

LARGEST = 2000
"""The most rows of a table of buffers: the largest buffers have them."""
DRAWN = 200
"""The number of buffers, the largest ones, that have areas of their own."""
_COLUMNS = 400
"""The most moments that are told apart."""
_HEIGHT = 300
"""The height of a plot, in pixels."""
_LANE = 22
"""The height of a line of a buffer of unknown size."""
_NAMED = 14
"""The least height of an area, in pixels, that a name is written in."""
_LETTER = 0.8
"""The width of a letter of a name, in percent of the chart, on a wide screen."""
_LABEL = 12
"""The least height of an area, in pixels, that is labelled at the peak."""
_ROWS = 3
"""Loops that are nested further are not drawn."""
_TICKS = 8
"""The most ticks on an axis, besides the first."""
_LINE = 90
"""The most characters of a line of the program that are shown."""
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


# Axes ------------------------------------------------------------------------------------


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
        step = step_of(int(self.end - self.first))
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
    number, left = Counter(lines), Counter(lines)
    at: list[float] = [lines[-1] + 1]
    for line in reversed(function.lines):
        # A block starts where its first op is.
        if line is None:
            at.append(at[-1])
        else:
            left[line] -= 1
            at.append(line + left[line] / number[line])
    return Axis("line", at[::-1], lines[0], lines[-1] + 1)


def step_of(top: int) -> int:
    """The distance of ticks up to `top`: 1, 2, 5, 10 and so on."""
    steps = (n * 10**exponent for exponent in count() for n in (1, 2, 5))
    return next(step for step in steps if step * _TICKS >= top)


# Areas -----------------------------------------------------------------------------------


class Part(NamedTuple):
    """A rectangle: from `left` to `right` in percent, from `low` to `high` in bytes."""

    left: float
    right: float
    low: int
    high: int


class Band(NamedTuple):
    """The area of a buffer."""

    name: str
    color: str
    buffer: Buffer | None
    """`None` for all buffers that have no area of their own."""
    parts: Sequence[Part]
    """From left to right."""
    used: Sequence[Part] = ()
    """The parts of them in which the buffer is in use."""

    def part_at(self, percent: float) -> Part | None:
        """The part that is there, as far to the right."""
        return next((p for p in self.parts if p.left <= percent < p.right), None)

    def label(self, scale: float) -> Part | None:
        """The longest part, if the name fits; `scale` is the number of pixels of a byte."""
        wide = [p for p in self.parts if (p.high - p.low) * scale >= _NAMED]
        part = max(wide, key=lambda p: p.right - p.left, default=None)
        fits = part and part.right - part.left >= _LETTER * (len(self.name) + 1)
        return part if fits else None


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture above the axis of lines."""

    title: str
    height: int
    """In pixels."""
    scale: float
    """The pixels for a byte, or for a buffer of unknown size."""
    bands: Sequence[Band]
    ticks: Sequence[int] = ()
    """Those of bytes."""
    live_maximum: int | None = None
    """In an arena: the most bytes that are live at a time; above, there are only gaps."""

    def path(self, parts: Sequence[Part]) -> str:
        """The outlines of parts of a band, in SVG: from 0 to 100 from the left."""
        return path_of(parts, self.scale, self.height)

    def y(self, count: int) -> float:
        """The height of so many bytes, in pixels from the top."""
        return self.height - count * self.scale


def path_of(parts: Sequence[Part], scale: float, height: int) -> str:
    """The outlines of the parts: along their tops, and back along their bottoms."""
    path = ""
    for run in _runs(parts):
        corners = [
            *((x, part.high) for part in run for x in (part.left, part.right)),
            *((x, p.low) for p in reversed(run) for x in (p.right, p.left)),
        ]
        points = (f"{x:.5g} {height - bytes_ * scale:.5g}" for x, bytes_ in corners)
        path += f"M{'L'.join(points)}Z"
    return path


def _runs(parts: Sequence[Part]) -> Iterator[Sequence[Part]]:
    """The parts, divided where there are gaps."""
    start = 0
    for end in range(1, len(parts) + 1):
        if end == len(parts) or parts[end - 1].right < parts[end].left:
            yield parts[start:end]
            start = end


class Areas:
    """The areas of buffers of a function, each with a color, the same in all its charts."""

    def __init__(self, function: MemoryFunction):
        self.axis = axis_of(function)
        usages = function.heap, function.stack, *(a.usage for a in function.arenas)
        at_peak = (function.buffers[n] for u in usages for n in u.alive[:SHOWN])
        # The clearest colors are for the first.
        names = dict.fromkeys(b.name for b in (*at_peak, *function.buffers))
        hues = ((137.508 * i % 360, _LIGHTNESS[i % 3]) for i in count())
        more = (f"hsl({hue:.1f} 60% {lightness}%)" for hue, lightness in hues)
        self.colors: Mapping[str, str] = dict(
            zip(names, chain(PALETTE, more), strict=False)
        )

    def stacked(self, buffers: Sequence[Buffer], steps: Sequence[Step]) -> list[Band]:
        """The areas of buffers of known size; of very many, the smaller ones are one area."""
        drawn = largest(buffers, DRAWN)
        spans = [[*taken_spans(buffer)] for buffer in drawn]
        parts: list[list[Part]] = [[] for _ in drawn]
        rest: list[Part] = []
        for step, left, right in self._columns(steps):
            low = 0
            for buffer, taken, into in zip(drawn, spans, parts, strict=True):
                at_once = sum(n for s, n in taken if s.first <= step.position < s.end)
                if at_once:
                    high = low + at_once * (buffer.size or 0)
                    _extend(into, Part(left, right, low, high))
                    low = high
            if low < step.live_bytes:
                _extend(rest, Part(left, right, low, step.live_bytes))
        bands = [*map(self._band, drawn, parts)]
        if len(drawn) < len(buffers):
            name = f"{len(buffers) - len(drawn):,} smaller buffers"
            bands.append(Band(name, REST, None, rest))
        return bands

    def placed(self, buffers: Iterable[Buffer]) -> list[Band]:
        """The areas of parts of an arena."""
        return [self._at(b, b.offset or 0, b.size or 0) for b in buffers]

    def unsized(self, buffers: Sequence[Buffer]) -> list[Band]:
        """The lines of buffers of unknown size, one above the other if they are alive at once."""
        bands: list[Band] = []
        ends: list[int] = []
        """By lane: the end of the last buffer in it."""
        for buffer in sorted(buffers, key=lambda buffer: buffer.taken.first):
            free = (i for i, end in enumerate(ends) if end <= buffer.taken.first)
            lane = next(free, len(ends))
            ends[lane : lane + 1] = [buffer.taken.end]
            bands.append(self._at(buffer, lane, 1))
        return bands

    def _at(self, buffer: Buffer, low: int, height: int) -> Band:
        """The area of a buffer that stays at its place."""
        left, right = map(self.axis.percent, (buffer.taken.first, buffer.taken.end))
        parts = [Part(left, right, low, low + height)] if left < right else []
        return self._band(buffer, parts)

    def _band(self, buffer: Buffer, parts: Sequence[Part]) -> Band:
        used: list[Part] = []
        if buffer.used is not None:
            first, end = map(self.axis.percent, (buffer.used.first, buffer.used.end))
            used = [
                p._replace(left=max(p.left, first), right=min(p.right, end))
                for p in parts
                if p.left < end and p.right > first
            ]
        return Band(buffer.name, self.colors[buffer.name], buffer, parts, used)

    def _columns(self, steps: Sequence[Step]) -> Iterator[tuple[Step, float, float]]:
        """
        Steps and from where to where they last. If there are very many, the one with the most
        memory stands for its neighbours.
        """
        size = -(-len(steps) // _COLUMNS)
        groups = [steps[i : i + size] for i in range(0, len(steps), max(size, 1))]
        edges = [self.axis.percent(group[0].position) for group in groups]
        for group, (left, right) in zip(groups, pairwise([*edges, 100.0]), strict=True):
            if left < right:
                yield max(group, key=lambda step: step.live_bytes), left, right


def _extend(parts: list[Part], part: Part) -> None:
    """Add a part on the right; one that goes on as the last one does becomes one with it."""
    if parts and parts[-1][1:] == (part.left, part.low, part.high):
        part = part._replace(left=parts.pop().left)
    parts.append(part)


def largest(buffers: Sequence[Buffer], number: int = LARGEST) -> Sequence[Buffer]:
    """The largest buffers, so many at most, in the order of the program."""
    order = sorted(range(len(buffers)), key=lambda i: -(buffers[i].size or 0))
    return [buffers[i] for i in sorted(order[:number])]


def at_line(place: SourceRange | None) -> str:
    """The line, after a comma."""
    return "" if place is None else f", line {place.line}"


def short(text: str) -> str:
    """The text, or its start if it is long."""
    return text if len(text) <= _LINE else f"{text[: _LINE - 1]}…"


# Charts ----------------------------------------------------------------------------------


class Peak(NamedTuple):
    """The mark at the peak."""

    percent: float
    labels: Sequence[tuple[str, float]]
    """The names of areas that are high enough, and their middles in pixels from the top."""

    @property
    def anchor(self) -> str:
        """Where the text begins, so that it is inside of the picture."""
        return "end" if self.percent > 50 else "start"


class Chart:
    """A chart of the buffers of a function with these indices, and what the page says around it."""

    def __init__(
        self,
        title: str,
        function: MemoryFunction,
        numbers: Sequence[int],
        usage: Usage,
        arena_size: int | None = None,
    ):
        areas = Areas(function)
        self.title = title
        self.usage = usage
        self.buffers: Sequence[Buffer] = [function.buffers[n] for n in numbers]
        self.arena = arena_size
        """The size of the arena, if it is the chart of one of known size."""
        self.is_arena = any(b.kind == "arena" for b in self.buffers)
        self.at_peak: Sequence[AtPeak] = buffers_at_peak(function, usage)
        """The buffers that are live at the peak, the largest first."""
        self.colors = areas.colors
        self.axis = areas.axis
        self.loops = [loop for loop in function.loops if loop.depth < _ROWS]
        """The outer loops, which have brackets."""
        self.rows: int = max((loop.depth + 1 for loop in self.loops), default=0)
        """The rows of brackets."""
        known = [b for b in self.buffers if _is_placed(b)]
        unknown = [b for b in self.buffers if not _is_placed(b)][:DRAWN]
        self.shown: int = min(len(known), DRAWN) + len(unknown)
        """The number of buffers with areas of their own."""
        self.plots: list[Plot] = []
        bands: Sequence[Band] = ()
        top = live_bytes = usage.peak.live_bytes if usage.peak else 0
        if known and self.is_arena:
            bands = areas.placed(sorted(known, key=lambda b: -(b.size or 0))[:DRAWN])
            top = arena_size or max((b.offset or 0) + (b.size or 0) for b in known)
        elif known:
            bands = areas.stacked(known, usage.steps)
        scale = _HEIGHT / max(top, 1)
        if known:
            what = "offset in bytes" if self.is_arena else "bytes alive"
            ticks = range(0, top + 1, step_of(top))
            maximum = live_bytes if self.is_arena else None
            self.plots.append(Plot(what, _HEIGHT, scale, bands, ticks, maximum))
        if unknown:
            lines = areas.unsized(unknown)
            # One that is never there has no part.
            tops = [part.high for line in lines for part in line.parts]
            lanes = max(tops, default=1)
            self.plots.append(Plot("unknown", lanes * _LANE, _LANE, lines))
        self.peak = usage.peak and _peak(usage.peak, areas.axis, bands, scale)


def _peak(peak: Step, axis: Axis, bands: Sequence[Band], scale: float) -> Peak:
    """The mark at the peak, with the names of the areas there that are high enough."""
    percent = axis.percent(peak.position)
    parts = [(band.name, band.part_at(percent)) for band in bands]
    labels = [
        (name, _HEIGHT - (part.low + part.high) * scale / 2)
        for name, part in parts
        if part is not None and (part.high - part.low) * scale >= _LABEL
    ]
    return Peak(percent, labels)


def _is_placed(buffer: Buffer) -> bool:
    """Whether the size is known, and the offset of a part of an arena."""
    return buffer.size is not None and (
        buffer.offset_bytes is None or buffer.offset is not None
    )


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
        largest=largest,
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
