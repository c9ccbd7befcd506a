"""
Charts of memory over time, drawn by plotly in the browser.

At the top is the curve of live bytes. Below, each buffer of known size is a rectangle, whose
height is its size, from its allocation to its free, pale while no op uses it. At the bottom,
each buffer of unknown size has a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, TypeAlias

import plotly.io  # pyright: ignore[reportMissingTypeStubs] # there are none
from markupsafe import Markup
from plotly.offline import (  # pyright: ignore[reportMissingTypeStubs] # there are none
    get_plotlyjs,
)

from xdsl_bufferization.report.html.bars import (
    COLORS,
    bars_of,
    height_of,
    lanes_of,
    stacked,
)
from xdsl_bufferization.report.html.hover import about, at_line
from xdsl_bufferization.report.html.numbers import exact, rounded
from xdsl_bufferization.report.model import (
    Buffer,
    Ending,
    MemoryFunction,
    Usage,
)

LARGEST = 2000
"""The number of buffers, the largest ones, that are drawn; more make browsers slow."""
_FEW = 8
"""The most names in a sentence."""
_TICKS = 6
"""The most ticks, besides that of 0, on an axis of bytes."""
_BUTTONS = "zoom2d pan2d zoomIn2d zoomOut2d resetScale2d toImage".split()
"""Buttons that need no network."""

_Json: TypeAlias = "dict[str, Any]"


@dataclass(slots=True)
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
    """The number of buffers that it shows, and of all buffers."""
    arena: int | None
    """The size of the arena, if it is the chart of one of known size."""
    is_arena: bool
    figure: _Json
    height: int
    """In pixels."""
    id: str = ""

    @property
    def html(self) -> Markup:
        """An HTML element, and a script that draws the chart in it."""
        text = plotly.io.to_html(  # pyright: ignore[reportUnknownMemberType] # no types
            self.figure,
            config={
                "displaylogo": False,
                "responsive": True,
                "modeBarButtons": [_BUTTONS],
            },
            include_plotlyjs=False,
            full_html=False,
            div_id=self.id,
            default_height=f"{self.height}px",
        )
        # plotly escapes text that could end a script.
        return Markup(text)


def plotly_script() -> str:
    """The JavaScript that draws charts."""
    return get_plotlyjs()


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
    largest = sorted(buffers, key=lambda b: -(b.size or 0))[:LARGEST]
    known = [b for b in largest if b.size is not None]
    unknown = [b for b in largest if b.size is None]
    lanes = lanes_of(unknown)
    rows = [
        150,
        320 if known else 0,
        22 * (max(lanes, default=0) + 1) if unknown else 0,
    ]
    gap, below = 34, 50
    height = sum(rows) + gap * sum(map(bool, rows)) + below
    curve, areas, lines = _domains(rows, gap)
    data: list[_Json] = [_curve(function, usage)]
    layout: _Json = {
        "template": "none",
        "barmode": "overlay",
        "bargap": 0,
        "hovermode": "closest",
        "showlegend": False,
        "height": height,
        "margin": {"l": 72, "r": 16, "t": gap, "b": below},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": "system-ui, sans-serif", "size": 12},
        "uniformtext": {"minsize": 9, "mode": "hide"},
        "modebar": {
            "bgcolor": "rgba(0,0,0,0)",
            "color": "rgba(128,128,128,0.8)",
            "activecolor": "#3b7ddd",
        },
        "hoverlabel": {"align": "left", "font": {"family": "ui-monospace, monospace"}},
        "xaxis": {
            "title": {"text": "position in the program, in ops"},
            "range": [0, function.positions],
            "anchor": "y3" if unknown else "y2" if known else "y",
            "zeroline": False,
        },
        "yaxis": _bytes_axis("live", curve, usage.peak.live_bytes if usage.peak else 0),
        "shapes": [],
        "annotations": [],
    }
    if known:
        offsets = [b.offset or 0 for b in known] if is_arena else stacked(known)
        data += bars_of(
            known, [*map(float, offsets)], [height_of(b) for b in known], "y2"
        )
        tops = [o + height_of(b) for o, b in zip(offsets, known, strict=True)]
        top = arena_size if arena_size is not None else max(tops)
        layout["yaxis2"] = _bytes_axis("offset" if is_arena else "buffers", areas, top)
    if unknown:
        data += bars_of(
            unknown, [lane - 0.4 for lane in lanes], [0.8] * len(lanes), "y3"
        )
        layout["yaxis3"] = {
            "domain": lines,
            "title": {"text": "size unknown" if len({*lanes}) > 3 else "?"},
            "showticklabels": False,
            "showgrid": False,
            "zeroline": False,
        }
    if usage.peak is not None:
        position = usage.peak.position
        layout["shapes"].append(
            {
                "type": "line",
                "x0": position,
                "x1": position,
                "yref": "paper",
                "y0": 0,
                "y1": 1,
                "line": {"dash": "dot", "width": 1.5, "color": "#d9483b"},
            }
        )
        is_late = position > function.positions / 2
        layout["annotations"].append(
            {
                "x": position,
                "y": 1,
                "yref": "paper",
                "yanchor": "bottom",
                "xanchor": "right" if is_late else "left",
                "showarrow": False,
                "text": f"peak: {rounded(usage.peak.live_bytes)}"
                + escape(at_line(usage.peak.note.place)),
            }
        )
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
        shown=len(largest),
        all=len(buffers),
        arena=arena_size,
        is_arena=is_arena,
        figure={"data": data, "layout": layout},
        height=height,
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


def _domains(rows: Sequence[int], gap: int) -> list[list[float]]:
    """The fractions of the height of each row, from the top, with gaps between rows."""
    used = sum(rows) + gap * (sum(map(bool, rows)) - 1)
    domains: list[list[float]] = []
    top = float(used)
    for row in rows:
        domains.append([max(top - row, 0) / used, top / used])
        top -= row + gap if row else 0
    return domains


def _bytes_axis(title: str, domain: list[float], top: int) -> _Json:
    # With bars, plotly may choose ticks that are multiples of a buffer's size.
    step = next(
        n * 10**exponent
        for exponent in range(100)
        for n in (1, 2, 5)
        if n * 10**exponent * _TICKS >= top
    )
    return {
        "domain": domain,
        "title": {"text": title},
        "range": [0, max(top, 1) * 1.02],
        "tickvals": [*range(0, top + 1, step)],
        "ticktext": [rounded(value) for value in range(0, top + 1, step)],
        "zeroline": False,
    }


def _curve(function: MemoryFunction, usage: Usage) -> _Json:
    """The live bytes, by position."""
    x = [step.position for step in usage.steps]
    y = [step.live_bytes for step in usage.steps]
    hover = [
        f"<b>{exact(step.live_bytes)}</b> alive"
        + (f" and {step.unknown} of unknown size" if step.unknown else "")
        + about("from", step.note)
        for step in usage.steps
    ]
    if x and x[-1] < function.positions:
        x.append(function.positions)
        y.append(y[-1])
        hover.append(hover[-1])
    return {
        "type": "scatter",
        "name": "live bytes",
        "mode": "lines",
        "x": x,
        "y": y,
        "line": {"shape": "hv", "width": 1.5, "color": "#3b7ddd"},
        "fill": "tozeroy",
        "fillcolor": "rgba(59,125,221,0.18)",
        "hoverinfo": "text",
        "hovertext": hover,
    }
