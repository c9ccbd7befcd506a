"""Tensor types of other dialects become buffer types of these dialects."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from tests.tiles import TILE, tiles_take_part
from xdsl_bufferization import (
    BufferizationError,
    BufferizePass,
    OneShotBufferizePass,
    OneShotOptions,
    one_shot_bufferize,
)
from xdsl_bufferization.support.reading import context_of_all_dialects
from xdsl_bufferization.transforms.verify_bufferization_decisions import (
    VerifyBufferizationDecisionsPass,
)

TENSOR, BUFFER = "!tile.tile<#builtin.int<4>>", "!tile.bank<#builtin.int<4>>"
OPTIONS = OneShotOptions(bufferize_function_boundaries=True, allow_unknown_ops=True)


@pytest.fixture(autouse=True)
def _models() -> Iterator[None]:
    with tiles_take_part():
        yield


def _parsed(function: str) -> tuple[Context, ModuleOp]:
    context = context_of_all_dialects(allow_unregistered=True)
    context.load_dialect(TILE)
    text = f"func.func {function}".replace("!T", TENSOR).replace("!B", BUFFER)
    return context, Parser(context, text).parse_module()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """@f(%a: !T, %b: !T) -> !T {
  %r = "tile.update"(%a, %b) : (!T, !T) -> !T
  func.return %r : !T
}""",
            """@f(%a: !B, %b: !B) -> !B {
  "tile.update"(%a, %b) : (!B, !B) -> ()
  func.return %b : !B
}""",
            id="in place",
        ),
        pytest.param(
            """@f(%a: !T, %b: !T) -> (!T, f32) {
  %r = "tile.update"(%a, %b) : (!T, !T) -> !T
  %s = "tile.sum"(%b) : (!T) -> f32
  func.return %r, %s : !T, f32
}""",
            """@f(%a: !B, %b: !B) -> (!B, f32) {
  %r = "tile.alloc"() : () -> !B
  "tile.move"(%b, %r) : (!B, !B) -> ()
  "tile.update"(%a, %r) : (!B, !B) -> ()
  %s = "tile.sum"(%b) : (!B) -> f32
  func.return %r, %s : !B, f32
}""",
            id="copied",
        ),
        pytest.param(
            """@f(%a: !T, %n: index, %s: index) -> !T {
  %new = "tile.new"() : () -> !T
  %r = scf.for %i = %s to %n step %s iter_args(%t = %new) -> (!T) {
    %u = "tile.update"(%a, %t) : (!T, !T) -> !T
    scf.yield %u : !T
  }
  func.return %r : !T
}""",
            """@f(%a: !B, %n: index, %s: index) -> !B {
  %new = "tile.alloc"() : () -> !B
  %r = scf.for %i = %s to %n step %s iter_args(%t = %new) -> (!B) {
    "tile.update"(%a, %t) : (!B, !B) -> ()
    scf.yield %t : !B
  }
  func.return %r : !B
}""",
            id="loop",
        ),
        pytest.param(
            """@f(%c: i1, %a: !T, %b: !T) -> !T {
  cf.cond_br %c, ^x(%a : !T), ^x(%b : !T)
^x(%t: !T):
  %r = func.call @f(%c, %t, %b) : (i1, !T, !T) -> !T
  func.return %r : !T
}""",
            """@f(%c: i1, %a: !B, %b: !B) -> !B {
  cf.cond_br %c, ^x(%a : !B), ^x(%b : !B)
^x(%t: !B):
  %r = func.call @f(%c, %t, %b) : (i1, !B, !B) -> !B
  func.return %r : !B
}""",
            id="branches and calls",
        ),
        pytest.param(
            """@f(%a: !T, %b: !T) -> !T {
  %u = "other.op"(%a) : (!T) -> !T
  %r = "tile.update"(%u, %b) : (!T, !T) -> !T
  func.return %r : !T
}""",
            """@f(%a: !B, %b: !B) -> !B {
  %0 = bufferization.to_tensor %a : !B to !T
  %u = "other.op"(%0) : (!T) -> !T
  %1 = bufferization.to_buffer %u : !T to !B
  "tile.update"(%1, %b) : (!B, !B) -> ()
  func.return %b : !B
}""",
            id="unknown op",
        ),
        pytest.param(
            """@f(%c: i1, %a: !T) -> !T {
  %r = scf.if %c -> (!T) {
    %w = "tile.wide"() : () -> !T
    scf.yield %w : !T
  } else {
    scf.yield %a : !T
  }
  func.return %r : !T
}""",
            """@f(%c: i1, %a: !B) -> !B {
  %r = scf.if %c -> (!B) {
    %w = "tile.alloc"() : () -> !tile.bank<#builtin.int<8>>
    %0 = "tile.narrow"(%w) : (!tile.bank<#builtin.int<8>>) -> !B
    scf.yield %0 : !B
  } else {
    scf.yield %a : !B
  }
  func.return %r : !B
}""",
            id="buffers of several types",
        ),
    ],
)
def test_types_of_another_dialect(before: str, after: str):
    context, module = _parsed(before)
    one_shot_bufferize(context, module, OPTIONS)
    module.verify()
    _, expected = _parsed(after)
    assert str(module) == str(expected)
    # What is printed can be read again.
    Parser(context, str(module)).parse_module().verify()


@pytest.mark.parametrize("copied", [False, True])
def test_a_type_without_copies(copied: bool):
    read = '%s = "tile.sum"(%b) : (!tile.pinned) -> f32' if copied else ""
    context, module = _parsed(
        f"""@f(%b: !tile.pinned) -> !tile.pinned {{
  %r = "tile.update"(%b) : (!tile.pinned) -> !tile.pinned
  {read}
  func.return %r : !tile.pinned
}}"""
    )
    if not copied:
        one_shot_bufferize(context, module, OPTIONS)
        assert "!tile.pinned" not in str(module)
        return
    before = str(module)
    with pytest.raises(BufferizationError) as error:
        one_shot_bufferize(context, module, OPTIONS)
    assert str(error.value).splitlines()[0] == (
        "'tile.update' needs a copy of operand #0, and nothing tells how !tile.pinned is "
        "copied"
    )
    assert str(module) == before


def test_the_other_passes_accept_them():
    context, module = _parsed(
        """@f(%a: !T, %b: !T) -> (!T, f32) {
  %r = "tile.update"(%a, %b) : (!T, !T) -> !T
  %s = "tile.sum"(%b) : (!T) -> f32
  func.return %r, %s : !T, f32
}"""
    )
    analysed = module.clone()
    OneShotBufferizePass(
        bufferize_function_boundaries=True, test_analysis_only=True
    ).apply(context, analysed)
    VerifyBufferizationDecisionsPass(bufferize_function_boundaries=True).apply(
        context, analysed
    )
    BufferizePass(touches_only=("tile.*",)).apply(context, module)
    module.verify()
    assert TENSOR not in str(module)
