"""
Charts of memory over time, which the template draws as SVG.

From left to right are the lines of the program. Each buffer of known size is an area as high as
its size, from its allocation to its free, pale while no op uses it. Those that are alive at the
peak are labelled there. Below, each buffer of unknown size has a line, and each loop a bracket.

The areas of a chart, one for each buffer, from its allocation to its free.

Areas of the heap and the stack lie on one another, the oldest at the bottom, so that all of
them together are as high as the memory that is alive. Areas of an arena are at their offsets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, pairwise
from typing import TypeAlias

from xdsl_bufferization.report.html.axis import (
    Axis,
    at_line,
    axis_of,
    exact,
    hover_text,
    step_of,
)
from xdsl_bufferization.report.model import Buffer, MemoryFunction, Span, Step, Usage
from xdsl_bufferization.report.peaks import SHOWN, AtPeak, buffers_at_peak
from xdsl_bufferization.report.source import Note

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

Colors: TypeAlias = Mapping[str, str]
"""By name of a buffer: its color, the same in all charts of a function."""


def colors_of(buffers: Iterable[Buffer]) -> Colors:
    """A color of its own for each buffer, the clearest ones for the first."""
    names = dict.fromkeys(buffer.name for buffer in buffers)
    more = (f"hsl({137.508 * i % 360:.1f} 60% {_LIGHTNESS[i % 3]}%)" for i in count())
    return dict(zip(names, chain(PALETTE, more), strict=False))


DRAWN = 200
"""The number of buffers, the largest ones, that have areas of their own."""
_COLUMNS = 400
"""The most moments that are told apart."""
_NAMED = 14
"""The least height of an area, in pixels, that a name is written in."""
_LETTER = 0.8
"""The width of a letter of a name, in percent of the chart, on a wide screen."""


@dataclass(frozen=True, slots=True)
class Part:
    """A rectangle: from `left` to `right` in percent, from `low` to `high` in bytes."""

    left: float
    right: float
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Band:
    """The area of a buffer."""

    name: str
    color: str
    hover: str
    parts: Sequence[Part]
    """From left to right, without gaps."""
    used: Sequence[Part]
    """The parts of them in which the buffer is in use."""

    def part_at(self, percent: float) -> Part | None:
        """The part that is there, as far to the right."""
        return next((p for p in self.parts if p.left <= percent < p.right), None)

    def label(self, scale: float) -> Part | None:
        """The longest part, if the name fits; `scale` is the number of pixels of a byte."""
        wide = [p for p in self.parts if (p.high - p.low) * scale >= _NAMED]
        part = max(wide, key=lambda p: p.right - p.left, default=None)
        if part is None or part.right - part.left < _LETTER * (len(self.name) + 1):
            return None
        return part


def stacked(
    buffers: Sequence[Buffer], steps: Sequence[Step], axis: Axis, colors: Colors
) -> list[Band]:
    """The areas of buffers of known size; of very many, the smaller ones are one area."""
    order = sorted(range(len(buffers)), key=lambda i: -(buffers[i].size or 0))
    drawn = [buffers[i] for i in sorted(order[:DRAWN])]
    parts: list[list[Part]] = [[] for _ in drawn]
    rest: list[Part] = []
    for step, left, right in _columns(steps, axis):
        low = 0
        for buffer, into in zip(drawn, parts, strict=True):
            if (height := _height_at(buffer, step.position)) is not None:
                _extend(into, Part(left, right, low, low + height))
                low += height
        if low < step.live_bytes:
            _extend(rest, Part(left, right, low, step.live_bytes))
    bands = [
        _band(buffer, run, axis, colors)
        for buffer, of_buffer in zip(drawn, parts, strict=True)
        for run in [*_runs(of_buffer)] or [()]
    ]
    if len(drawn) < len(buffers):
        name = f"{len(buffers) - len(drawn):,} smaller buffers"
        bands += [Band(name, REST, name, run, ()) for run in _runs(rest)]
    return bands


def placed(buffers: Iterable[Buffer], axis: Axis, colors: Colors) -> list[Band]:
    """The areas of parts of an arena."""
    bands: list[Band] = []
    for buffer in buffers:
        offset, taken = buffer.offset or 0, buffer.taken
        left, right = axis.percent(taken.first), axis.percent(taken.end)
        part = Part(left, right, offset, offset + (buffer.size or 0))
        bands.append(_band(buffer, [part] if left < right else [], axis, colors))
    return bands


def unsized(buffers: Sequence[Buffer], axis: Axis, colors: Colors) -> list[Band]:
    """The lines of buffers of unknown size, one above the other if they are alive at once."""
    bands: list[Band] = []
    for lane, buffer in zip(lanes_of(buffers), buffers, strict=True):
        left, right = axis.percent(buffer.taken.first), axis.percent(buffer.taken.end)
        bands.append(_band(buffer, [Part(left, right, lane, lane + 1)], axis, colors))
    return bands


def _columns(steps: Sequence[Step], axis: Axis) -> Iterator[tuple[Step, float, float]]:
    """
    Steps and from where to where they last. If there are very many, the one with the most
    memory stands for its neighbours.
    """
    size = -(-len(steps) // _COLUMNS)
    groups = [steps[i : i + size] for i in range(0, len(steps), max(size, 1))]
    edges = [axis.percent(group[0].position) for group in groups]
    for group, (left, right) in zip(groups, pairwise([*edges, 100.0]), strict=True):
        if left < right:
            yield max(group, key=lambda step: step.live_bytes), left, right


def _extend(parts: list[Part], part: Part) -> None:
    """Add a part on the right; one that goes on as the last one does becomes one with it."""
    last = parts[-1] if parts else None
    if last and (last.right, last.low, last.high) == (part.left, part.low, part.high):
        parts[-1] = Part(last.left, part.right, part.low, part.high)
    else:
        parts.append(part)


def _height_at(buffer: Buffer, position: int) -> int | None:
    if not buffer.taken.first <= position < buffer.taken.end or any(
        gap.first <= position < gap.end for gap in buffer.gaps
    ):
        return None
    loop = buffer.loop
    more = loop is not None and loop.first <= position < loop.end
    return (buffer.size or 0) * (1 + buffer.more_at_once if more else 1)


def _band(buffer: Buffer, parts: Sequence[Part], axis: Axis, colors: Colors) -> Band:
    span = _clipped(buffer)
    first, end = axis.percent(span.first), axis.percent(span.end)
    used = [
        Part(max(p.left, first), min(p.right, end), p.low, p.high)
        for p in parts
        if p.left < end and p.right > first
    ]
    return Band(buffer.name, colors[buffer.name], hover_text(buffer), parts, used)


def _clipped(buffer: Buffer) -> Span:
    """The range in which the buffer is used, inside the one in which it is allocated."""
    if buffer.used is None:
        return Span(buffer.taken.first, buffer.taken.first)
    first = max(buffer.used.first, buffer.taken.first)
    return Span(first, max(first, min(buffer.used.end, buffer.taken.end)))


def _runs(parts: Sequence[Part]) -> Iterator[Sequence[Part]]:
    """The parts, divided where there are gaps."""
    start = 0
    for number in range(1, len(parts) + 1):
        if number == len(parts) or parts[number - 1].right < parts[number].left:
            yield parts[start:number]
            start = number


def lanes_of(buffers: Sequence[Buffer]) -> Sequence[int]:
    """A lane for each of few buffers, so that buffers in one lane do not overlap."""
    lanes = [0] * len(buffers)
    ends: list[int] = []
    """By lane: the end of the last buffer in it."""
    for index in sorted(range(len(buffers)), key=lambda i: buffers[i].taken.first):
        taken = buffers[index].taken
        free = (lane for lane, end in enumerate(ends) if end <= taken.first)
        lanes[index] = next(free, len(ends))
        ends[lanes[index] : lanes[index] + 1] = [taken.end]
    return lanes


_HEIGHT = 300
"""The height of a plot, in pixels."""
_LANE = 22
"""The height of a line of a buffer of unknown size."""
_FEW = 8
"""The most names in a sentence."""
_LABEL = 12
"""The least height of an area, in pixels, that is labelled at the peak."""
_ROWS = 3
"""Loops that are nested further are not drawn."""
_WIDE = 12
"""The least width of a loop, in percent, that has a text."""


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
        """The outline of parts of a band, in SVG: from 0 to 100 from the left."""
        return path_of(parts, self.scale, self.height)

    def y(self, count: int) -> float:
        """The height of so many bytes, in pixels from the top."""
        return self.height - count * self.scale


@dataclass(frozen=True, slots=True)
class Bracket:
    """The extent of a loop, below the axis."""

    left: float
    right: float
    """In percent."""
    row: int
    text: str


@dataclass(frozen=True, slots=True)
class Label:
    """The name of a buffer beside the line at the peak."""

    name: str
    middle: float
    """In pixels from the top."""


@dataclass(frozen=True, slots=True)
class Peak:
    """The mark at the peak."""

    percent: float
    text: str
    labels: Sequence[Label] = ()

    @property
    def anchor(self) -> str:
        """Where the text begins, so that it is inside of the picture."""
        return "end" if self.percent > 50 else "start"


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart, and what the page says around it."""

    title: str
    description: str
    """A description for screen readers."""
    usage: Usage
    at_peak: Sequence[AtPeak]
    """The buffers that are live at the peak, the largest first."""
    colors: Colors
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
    brackets: Sequence[Bracket]
    rows: int
    """The rows of brackets."""

    @property
    def peak_note(self) -> Note | None:
        """Where the peak is in the program."""
        peak = self.usage.peak
        return None if peak is None else Note("the peak", peak.note.place)


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
    axis = axis_of(function)
    usages = function.heap, function.stack, *(a.usage for a in function.arenas)
    at_peak = [function.buffers[n] for u in usages for n in u.alive[:SHOWN]]
    colors = colors_of([*at_peak, *function.buffers])
    known = [b for b in buffers if _is_placed(b)]
    unknown = [b for b in buffers if not _is_placed(b)][:DRAWN]
    peak = usage.peak
    plots: list[Plot] = []
    bands: list[Band] = []
    top = peak.live_bytes if peak else 0
    if known and is_arena:
        drawn = sorted(known, key=lambda b: -(b.size or 0))[:DRAWN]
        bands = placed(drawn, axis, colors)
        top = arena_size or max((b.offset or 0) + (b.size or 0) for b in known)
        live_maximum = peak.live_bytes if peak else 0
        plots.append(_plot("offset in bytes", bands, top, live_maximum))
    elif known:
        bands = stacked(known, usage.steps, axis, colors)
        plots.append(_plot("bytes alive", bands, top))
    if unknown:
        lanes = max(lanes_of(unknown)) + 1
        lines = unsized(unknown, axis, colors)
        plots.append(Plot("unknown", lanes * _LANE, _LANE, lines))
    brackets = [*_brackets(function, axis)]
    return Chart(
        title=title,
        description=f"{title}: memory over time, for {len(numbers)} buffers"
        + (f"; the peak is {exact(peak.live_bytes)}" if peak else ""),
        usage=usage,
        at_peak=buffers_at_peak(function, usage),
        colors=colors,
        caveats=[*_caveats(buffers)],
        shown=min(len(known), DRAWN) + len(unknown),
        all=len(buffers),
        arena=arena_size,
        is_arena=is_arena,
        axis=axis,
        plots=plots,
        peak=peak and _peak(peak, axis, bands, top),
        brackets=brackets,
        rows=max((bracket.row + 1 for bracket in brackets), default=0),
    )


def _peak(peak: Step, axis: Axis, bands: Sequence[Band], top: int) -> Peak:
    """The mark at the peak, with the names of the areas there that are high enough."""
    percent = axis.percent(peak.position)
    scale = _HEIGHT / max(top, 1)
    parts = [(band.name, band.part_at(percent)) for band in bands]
    labels = [
        Label(name, _HEIGHT - (part.low + part.high) * scale / 2)
        for name, part in parts
        if part is not None and (part.high - part.low) * scale >= _LABEL
    ]
    text = f"peak: {exact(peak.live_bytes)}{at_line(peak.note.place)}"
    return Peak(percent, text, labels)


def _brackets(function: MemoryFunction, axis: Axis) -> Iterator[Bracket]:
    """The extents of the outer loops."""
    for loop in function.loops:
        if loop.depth < _ROWS:
            left, right = axis.percent(loop.span.first), axis.percent(loop.span.end)
            text = f"{loop.note.text}{at_line(loop.note.place)}"
            yield Bracket(left, right, loop.depth, text if right - left > _WIDE else "")


def _plot(
    title: str, bands: Sequence[Band], top: int, live_maximum: int | None = None
) -> Plot:
    ticks = range(0, top + 1, step_of(top, 1))
    return Plot(title, _HEIGHT, _HEIGHT / max(top, 1), bands, ticks, live_maximum)


def path_of(parts: Sequence[Part], scale: float, height: int) -> str:
    """The outline of the parts: along their tops, and back along their bottoms."""
    if not parts:
        return ""
    path = [f"M{_short(parts[0].left)} {_short(height - parts[0].low * scale)}"]
    at = parts[0].low
    for part in parts:
        if part.high != at:
            path.append(f"V{_short(height - part.high * scale)}")
        path.append(f"H{_short(part.right)}")
        at = part.high
    for part in reversed(parts):
        if part.low != at:
            path.append(f"V{_short(height - part.low * scale)}")
        path.append(f"H{_short(part.left)}")
        at = part.low
    return "".join(path) + "Z"


def _short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


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
