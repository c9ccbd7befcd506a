"""The rectangles of a chart, one for each buffer: positions, heights and colors."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from xdsl_bufferization.planning import Buffer as PlannedBuffer
from xdsl_bufferization.planning import lower_bound, plan
from xdsl_bufferization.report.html.hover import hover_text
from xdsl_bufferization.report.model import Buffer, Ending, Span

COLORS: Mapping[Ending, str] = {
    "freed": "#3b7ddd",
    "freed or handed on": "#0e9aa7",
    "returned": "#2e9e5b",
    "stored": "#8d63d2",
    "never freed": "#d9483b",
    "freed with the stack": "#c98a1b",
    "part of an arena": "#3b7ddd",
}
"""The color of a rectangle, by the ending of its buffer."""

_NAMED = 300
"""The most buffers for which names are written into the rectangles."""
_SHADES = ("#3b7ddd", "#2d63b5", "#5f9aec", "#4670a8")
"""Colors of neighbours in an arena, whose endings are the same."""
_PALE = 0.35
"""The opacity of a rectangle while its buffer is not in use."""


def bars_of(
    buffers: Sequence[Buffer],
    offsets: Sequence[float],
    heights: Sequence[float],
    axis: str,
) -> list[dict[str, Any]]:
    """Rectangles for when buffers are allocated and, over them, for when they are used."""
    hover = [hover_text(b) for b in buffers]
    middles = [o + height / 2 for o, height in zip(offsets, heights, strict=True)]
    used = [_clipped(b) for b in buffers]

    def bars(name: str, spans: Sequence[Span], opacity: float) -> dict[str, Any]:
        return {
            "type": "bar",
            "name": name,
            "orientation": "h",
            "yaxis": axis,
            "base": [span.first for span in spans],
            "x": [span.end - span.first for span in spans],
            "y": middles,
            "width": [*heights],
            "marker": {
                "color": [
                    _SHADES[i % len(_SHADES)] if b.kind == "arena" else COLORS[b.ending]
                    for i, b in enumerate(buffers)
                ],
                "line": {"width": 0.5, "color": "rgba(255,255,255,0.7)"},
            },
            "opacity": opacity,
            "hoverinfo": "text",
            "hovertext": hover,
        }

    there = bars("allocated", [b.taken for b in buffers], _PALE)
    in_use = bars("in use", used, 1)
    if len(buffers) <= _NAMED:
        in_use["text"] = [escape(b.name, quote=False) for b in buffers]
        in_use["textposition"] = "inside"
        in_use["insidetextanchor"] = "middle"
        in_use["textangle"] = 0
    return [there, in_use]


def _clipped(buffer: Buffer) -> Span:
    """The range in which the buffer is used, inside the one in which it is allocated."""
    if buffer.used is None:
        return Span(buffer.taken.first, buffer.taken.first)
    first = max(buffer.used.first, buffer.taken.first)
    return Span(first, max(first, min(buffer.used.end, buffer.taken.end)))


def height_of(buffer: Buffer) -> int:
    return (buffer.size or 0) * (1 + buffer.more_at_once)


def stacked(buffers: Sequence[Buffer]) -> Sequence[int]:
    """Offsets, in bytes from the bottom, at which the buffers do not overlap."""
    planned = [PlannedBuffer(b.taken.first, b.taken.end, height_of(b)) for b in buffers]
    # It only has to look tidy.
    return plan(planned, target=2 * lower_bound(planned)).offsets


def lanes_of(buffers: Sequence[Buffer]) -> Sequence[int]:
    """A lane for each buffer, so that buffers in one lane do not overlap."""
    lanes = [0] * len(buffers)
    free: list[int] = []
    ends: list[tuple[int, int]] = []
    for index in sorted(range(len(buffers)), key=lambda i: buffers[i].taken.first):
        taken = buffers[index].taken
        while ends and ends[0][0] <= taken.first:
            heapq.heappush(free, heapq.heappop(ends)[1])
        lane = heapq.heappop(free) if free else len(ends)
        lanes[index] = lane
        heapq.heappush(ends, (taken.end, lane))
    return lanes
