"""
Charts of memory over time, which the template draws as SVG.

From left to right are the lines of the program. Each buffer of known size is an area as high as
its size, from its allocation to its free, pale while no op uses it. Below, each buffer of
unknown size has a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from xdsl_bufferization.report.html.axis import Axis, axis_of, step_of
from xdsl_bufferization.report.html.bands import (
    COLORS,
    DRAWN,
    Band,
    Part,
    lanes_of,
    placed,
    stacked,
    unsized,
)
from xdsl_bufferization.report.html.hover import at_line
from xdsl_bufferization.report.html.numbers import exact, rounded
from xdsl_bufferization.report.model import (
    Buffer,
    Ending,
    MemoryFunction,
    Usage,
)

_HEIGHT = 300
"""The height of a plot, in pixels."""
_LANE = 22
"""The height of a line of a buffer of unknown size."""
_FEW = 8
"""The most names in a sentence."""


@dataclass(frozen=True, slots=True)
class Area:
    """The area of a buffer, and its name if there is room for it."""

    band: Band
    path: str
    used: str
    """In SVG: from 0 to 100 from the left, and in pixels from the top."""
    label: Part | None
    top: float
    """Where the label is, in pixels."""
    height: float


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture above the axis of lines."""

    title: str
    height: int
    areas: Sequence[Area]
    ticks: Sequence[tuple[float, str]]
    """Those of bytes: pixels from the top, and what they say."""


@dataclass(frozen=True, slots=True)
class Peak:
    """The mark at the peak."""

    percent: float
    text: str

    @property
    def anchor(self) -> str:
        """Where the text begins, so that it is inside of the picture."""
        return "end" if self.percent > 50 else "start"


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart, and what the page says around it."""

    title: str
    description: str
    """What it shows, for screen readers."""
    usage: Usage
    alive: Sequence[Buffer]
    """The buffers that are live at the peak, the largest first."""
    idle: Sequence[Buffer]
    """Those of them that are not used at the peak."""
    caveats: Sequence[str]
    """Why the peak may be higher, in sentences."""
    endings: Sequence[Ending]
    """The legend of its colors, in the order of `COLORS`."""
    shown: int
    all: int
    """The number of buffers with areas of their own, and of all buffers."""
    arena: int | None
    """The size of the arena, if it is the chart of one of known size."""
    is_arena: bool
    axis: Axis
    plots: Sequence[Plot]
    peak: Peak | None


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
    known = [b for b in buffers if b.size is not None]
    unknown = [b for b in buffers if b.size is None][:DRAWN]
    plots: list[Plot] = []
    if known and is_arena:
        tops = [(b.offset or 0) + (b.size or 0) for b in known]
        drawn = sorted(known, key=lambda b: -(b.size or 0))[:DRAWN]
        plots.append(_plot("offset", placed(drawn, axis), arena_size or max(tops)))
    elif known:
        top = usage.peak.live_bytes if usage.peak else 0
        plots.append(_plot("bytes alive", stacked(known, usage.steps, axis), top))
    if unknown:
        lanes = max(lanes_of(unknown)) + 1
        areas = [_area(b, _LANE, lanes * _LANE) for b in unsized(unknown, axis)]
        plots.append(Plot("unknown", lanes * _LANE, areas, ()))
    peak = usage.peak
    return Chart(
        title=title,
        description=f"{title}: memory over time, for {len(numbers)} buffers"
        + (f"; the peak is {exact(peak.live_bytes)}" if peak else ""),
        usage=usage,
        alive=[function.buffers[number] for number in usage.alive],
        idle=[function.buffers[number] for number in usage.idle],
        caveats=[*_caveats(buffers)],
        endings=[e for e in COLORS if any(b.ending == e for b in buffers)],
        shown=min(len(known), DRAWN) + len(unknown),
        all=len(buffers),
        arena=arena_size,
        is_arena=is_arena,
        axis=axis,
        plots=plots,
        peak=peak
        and Peak(
            axis.percent(peak.position),
            f"peak: {rounded(peak.live_bytes)}{at_line(peak.note.place)}",
        ),
    )


def _plot(title: str, bands: Iterable[Band], top: int) -> Plot:
    scale = _HEIGHT / max(top, 1)
    step = step_of(top, 1)
    return Plot(
        title,
        _HEIGHT,
        [_area(band, scale, _HEIGHT) for band in bands],
        [(_HEIGHT - v * scale, rounded(v)) for v in range(0, top + 1, step)],
    )


def _area(band: Band, scale: float, height: int) -> Area:
    """The area, with so many pixels for a byte, in a plot of that height."""
    label = band.label(scale)
    return Area(
        band,
        path_of(band.parts, scale, height),
        path_of(band.used, scale, height),
        label,
        height - label.high * scale if label else 0,
        (label.high - label.low) * scale if label else 0,
    )


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
