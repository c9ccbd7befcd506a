"""
The areas of a chart, one for each buffer, from its allocation to its free.

Areas of the heap and the stack lie on one another, the oldest at the bottom, so that all of
them together are as high as the memory that is alive. Areas of an arena are at their offsets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, pairwise
from typing import TypeAlias

from xdsl_bufferization.report.html.axis import Axis, hover_text
from xdsl_bufferization.report.model import Buffer, Span, Step

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
