"""
The picture of the README: the memory of a network over time, without and with `bufferize`.

    python -m benchmarks.picture

writes it, as SVG. The network is one of `tests.networks`: a block of layers that read what all
layers before them made.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.universe import Universe

from tests.environments import PROJECT
from tests.networks.dense import dense
from xdsl_bufferization.report.html import (
    Areas,
    Axis,
    axis_of,
    path_of,
    step_of,
)
from xdsl_bufferization.report.model import Ending, MemoryFunction
from xdsl_bufferization.report.report import report_on
from xdsl_bufferization.semantics.checking.check import parse_pipeline

PICTURE = PROJECT / "docs" / "images" / "memory.svg"

_BEFORE = (
    "one-shot-bufferize",
    "one-shot-bufferize{bufferize-function-boundaries=true},buffer-deallocation-pipeline",
)
_AFTER = ("bufferize", "bufferize")

_WIDTH, _HEIGHT = 390, 220
"""Of a panel, in pixels."""
_LEFT, _BETWEEN, _TOP = 62, 40, 62
_COPIES = 74
"""The height of the bars of copies, below."""
_STYLE = """\
text { font: 13px system-ui, sans-serif; fill: #59636e; }
.title { font-weight: 600; font-size: 15px; fill: #1f2328; }
.grid { stroke: #8a93a0; stroke-opacity: .35; }
.memory { stroke: #ffffff; stroke-width: .7; }
.copy { fill: #d9483b; }
@media (prefers-color-scheme: dark) {
text { fill: #9aa4b2; } .title { fill: #e4e7ec; } .memory { stroke: #0d1117; }
}"""

_COLORS: Mapping[Ending, str] = {"freed": "#3b7ddd", "returned": "#2e9e5b"}
"""By the ending of a buffer."""
_UNITS = ("B", "kB", "MB", "GB", "TB")


@dataclass(frozen=True)
class _Panel:
    """What one pipeline makes of the network."""

    title: str
    function: MemoryFunction

    @property
    def peak(self) -> int:
        """The most bytes that are alive at once."""
        peak = self.function.heap.peak
        return peak.live_bytes if peak else 0

    @property
    def copies(self) -> Sequence[tuple[int, int]]:
        """The line and the bytes of each copy."""
        return [
            (copy.place.line, copy.size or 0)
            for copy in self.function.copies
            if copy.place is not None
        ]

    @property
    def summary(self) -> str:
        """The numbers in words."""
        copied = sum(size for _, size in self.copies)
        return f"{rounded(self.peak)} at once, {rounded(copied)} copied"


def picture() -> str:
    """The picture, as SVG."""
    module = dense(image=32, layers=(4,), growth=16)
    panels = [_panel(module, *pipeline) for pipeline in (_BEFORE, _AFTER)]
    return "\n".join(_drawn(panels)) + "\n"


def _panel(module: ModuleOp, title: str, pipeline: str) -> _Panel:
    module = module.clone()
    context = Context()
    for name, dialect in Universe.get_multiverse().all_dialects.items():
        context.register_dialect(name, dialect)
    parse_pipeline(pipeline).apply(context, module)
    (function,) = report_on(context, module).functions
    assert isinstance(function, MemoryFunction)
    return _Panel(title, function)


def _drawn(panels: Sequence[_Panel]) -> Iterator[str]:
    top = max(panel.peak for panel in panels)
    most = max(size for panel in panels for _, size in panel.copies)
    width = _LEFT + len(panels) * _WIDTH + (len(panels) - 1) * _BETWEEN + 8
    height = _TOP + _HEIGHT + _COPIES + 44
    words = "; ".join(f"{panel.title}: {panel.summary}" for panel in panels)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img">'
    )
    yield f"<title>The memory of a network over time. {words}.</title>"
    yield f"<style>\n{_STYLE}\n</style>"
    for value in range(0, top + 1, step_of(top)):
        y = _TOP + _HEIGHT - _HEIGHT * value / top
        yield _text(_LEFT - 8, y + 4, rounded(value), anchor="end")
        for number in range(len(panels)):
            x = _LEFT + number * (_WIDTH + _BETWEEN)
            yield f'<path class="grid" d="M{x} {y:.1f}h{_WIDTH}"/>'
    yield _text(_LEFT - 8, 42, "alive", anchor="end")
    yield _text(_LEFT - 8, _TOP + _HEIGHT + 26, "copied", anchor="end")
    for number, panel in enumerate(panels):
        x = _LEFT + number * (_WIDTH + _BETWEEN)
        yield _text(x, 22, panel.title, kind="title")
        yield _text(x, 42, panel.summary)
        yield f'<g transform="translate({x} {_TOP})">'
        yield from _memory(panel, top)
        yield from _copies(panel, axis_of(panel.function), most)
        yield "</g>"
        yield _text(
            x + _WIDTH / 2, height - 10, "the ops of the network, in order", "middle"
        )
    yield "</svg>"


def rounded(size: int, digits: int = 3) -> str:
    """
    The number with a unit, as `1.23 MB`: with `digits` digits, at least those before the
    point, and without trailing zeros.
    """
    unit = 0
    while size >= 1000 ** (unit + 1) and unit + 1 < len(_UNITS):
        unit += 1
    value = size / 1000**unit
    after_point = max(digits - len(f"{value:.0f}"), 0) if unit else 0
    text = f"{value:.{after_point}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return f"{text} {_UNITS[unit]}"


def _memory(panel: _Panel, top: int) -> Iterator[str]:
    """The areas of the buffers, on one another."""
    buffers = panel.function.buffers
    areas = Areas(panel.function)
    areas.colors = {buffer.name: _COLORS[buffer.ending] for buffer in buffers}
    for band in areas.stacked(buffers, panel.function.heap.steps):
        parts = [
            p._replace(left=p.left * _WIDTH / 100, right=p.right * _WIDTH / 100)
            for p in band.parts
        ]
        path = path_of(parts, _HEIGHT / top, _HEIGHT)
        yield f'<path class="memory" fill="{band.color}" d="{path}"/>'


def _copies(panel: _Panel, axis: Axis, most: int) -> Iterator[str]:
    """A bar for each copy, as long as the number of its bytes."""
    yield f'<path class="grid" d="M0 {_HEIGHT + 12}h{_WIDTH}"/>'
    for line, size in panel.copies:
        x = _WIDTH * (line - axis.first) / (axis.end - axis.first)
        yield (
            f'<rect class="copy" x="{x:.1f}" y="{_HEIGHT + 12}" width="4" '
            f'height="{max(_COPIES * size / most, 1):.1f}"/>'
        )


def _text(x: float, y: float, text: str, anchor: str = "start", kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:g}" y="{y:.1f}" text-anchor="{anchor}">{text}</text>'


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit("usage: python -m benchmarks.picture")
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture())
