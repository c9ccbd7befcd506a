"""The report as text: the peak first, one name for each buffer, and no line too wide."""

from __future__ import annotations

import os
import re

import pytest
from xdsl.context import Context

from tests.environments import PROJECT
from tests.networks import NETWORKS
from tests.peer.runner import parse_module
from tests.pytest.report.reports import report_of_network
from tests.slow import in_turn, one_in
from tests.terminal import run_on_terminal
from tests.xdsl_opt import forked_commands
from xdsl_bufferization.report.model import MemoryFunction, TensorFunction
from xdsl_bufferization.report.peaks import AtPeak
from xdsl_bufferization.report.report import report_on
from xdsl_bufferization.report.text import to_text
from xdsl_bufferization.semantics.checking.check import parse_pipeline
from xdsl_bufferization.support.reading import context_of_all_dialects
from xdsl_bufferization.support.reading import parse_module as parse
from xdsl_bufferization.transforms.bufferize import BufferizePass

NOT_FUSED = BufferizePass(fuse=False)

TWO_AT_ONCE = """func.func @f(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = tensor.empty() : tensor<1024xf32>
  %1 = linalg.exp ins(%x : tensor<1024xf32>) outs(%0 : tensor<1024xf32>) -> tensor<1024xf32>
  %2 = tensor.empty() : tensor<1024xf32>
  %3 = linalg.sqrt ins(%x : tensor<1024xf32>) outs(%2 : tensor<1024xf32>) -> tensor<1024xf32>
  %4 = linalg.add ins(%1, %3 : tensor<1024xf32>, tensor<1024xf32>)
                  outs(%0 : tensor<1024xf32>) -> tensor<1024xf32>
  func.return %4 : tensor<1024xf32>
}
"""

CALLS = """
func.func private @net(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  %e = tensor.empty() : tensor<4096xf32>
  %a = linalg.exp ins(%x : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %d = tensor.empty() : tensor<4096xf32>
  %b = linalg.sqrt ins(%x : tensor<4096xf32>) outs(%d : tensor<4096xf32>) -> tensor<4096xf32>
  %c = linalg.add ins(%a, %b : tensor<4096xf32>, tensor<4096xf32>)
                  outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  func.return %c : tensor<4096xf32>
}
func.func @two_nets(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  %0 = func.call @net(%x) : (tensor<4096xf32>) -> tensor<4096xf32>
  %1 = func.call @net(%0) : (tensor<4096xf32>) -> tensor<4096xf32>
  func.return %1 : tensor<4096xf32>
}
"""


def text_of(
    program: str,
    passes: str = "",
    width: int = 100,
    options: BufferizePass | None = None,
) -> str:
    context = context_of_all_dialects()
    module = parse(context, program, "program.mlir")
    if passes:
        parse_pipeline(passes).apply(context, module)
    return to_text(report_on(context, module, options), width=width)


def test_the_peak_comes_first_with_what_needs_its_buffers():
    title, *lines = text_of(TWO_AT_ONCE, options=NOT_FUSED).splitlines()
    assert title.startswith("@f")
    assert lines[0] == "  peak: 8,192 bytes at linalg.sqrt (line 5)"
    assert [line.split() for line in lines[2:4]] == [
        "%1 4,096 linalg.exp (line 3) linalg.add (line 6), returned".split(),
        "%3 4,096 linalg.sqrt (line 5) linalg.add (line 6)".split(),
    ]


def test_a_least_peak_is_told_beside_the_peak():
    report = report_on(Context(), parse_module(TWO_AT_ONCE), NOT_FUSED)
    (function,) = report.functions
    assert isinstance(function, TensorFunction)
    assert function.memory is not None
    object.__setattr__(function.memory, "least_peak", 8192)
    assert "  no order of these ops needs less than 8,192 bytes\n" in to_text(report)


# Fused, @net has no buffer but its result.
@pytest.mark.parametrize("passes", ["", "bufferize{fuse=false}"])
def test_peaks_include_what_callees_need(passes: str):
    text = text_of(CALLS, passes, options=NOT_FUSED)
    two_nets = text[text.index("@two_nets") :]
    # The first result, and both buffers of the second call, of which one is its result.
    assert "  peak: 49,152 bytes at func.call" in two_nets
    assert re.search(r"    @net +16,384 .* during the call", two_nets)
    assert "without the memory of functions" not in two_nets


def test_no_more_is_there_at_once_than_there_is():
    text = """
func.func @f(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<1024xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a) -> (memref<1024xf32>) {
    %b = memref.alloc() : memref<1024xf32>
    memref.store %x, %b[%i] : memref<1024xf32>
    memref.dealloc %m : memref<1024xf32>
    scf.yield %b : memref<1024xf32>
  }
  memref.dealloc %r : memref<1024xf32>
  func.return
}
"""
    (function,) = report_on(Context(), parse_module(text)).functions
    assert isinstance(function, MemoryFunction)
    assert function.heap.peak is not None
    printed = to_text(report_on(Context(), parse_module(text)))
    total = re.search(r"  heap: \d+, ([\d,]+) bytes", printed)
    assert total is not None
    assert function.heap.peak.live_bytes <= int(total[1].replace(",", ""))


def test_a_view_with_several_buffers_is_one_row():
    passes = (
        "eliminate-copies,one-shot-bufferize{bufferize-function-boundaries},"
        "plan-static-memory{arena-as-argument},buffer-deallocation-pipeline,cse"
    )
    context = context_of_all_dialects()
    module = NETWORKS["decode"]()
    parse_pipeline(passes).apply(context, module)
    text = to_text(report_on(context, module))
    rows = re.findall(r"^  (%\S+) .* arena at ([\d,]+) ", text, re.MULTILINE)
    assert rows
    assert len({*rows}) == len(rows)
    assert "arena of the caller %arena of " in text


@pytest.mark.parametrize("name", one_in(12, sorted(NETWORKS)))
def test_buffers_have_one_name_each_that_is_in_the_program(name: str):
    known = {*re.findall(r"%[\w$.#-]+", str(NETWORKS[name]()))}
    for function in report_of_network(name).functions:
        assert isinstance(function, TensorFunction)
        names = [made.name for made in function.allocations]
        assert len({*names}) == len(names)
        for made in function.allocations:
            in_program = made.name.partition(" (")[0]
            assert in_program in known or in_program == made.output_name
        assert function.memory is not None
        assert {b.name for b in function.memory.buffers if b.kind == "heap"} == {*names}


def test_buffers_are_named_as_tensors_with_the_name_in_the_output_beside():
    text = text_of(TWO_AT_ONCE, options=NOT_FUSED)
    # The buffer of a tensor.empty is called as what is computed in it.
    assert re.search(r"^  %1 +memref<1024xf32> .* %0$", text, re.MULTILINE)
    assert re.search(r"^  %3 +memref<1024xf32> .* %1$", text, re.MULTILINE)


WRITERS = """
func.func @f(%n: index, %x: f32, %m: tensor<4x4xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %e, %q = %e)
      -> (tensor<8xf32>, tensor<8xf32>) {
    %z = tensor.insert %x into %s[%i] : tensor<8xf32>
    %y = tensor.insert %x into %q[%n] : tensor<8xf32>
    scf.yield %z, %y : tensor<8xf32>, tensor<8xf32>
  }
  func.return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
func.func @g(%x: tensor<4xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %s = tensor.extract_slice %e[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r = linalg.exp ins(%x : tensor<4xf32>) outs(%s : tensor<4xf32>) -> tensor<4xf32>
  %q = tensor.insert_slice %r into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  func.return %q : tensor<8xf32>
}
"""


def test_buffers_are_those_of_their_first_writers():
    context = context_of_all_dialects()
    tiles = (PROJECT / "examples" / "copies" / "fused_fill.mlir").read_text()
    made = [
        (it.name, it.op)
        for text in (WRITERS, tiles)
        for function in report_on(context, parse(context, text, "p.mlir")).functions
        if isinstance(function, TensorFunction)
        for it in function.allocations
    ]
    assert made == [
        ("%r#0", "scf.for"),
        ("%r#1", "scf.for"),
        ("%r", "linalg.exp"),
        ("%product", "scf.forall"),
    ]


@pytest.mark.parametrize(
    "name, passes", in_turn(["decode", "shuffle"], ["bufferize", ""], 2)
)
def test_no_line_is_wider_than_the_terminal(name: str, passes: str):
    report = report_of_network(name)
    if passes:
        context, module = context_of_all_dialects(), NETWORKS[name]()
        parse_pipeline(passes).apply(context, module)
        report = report_on(context, module)
    # What is quoted of the program may have words that are longer.
    words = [word for line in report.program for word in line.text.split()]
    longest = max((len(word) for word in words), default=0)
    for width in (66, 80):
        for line in to_text(report, width=width).splitlines():
            assert len(line) <= width or longest > width - 20


def test_marks_are_under_what_they_mark():
    text = text_of(TWO_AT_ONCE, width=50, options=NOT_FUSED)
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if found := re.search(r"\^+", line):
            marked = lines[number - 1][found.start() : found.end()]
            assert marked == "linalg.sqrt"


def test_text_is_as_wide_as_the_terminal(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(PROJECT)
    arguments = ["-t", "bufferization-report{color=never}", "examples/in_place.mlir"]
    for columns in (60, 120):
        environment = {**os.environ, "COLUMNS": str(columns)}
        command = [forked_commands() / "xdsl-opt", *arguments]
        lines = run_on_terminal(command, environment).splitlines()
        longest = max(map(len, lines))
        assert columns - 25 < longest <= columns


def test_a_buffer_that_is_over_is_told():
    (function,) = report_on(Context(), parse_module(TWO_AT_ONCE), NOT_FUSED).functions
    assert isinstance(function, TensorFunction)
    assert function.memory is not None
    (freed,) = [b for b in function.memory.buffers if b.ending == "freed"]
    assert AtPeak(freed, is_idle=True).needed.endswith("not in use at the peak")


def test_what_a_loop_needs_is_needed_in_all_of_it():
    text = text_of(
        """
func.func @f(%x: tensor<64xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<1.0> : tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<4xf32>) {
    %b = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    %e = tensor.empty() : tensor<64xf32>
    %s = linalg.sqrt ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %v = tensor.extract %s[%i] : tensor<64xf32>
    scf.yield %b : tensor<4xf32>
  }
  %v = tensor.extract %r[%c0] : tensor<4xf32>
  %t = tensor.splat %v : tensor<4xf32>
  func.return %t : tensor<4xf32>
}
""",
        width=200,
    )
    assert "linalg.sqrt (line 9) in scf.for (line 6)" in text
