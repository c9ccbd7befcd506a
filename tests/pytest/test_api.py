"""Bufferization from Python."""

from __future__ import annotations

import pytest
from xdsl.context import Context

from tests.peer.runner import parse_module, print_generic
from xdsl_bufferization import (
    BufferizePass,
    OneShotOptions,
    bufferize,
    one_shot_bufferize,
)
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.options import LayoutMapOption

PROGRAM = """
func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  func.return %r, %t : tensor<4xf32>, tensor<4xf32>
}
"""


def test_options_say_what_happens_to_functions():
    module = parse_module(PROGRAM)
    options = OneShotOptions(
        bufferize_function_boundaries=True,
        function_boundary_type_conversion=LayoutMapOption.IDENTITY,
        buffer_alignment=0,
    )
    one_shot_bufferize(Context(), module, options)
    module.verify()
    text = print_generic(module)
    assert "function_type = (memref<4xf32>, f32, index) -> (memref<4xf32>, " in text
    assert text.count('"memref.alloc"') == text.count('"memref.copy"') == 1
    assert "alignment" not in text


def test_functions_keep_their_tensors_by_default():
    module = parse_module(PROGRAM)
    one_shot_bufferize(Context(), module)
    module.verify()
    text = print_generic(module)
    assert "function_type = (tensor<4xf32>, f32, index) -> (tensor<4xf32>, " in text
    assert '"memref.store"' in text


def test_bufferize_does_what_the_pass_does():
    by_function, by_pass = parse_module(PROGRAM), parse_module(PROGRAM)
    options = BufferizePass(function_boundary_type_conversion=LayoutMapOption.IDENTITY)
    bufferize(Context(), by_function, options)
    options.apply(Context(), by_pass)
    assert str(by_function) == str(by_pass)
    bufferize(Context(), by_default := parse_module(PROGRAM))
    assert "tensor<" not in str(by_default)
    assert "bufferization." not in str(by_default)


REFUSED = {
    "unknown op, after one that can be bufferized": """
func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  %s = "test.op"(%r) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %s : tensor<4xf32>
}
""",
    "found by the analysis of the second function": """
func.func @first(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func @second(%t: tensor<?xf32>, %u: tensor<?xf32>, %i: index) -> tensor<?xf32> {
  %r = scf.for %j = %i to %i step %i iter_args(%a = %t) -> (tensor<?xf32>) {
    scf.yield %u : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}
""",
    "a branch that nothing is known of": """
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  "test.termop"(%t) [^bb1] : (tensor<4xf32>) -> ()
^bb1(%a: tensor<4xf32>):
  func.return %a : tensor<4xf32>
}
""",
}


@pytest.mark.parametrize("program", REFUSED.values(), ids=REFUSED.keys())
def test_refused_module_is_as_it_was(program: str):
    module = parse_module(program)
    before = print_generic(module)
    with pytest.raises(BufferizationError):
        one_shot_bufferize(
            Context(), module, OneShotOptions(bufferize_function_boundaries=True)
        )
    assert print_generic(module) == before


def test_error_names_the_op():
    module = parse_module(REFUSED["a branch that nothing is known of"])
    with pytest.raises(
        BufferizationError, match=r"'test.termop' hands tensors"
    ) as caught:
        one_shot_bufferize(
            Context(), module, OneShotOptions(bufferize_function_boundaries=True)
        )
    assert caught.value.op is not None
    assert caught.value.op.name == "test.termop"
