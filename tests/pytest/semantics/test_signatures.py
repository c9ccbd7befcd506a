"""What the check asks of the types of arguments and results."""

from __future__ import annotations

import pytest
from xdsl.ir import Attribute

from xdsl_bufferization.models import func as func_model
from xdsl_bufferization.semantics.checking.check import check_pipeline
from xdsl_bufferization.semantics.checking.report import ProblemKind, Report
from xdsl_bufferization.support.reading import context_of_all_dialects, parse_module

BUFFERIZE = "one-shot-bufferize{bufferize-function-boundaries=true}"


def check_passes(text: str, pipeline: str) -> Report:
    context = context_of_all_dialects(allow_unregistered=True)
    return check_pipeline(context, parse_module(context, text, "a.mlir"), pipeline)


def test_memory_spaces_that_encodings_name(monkeypatch: pytest.MonkeyPatch):
    """The buffers of arguments and results are in them, if the passes were told so."""
    program = """
func.func @f(%t: tensor<4xf32, 1 : i64>) -> tensor<4xf32, 1 : i64> {
  func.return %t : tensor<4xf32, 1 : i64>
}
"""
    options = "bufferize-function-boundaries use-encoding-for-memory-space"
    pipeline = f"one-shot-bufferize{{{options}}}"
    assert check_passes(program, pipeline).ok
    assert check_passes(program, BUFFERIZE).ok

    def no_memory_space(tensor: Attribute) -> None:
        """What the models of functions would know without encodings."""

    def the_type(tensor: Attribute, type: Attribute) -> Attribute:
        return type

    monkeypatch.setattr(func_model, "encoded_memory_space", no_memory_space)
    monkeypatch.setattr(func_model, "in_encoded_space", the_type)
    report = check_passes(program, pipeline)
    assert report.functions[0].problem is not None
    assert report.functions[0].problem.kind is ProblemKind.SIGNATURE


def test_arenas_of_run_time_size():
    """Callers in the module compute the size, so the check cannot give such an arena."""
    callee = """
func.func private @callee(%m: memref<?xf32>, %n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %m, %a : memref<?xf32> to memref<?xf32>
  func.return
}
"""
    caller = """
func.func @caller(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  func.call @callee(%m, %n) : (memref<?xf32>, index) -> ()
  func.return
}
"""
    passes = "plan-static-memory{arena-as-argument allocate-in-public-functions}"
    problem = check_passes(callee, passes).problem
    assert problem is not None
    assert problem.kind is ProblemKind.SIGNATURE
    assert "argument 2 is an arena" in str(problem)
    assert check_passes(callee + caller, passes).ok
