"""
Charts of memory over time, which the template draws as SVG.

From left to right are the lines of the program. Each buffer of known size is an area as high as
its size, from its allocation to its free, pale while no op uses it. Those that are alive at the
peak are labelled there. Below, each buffer of unknown size has a line, and each loop a bracket.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from xdsl_bufferization.report.html.axis import Axis, at_line, axis_of, exact, step_of
from xdsl_bufferization.report.html.bands import (
    DRAWN,
    Band,
    Colors,
    Part,
    colors_of,
    lanes_of,
    placed,
    stacked,
    unsized,
)
from xdsl_bufferization.report.model import Buffer, MemoryFunction, Step, Usage
from xdsl_bufferization.report.peaks import SHOWN, AtPeak, buffers_at_peak
from xdsl_bufferization.report.source import Note

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
