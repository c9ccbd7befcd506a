"""What the report says of attempts to avoid a copy."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from tests.networks import NETWORKS
from tests.other_dialects import registered
from tests.peer.runner import parse_module
from tests.pytest.report.reports import copies_in, report, report_of_network
from tests.slow import one_in, slow
from xdsl_bufferization import DestinationStyleModel
from xdsl_bufferization.report.model import Report, TensorFunction
from xdsl_bufferization.report.report import report_on
from xdsl_bufferization.report.text import to_text
from xdsl_bufferization.transforms.bufferize import BufferizePass

PADDED = """
func.func @f(%a: tensor<62xf32>, %k: tensor<64xf32>) -> (tensor<62xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<62xf32>
  %x = linalg.exp ins(%a : tensor<62xf32>) outs(%e : tensor<62xf32>) -> tensor<62xf32>
  %p = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<62xf32> to tensor<64xf32>
  %q = tensor.extract_slice %p[0] [4] [1] : tensor<64xf32> to tensor<4xf32>
  func.return %x, %q : tensor<62xf32>, tensor<4xf32>
}
"""


STILL_READ = """
func.func @f(%a: f32, %x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {{
  %r = linalg.exp ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) -> tensor<8xf32>{}
  func.return %r, %y : tensor<8xf32>, tensor<8xf32>
}}
"""
OTHER_OP = """
  %e = tensor.empty() : tensor<8xf32>
  %s = "blas.saxpy"(%a, %x, %e) : (f32, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
"""

AT_PEAK = """
func.func @f(%a: tensor<62x1xf32>, %y: tensor<1x16xf32>, %w: tensor<16x1xf32>)
    -> (tensor<62x9xf32>, tensor<62x1xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<62x1xf32>
  %x = linalg.exp ins(%a : tensor<62x1xf32>) outs(%e : tensor<62x1xf32>) -> tensor<62x1xf32>
  %t0 = tensor.empty() : tensor<62x16xf32>
  %t1 = linalg.fill ins(%zero : f32) outs(%t0 : tensor<62x16xf32>) -> tensor<62x16xf32>
  %t = linalg.matmul ins(%x, %y : tensor<62x1xf32>, tensor<1x16xf32>)
      outs(%t1 : tensor<62x16xf32>) -> tensor<62x16xf32>
  %s0 = tensor.empty() : tensor<62x1xf32>
  %s1 = linalg.fill ins(%zero : f32) outs(%s0 : tensor<62x1xf32>) -> tensor<62x1xf32>
  %s = linalg.matmul ins(%t, %w : tensor<62x16xf32>, tensor<16x1xf32>)
      outs(%s1 : tensor<62x1xf32>) -> tensor<62x1xf32>
  %p = tensor.pad %x low[0, 4] high[0, 4] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<62x1xf32> to tensor<62x9xf32>
  func.return %p, %s : tensor<62x9xf32>, tensor<62x1xf32>
}
"""
"""The pad is large, and would be live at the peak if `%x` were computed in it."""


def _program(name: str) -> ModuleOp:
    return parse_module(AT_PEAK) if name == "at_peak" else NETWORKS[name]()


@pytest.mark.parametrize("name", ["at_peak", *slow(sorted(NETWORKS))])
def test_a_copy_is_avoided_by_the_peak_that_is_named(name: str):
    before = report_of_network(name) if name in NETWORKS else report(_program(name))
    at_peak = [c for c in copies_in(before) if c.peak_increase is not None]
    assert at_peak or name != "at_peak"
    for copy in at_peak:
        (way,) = (a for a in copy.advice if a.startswith("Set max-peak-increase="))
        percent = int(way.partition("=")[2].partition(":")[0])
        options = BufferizePass(max_peak_increase=percent)
        after = report_on(Context(), _program(name), options)
        assert copy.place not in [c.place for c in copies_in(after)]
        assert _peak(after) - _peak(before) == copy.peak_increase
        less = BufferizePass(max_peak_increase=max(percent - 1, 0))
        kept = copies_in(report_on(Context(), _program(name), less))
        assert copy.place in [c.place for c in kept]


def _peak(report: Report) -> int:
    (function,) = report.functions
    assert isinstance(function, TensorFunction)
    assert function.memory is not None
    assert function.memory.heap.peak is not None
    return function.memory.heap.peak.live_bytes


def test_it_is_said_at_which_peak_a_copy_is_avoidable():
    text = to_text(report_on(Context(), _program("at_peak")))
    assert "  avoidable, at + 1,984 bytes of peak: it can be computed where" in text
    assert (
        "  help: Set max-peak-increase=45: 248 bytes less copied, 1,984 bytes more at the peak."
        in text
    )
    assert "  tried: eliminate-copies avoided it, and undid that" in text


@pytest.mark.slow
def test_insertions_that_copy_as_well():
    copies = copies_in(report_of_network("dense_anew"))
    said = [copy.tried for copy in copies if copy.op == "tensor.concat"]
    assert any("and put it back, since they copied the same" in it for it in said)


@pytest.mark.parametrize("name", one_in(12, sorted(NETWORKS)))
def test_each_copy_has_a_reason_or_what_was_tried(name: str):
    for copy in copies_in(report_of_network(name)):
        assert copy.verdict == "forced" or copy.advice or copy.tried, copy


class Saxpy(DestinationStyleModel):
    """An op of another package."""

    def inits(self, op: Operation) -> Sequence[int]:
        return (2,)


@pytest.mark.parametrize("op", ["", OTHER_OP], ids=["xdsl", "other"])
def test_donations_are_tried_beside_ops_of_other_packages(op: str):
    with registered([("blas.saxpy", Saxpy())]):
        text = to_text(report_on(Context(), parse_module(STILL_READ.format(op))))
    help = (
        "If callers do not need %y any more, donate it, with the attribute "
        "bufferize.aliasing_result = 1 on that argument: 32 bytes less copied, "
        "32 bytes less at the peak."
    )
    # At the peak, of donations that lower it alike the one that copies least comes first.
    assert " ".join(text.split()).count(help) == 2


def test_nothing_is_tried_without_eliminate_copies():
    options = BufferizePass(eliminate_copies=False)
    copies = copies_in(report_on(Context(), parse_module(PADDED), options))
    assert copies
    assert not any(copy.tried for copy in copies)


def test_a_long_chain_of_views():
    types = "memref<8xf32>", "memref<?xf32>"
    casts = (
        f"%v{i + 1} = memref.cast %v{i} : {types[i % 2]} to {types[(i + 1) % 2]}\n"
        for i in range(1_500)
    )
    text = f"""
func.func @f(%x: f32, %i: index) -> f32 {{
  %e = tensor.empty() : tensor<8xf32>
  %v0 = bufferization.to_buffer %e : tensor<8xf32> to memref<8xf32>
  {"".join(casts)}
  memref.store %x, %v1500[%i] : memref<8xf32>
  %y = memref.load %v1500[%i] : memref<8xf32>
  func.return %y : f32
}}
"""
    (function,) = report_on(Context(), parse_module(text)).functions
    assert isinstance(function, TensorFunction)
    (buffer,) = function.allocations
    assert buffer.value == "%e"
