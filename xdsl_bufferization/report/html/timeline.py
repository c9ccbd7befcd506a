"""
Charts of memory over time, which the template draws as SVG.

From left to right are the lines of the program. Each buffer of known size is an area as high as
its size, from its allocation to its free, pale while no op uses it. Areas of the heap and the stack
lie on one another, the oldest at the bottom, so that all of them together are as high as the memory
that is alive; areas of an arena are at their offsets. Those that are alive at the peak are labelled
there. Below, each buffer of unknown size has a line, and each loop a bracket.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, pairwise
from typing import NamedTuple

from xdsl_bufferization.report.buffer_sizes import Formula, formula_text
from xdsl_bufferization.report.memory import taken_spans
from xdsl_bufferization.report.model import (
    Buffer,
    LoopExtent,
    MemoryFunction,
    Step,
    Usage,
)
from xdsl_bufferization.report.peaks import SHOWN, AtPeak, buffers_at_peak, offset_text
from xdsl_bufferization.report.source import Note, SourceRange

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
_FEW = 8
"""The most names in a sentence."""

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
        step = _step_of(int(self.end - self.first))
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


def _step_of(top: int) -> int:
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
    hover: str
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
        return "".join(map(self._outline, _runs(parts)))

    def _outline(self, parts: Sequence[Part]) -> str:
        """Along the tops, and back along the bottoms."""
        corners = [
            *((x, part.high) for part in parts for x in (part.left, part.right)),
            *((x, p.low) for p in reversed(parts) for x in (p.right, p.left)),
        ]
        points = (f"{x:.5g} {self.y(bytes_):.5g}" for x, bytes_ in corners)
        return f"M{'L'.join(points)}Z"

    def y(self, count: int) -> float:
        """The height of so many bytes, in pixels from the top."""
        return self.height - count * self.scale


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
            bands.append(Band(name, REST, name, rest))
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
        color, hover = self.colors[buffer.name], "\n".join(_hover_lines(buffer))
        return Band(buffer.name, color, hover, parts, used)

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


def largest(buffers: Sequence[Buffer], number: int) -> Sequence[Buffer]:
    """The largest buffers, so many at most, in the order of the program."""
    order = sorted(range(len(buffers)), key=lambda i: -(buffers[i].size or 0))
    return [buffers[i] for i in sorted(order[:number])]


def _hover_lines(buffer: Buffer) -> Iterator[str]:
    """The text about a buffer."""
    more = f", {buffer.more_at_once + 1} at once" if buffer.more_at_once else ""
    yield f"{buffer.name} : {_short(buffer.type)}"
    yield f"{exact(buffer.bytes)}{more}, {buffer.ending}"
    if offset := offset_text(buffer):
        yield f"offset {offset}"
    for what, note in (
        ("made by", Note(buffer.op, buffer.place)),
        ("first use", buffer.first_use),
        ("last use", buffer.last_use),
        *(("freed by", free) for free in buffer.frees[:2]),
    ):
        if note is not None:
            yield f"{what} {note.text}{at_line(note.place)}"
            if note.place is not None:
                yield f"    {_short(note.place.text.strip())}"


def at_line(place: SourceRange | None) -> str:
    """The line, after a comma."""
    return "" if place is None else f", line {place.line}"


def _short(text: str) -> str:
    return text if len(text) <= _LINE else f"{text[: _LINE - 1]}…"


# Charts ----------------------------------------------------------------------------------


class Peak(NamedTuple):
    """The mark at the peak."""

    percent: float
    text: str
    labels: Sequence[tuple[str, float]]
    """The names of areas that are high enough, and their middles in pixels from the top."""

    @property
    def anchor(self) -> str:
        """Where the text begins, so that it is inside of the picture."""
        return "end" if self.percent > 50 else "start"


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart, and what the page says around it."""

    title: str
    usage: Usage
    at_peak: Sequence[AtPeak]
    """The buffers that are live at the peak, the largest first."""
    colors: Mapping[str, str]
    """By name of a buffer."""
    caveats: Sequence[str]
    """Why the peak may be higher, in sentences."""
    shown: int
    all: int
    """The number of buffers with areas of their own, and of all buffers."""
    arena: int | None
    """The size of the arena, if it is the chart of one of known size."""
    is_arena: bool
    axis: Axis
    plots: Sequence[Plot]
    peak: Peak | None
    loops: Sequence[LoopExtent]
    """The outer loops, which have brackets."""

    @property
    def rows(self) -> int:
        """The rows of brackets."""
        return max((loop.depth + 1 for loop in self.loops), default=0)


def timeline(
    title: str,
    function: MemoryFunction,
    numbers: Sequence[int],
    usage: Usage,
    arena_size: int | None = None,
) -> Chart:
    """The chart of the buffers of the function with these indices."""
    buffers = [function.buffers[number] for number in numbers]
    is_arena = any(b.kind == "arena" for b in buffers)
    areas = Areas(function)
    known = [b for b in buffers if _is_placed(b)]
    unknown = [b for b in buffers if not _is_placed(b)][:DRAWN]
    plots: list[Plot] = []
    bands: Sequence[Band] = ()
    top = live_bytes = usage.peak.live_bytes if usage.peak else 0
    if known and is_arena:
        bands = areas.placed(sorted(known, key=lambda b: -(b.size or 0))[:DRAWN])
        top = arena_size or max((b.offset or 0) + (b.size or 0) for b in known)
    elif known:
        bands = areas.stacked(known, usage.steps)
    scale = _HEIGHT / max(top, 1)
    if known:
        what = "offset in bytes" if is_arena else "bytes alive"
        ticks = range(0, top + 1, _step_of(top))
        maximum = live_bytes if is_arena else None
        plots.append(Plot(what, _HEIGHT, scale, bands, ticks, maximum))
    if unknown:
        lines = areas.unsized(unknown)
        lanes = max(part.high for line in lines for part in line.parts)
        plots.append(Plot("unknown", lanes * _LANE, _LANE, lines))
    return Chart(
        title=title,
        usage=usage,
        at_peak=buffers_at_peak(function, usage),
        colors=areas.colors,
        caveats=[*_caveats(buffers)],
        shown=min(len(known), DRAWN) + len(unknown),
        all=len(buffers),
        arena=arena_size,
        is_arena=is_arena,
        axis=areas.axis,
        plots=plots,
        peak=usage.peak and _peak(usage.peak, areas.axis, bands, scale),
        loops=[loop for loop in function.loops if loop.depth < _ROWS],
    )


def _peak(peak: Step, axis: Axis, bands: Sequence[Band], scale: float) -> Peak:
    """The mark at the peak, with the names of the areas there that are high enough."""
    percent = axis.percent(peak.position)
    parts = [(band.name, band.part_at(percent)) for band in bands]
    labels = [
        (name, _HEIGHT - (part.low + part.high) * scale / 2)
        for name, part in parts
        if part is not None and (part.high - part.low) * scale >= _LABEL
    ]
    text = f"peak: {exact(peak.live_bytes)}{at_line(peak.note.place)}"
    return Peak(percent, text, labels)


def _is_placed(buffer: Buffer) -> bool:
    """Whether the size is known, and the offset of a part of an arena."""
    return buffer.size is not None and (
        buffer.offset_bytes is None or buffer.offset is not None
    )


def _caveats(buffers: Sequence[Buffer]) -> Iterator[str]:
    if unknown := sum(b.size is None for b in buffers):
        yield (
            "The size of 1 buffer is not known."
            if unknown == 1
            else f"The sizes of {unknown:,} buffers are not known."
        )
    if names := _names(b for b in buffers if b.piles_up):
        yield f"Each run of a loop leaves another {names}; one is counted."
    if names := _names(b for b in buffers if b.in_parallel):
        yield f"Runs that may happen at the same time have a {names} each; one is counted."


def _names(buffers: Iterable[Buffer]) -> str:
    names = [b.name for b in buffers]
    more = f" and {len(names) - _FEW:,} more" if len(names) > _FEW else ""
    return ", ".join(names[:_FEW]) + more
