"""Where the areas of a chart are."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest
from xdsl.context import Context

from tests.peer.runner import parse_module
from xdsl_bufferization.report.html import (
    DRAWN,
    Areas,
    Band,
    Chart,
    axis_of,
)
from xdsl_bufferization.report.memory import memory_functions
from xdsl_bufferization.report.model import MemoryFunction, Span
from xdsl_bufferization.report.source import find_source


def reported(body: str) -> MemoryFunction:
    module = parse_module(f"func.func @f(%n: index) {{\n{body}\nfunc.return\n}}")
    source = find_source(module, Context())
    (function,) = memory_functions(module, source).values()
    return function


def chart_of(body: str) -> Chart:
    function = reported(body)
    return Chart("Heap", function, range(len(function.buffers)), function.heap)


def bands_of(function: MemoryFunction) -> list[Band]:
    known = [b for b in function.buffers if b.size is not None]
    return Areas(function).stacked(known, function.heap.steps)


def height_at(bands: list[Band], percent: float) -> int:
    """How high the areas are there, which lie on one another without gaps."""
    parts = [p for band in bands for p in band.parts if p.left <= percent < p.right]
    parts.sort(key=lambda part: part.low)
    top = 0
    for part in parts:
        assert part.low == top
        top = part.high
    return top


def many(number: int) -> str:
    """A program that allocates and frees buffers of all sizes."""
    choose = random.Random(number)
    lines: list[str] = []
    alive: list[tuple[int, int]] = []
    for i in range(number):
        size = choose.randint(1, 1000)
        lines.append(f"%a{i} = memref.alloc() : memref<{size}xi8>")
        alive.append((i, size))
        while len(alive) > 8:
            name, size = alive.pop(choose.randrange(len(alive)))
            lines.append(f"memref.dealloc %a{name} : memref<{size}xi8>")
    return "\n".join(lines)


def test_the_height_is_the_memory_that_is_alive():
    function = reported(many(60))
    axis, bands = axis_of(function), bands_of(function)
    for step, following in pairwise(function.heap.steps):
        # What is at the start of a block is where its first op is.
        if axis.percent(step.position) < axis.percent(following.position):
            assert height_at(bands, axis.percent(step.position)) == step.live_bytes


@pytest.mark.slow
def test_very_many_buffers_keep_the_peak():
    function = reported(many(3000))
    bands = bands_of(function)
    peak = function.heap.peak
    assert peak is not None
    assert len({band.name for band in bands}) == DRAWN + 1
    tops = [part.high for band in bands for part in band.parts]
    assert max(tops) == peak.live_bytes
    assert sum(len(band.parts) for band in bands) < 10_000


def test_a_buffer_is_in_use_where_ops_use_it():
    chart = chart_of("""
      %a = memref.alloc() : memref<1000xi8>
      %v = memref.load %a[%n] : memref<1000xi8>
      memref.dealloc %a : memref<1000xi8>
    """)
    (plot,) = chart.plots
    (band,) = plot.bands
    # It is made in line 3, used in line 4 and freed in line 5; line 6 returns.
    assert (chart.axis.first, chart.axis.end) == (3, 7)
    assert plot.path(band.parts) == "M0 0L75 0L75 300L0 300Z"
    assert plot.path(band.used) == "M25 0L50 0L50 300L25 300Z"
    assert [text for _, text in chart.axis.ticks()] == ["3", "4", "5", "6", "7"]


def test_ops_of_a_line_are_beside_one_another():
    function = reported(
        "%a = memref.alloc() : memref<8xi8> memref.dealloc %a : memref<8xi8>"
    )
    (band,) = bands_of(function)
    (part,) = band.parts
    assert 0 <= part.left < part.right < 100


def test_ops_without_lines_are_counted():
    function = reported("%a = memref.alloc() : memref<8xi8>")
    lines = [None for _ in function.lines]
    axis = axis_of(replace(function, lines=lines))
    assert axis.title == "position in the program, in ops"
    assert (axis.percent(0), axis.percent(function.positions)) == (0, 100)


def test_unknown_sizes_have_lines_below():
    chart = chart_of("""
      %a = memref.alloc() : memref<10xi8>
      %u = memref.alloc(%n) : memref<?xi8>
      %v = memref.alloc(%n) : memref<?xi8>
    """)
    known, unknown = chart.plots
    assert [band.name for band in known.bands] == ["%a"]
    assert [band.name for band in unknown.bands] == ["%u", "%v"]
    assert unknown.height == 44


def test_a_buffer_is_not_drawn_in_branches_without_it():
    function = reported("""
      %c = arith.cmpi eq, %n, %n : index
      %r = scf.if %c -> (memref<4xi8>) {
        %a = memref.alloc() : memref<4xi8>
        scf.yield %a : memref<4xi8>
      } else {
        %b = memref.alloc() : memref<4xi8>
        scf.yield %b : memref<4xi8>
      }
      memref.dealloc %r : memref<4xi8>
    """)
    bands = bands_of(function)
    assert [band.name for band in bands] == ["%a", "%b"]
    assert max(part.high for band in bands for part in band.parts) == 4


def test_the_buffers_at_the_peak_are_labelled_there_and_have_colors_of_their_own():
    chart = chart_of("""
      %a = memref.alloc() : memref<500xi8>
      %b = memref.alloc() : memref<400xi8>
      %c = memref.alloc() : memref<1xi8>
      memref.dealloc %a : memref<500xi8>
      memref.dealloc %b : memref<400xi8>
    """)
    assert chart.peak is not None
    assert [name for name, _ in chart.peak.labels] == ["%a", "%b"]
    assert [it.buffer.name for it in chart.at_peak] == ["%a", "%b", "%c"]
    assert len({*chart.colors.values()}) == 3


def test_loops_have_extents():
    chart = chart_of("""
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %m = memref.alloc() : memref<4xf32>
      scf.for %i = %c0 to %n step %c1 {
        scf.for %j = %c0 to %n step %c1 {
          linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>],
            iterator_types = ["parallel"]} outs(%m : memref<4xf32>) {
          ^bb0(%x: f32):
            linalg.yield %x : f32
          }
        }
      }
    """)
    # The body of an op that computes single elements is no loop of the program.
    outer, inner = chart.loops
    assert (outer.depth, inner.depth) == (0, 1)
    assert outer.span.first < inner.span.first < inner.span.end <= outer.span.end
    assert outer.note.place is not None
    assert (outer.note.text, outer.note.place.line) == ("scf.for", 6)


def test_an_arena_has_a_line_at_its_live_maximum():
    function = reported("""
      %0 = arith.constant 0 : index
      %128 = arith.constant 128 : index
      %x = arith.constant 1.0 : f32
      %arena = memref.alloc() : memref<192xi8>
      %low = memref.view %arena[%0][] : memref<192xi8> to memref<16xf32>
      %high = memref.view %arena[%128][] : memref<192xi8> to memref<16xf32>
      memref.store %x, %low[%0] : memref<16xf32>
      memref.store %x, %high[%0] : memref<16xf32>
      memref.store %x, %low[%0] : memref<16xf32>
      memref.dealloc %arena : memref<192xi8>
    """)
    (arena,) = function.arenas
    chart = Chart("Arena", function, arena.parts, arena.usage, arena.size)
    (plot,) = chart.plots
    # 128 of 192 bytes are live at a time, so the upper third of the plot is a gap.
    assert plot.live_maximum == 128
    assert plot.y(128) == plot.height / 3
    (heap,) = Chart("Heap", function, [0], function.heap).plots
    assert heap.live_maximum is None


def test_a_buffer_of_unknown_size_may_never_be_there():
    function = reported("%u = memref.alloc(%n) : memref<?xi8>")
    (buffer,) = function.buffers
    never = replace(buffer, bytes=None, taken=Span(1, 1))
    (plot,) = Chart(
        "Heap", replace(function, buffers=[never]), [0], function.heap
    ).plots
    assert [band.parts for band in plot.bands] == [[]]
