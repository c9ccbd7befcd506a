"""`BufferizationError.op` is an op of the module that the caller has given."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnknownLoc
from xdsl.ir import Operation

from xdsl_bufferization import (
    BufferizationError,
    BufferizePass,
    OneShotBufferizePass,
    OneShotOptions,
    bufferize,
    one_shot_bufferize,
)
from xdsl_bufferization.report.report import report_on
from xdsl_bufferization.semantics.checking.check import check_pipeline
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.reading import context_of_all_dialects, parse_module

CONTEXT = context_of_all_dialects(allow_unregistered=True)

NOT_BUFFERIZABLE = """
func.func @other() { func.return }
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %u = "their.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %u : tensor<4xf32>
}
"""
"""Refused before anything is changed."""

MAY_FREE = """
func.func @f(%t: tensor<4xf32>, %m: memref<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %s = tensor.insert %x into %t[%i] : tensor<4xf32>
  "their.op"(%m) : (memref<4xf32>) -> ()
  func.return %s : tensor<4xf32>
}
"""
"""Refused by deallocation, after a clone of the program has taken the place of the program."""


MUST_BE_IN_PLACE = """
func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %s = tensor.insert %x into %t[%i] : tensor<4xf32>
  func.return %s, %t : tensor<4xf32>, tensor<4xf32>
}
"""


def run_pass(context: Context, module: ModuleOp) -> None:
    BufferizePass().apply(context, module)


def run_in_place(context: Context, module: ModuleOp) -> None:
    BufferizePass(must_be_in_place=True).apply(context, module)


def one_shot(context: Context, module: ModuleOp) -> None:
    options = OneShotOptions(bufferize_function_boundaries=True, must_be_in_place=True)
    one_shot_bufferize(context, module, options)


def one_shot_pass(context: Context, module: ModuleOp) -> None:
    OneShotBufferizePass(bufferize_function_boundaries=True).apply(context, module)


def report(context: Context, module: ModuleOp) -> None:
    report_on(context, module)


def check(context: Context, module: ModuleOp) -> None:
    check_pipeline(context, module, "bufferize")


def refused(
    call: Callable[[Context, ModuleOp], None], module: ModuleOp
) -> Operation | None:
    """The op that the error names, which is in the module."""
    with pytest.raises(BufferizationError) as raised:
        call(CONTEXT, module)
    op = raised.value.op
    assert op is None or module.is_ancestor(op)
    return op


EVERYWHERE = [run_pass, bufferize, report, check]


@pytest.mark.parametrize("call", [*EVERYWHERE, one_shot, one_shot_pass])
def test_op_that_is_refused_before_the_rewrite(
    call: Callable[[Context, ModuleOp], None],
):
    module = parse_module(CONTEXT, NOT_BUFFERIZABLE, "f.mlir")
    op = refused(call, module)
    assert op is not None
    assert op_name(op) == "their.op"


@pytest.mark.parametrize("call", EVERYWHERE)
@pytest.mark.parametrize("located", [True, False])
def test_op_that_is_refused_after_the_rewrite(
    call: Callable[[Context, ModuleOp], None], located: bool
):
    module = parse_module(CONTEXT, MAY_FREE, "f.mlir")
    for op in module.walk():
        if not located:
            op.location = UnknownLoc()
    op = refused(call, module)
    assert op is not None
    assert op_name(op) == "their.op"


@pytest.mark.parametrize("call", [run_in_place, one_shot])
def test_op_that_needs_a_copy(call: Callable[[Context, ModuleOp], None]):
    op = refused(call, parse_module(CONTEXT, MUST_BE_IN_PLACE, "f.mlir"))
    assert op is not None
    assert op.name == "tensor.insert"


def test_op_with_a_name_that_several_have_is_its_function():
    """Without locations, nothing tells which op of a changed program was which."""
    twice = MAY_FREE.replace(
        '"their.op"', '"their.op"(%m) : (memref<4xf32>) -> ()\n"their.op"'
    )
    module = parse_module(CONTEXT, twice, "f.mlir")
    for op in module.walk():
        op.location = UnknownLoc()
    op = refused(run_pass, module)
    assert op is not None
    assert op.name in ("func.func", "builtin.unregistered")
