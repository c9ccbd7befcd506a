"""Loops that `eliminate-copies` changes compute the same."""

from __future__ import annotations

from collections import Counter

import pytest
from xdsl.dialects import scf, tensor
from xdsl.dialects.builtin import ModuleOp

from tests.fuzzing.elimination import eliminate, functions_of
from tests.peer.runner import parse_module
from xdsl_bufferization.one_shot.facts.slices import unclamped
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.eliminate_copies.double_buffering import (
    can_be_unrolled,
    unroll,
)
from xdsl_bufferization.tensors.eliminate_copies.insertions import drop_overwritten

TURNS = """
func.func @f(%h0: {M} {{bufferize.aliasing_result = 0 : i64}}, %s0: tensor<f32>)
  -> ({M}, tensor<f32>) {{
  %lower = arith.constant {lower} : {type}
  %upper = arith.constant {upper} : {type}
  %step = arith.constant {step} : {type}
  %z = arith.constant 0.0 : f32
  %r, %s = scf.for %i = %lower to %upper step %step
    iter_args(%h = %h0, %c = %s0) -> ({M}, tensor<f32>) : {type} {{
    %n = arith.index_cast %i : {type} to {other}
    %w = arith.{to_i32} : {cast}
    %x = arith.sitofp %w : i32 to f32
    %d = tensor.empty() : tensor<f32>
    %t = linalg.fill ins(%x : f32) outs(%d : tensor<f32>) -> tensor<f32>
    %e = tensor.empty() : {M}
    %f = linalg.fill ins(%x : f32) outs(%e : {M}) -> {M}
    %p = linalg.matmul
      ins(%h, %h : {M}, {M}) outs(%f : {M}) -> {M}
    scf.yield %p, %t : {M}, tensor<f32>
  }}
  func.return %r, %s : {M}, tensor<f32>
}}
"""


def _turns(lower: int, upper: int, step: int, type: str) -> str:
    is_index = type == "index"
    return TURNS.format(
        M="tensor<4x4xf32>",
        lower=lower,
        upper=upper,
        step=step,
        type=type,
        other="i32" if is_index else "index",
        to_i32="index_cast %i" if is_index else "addi %i, %i",
        cast="index to i32" if is_index else "i32",
    )


@pytest.mark.parametrize(
    ("lower", "upper", "step", "copies"),
    [(0, 2, 1, 0), (0, 3, 1, 1), (1, 8, 2, 0), (-2, 3, 1, 1), (2, 3, 1, 1)],
)
@pytest.mark.parametrize("type", ["index", "i32"])
def test_buffers_take_turns(
    lower: int, upper: int, step: int, copies: int, type: str
) -> None:
    module = parse_module(_turns(lower, upper, step, type))
    assert eliminate(module, 2).after.copies.number == copies


@pytest.mark.parametrize(("upper", "step"), [(0, 1), (1, 1), (1, 3)])
def test_one_iteration_is_not_unrolled(upper: int, step: int) -> None:
    module = parse_module(_turns(0, upper, step, "index"))
    (loop,) = (op for op in module.walk() if isinstance(op, scf.ForOp))
    assert not can_be_unrolled(loop)


@pytest.mark.parametrize("upper", [4, 5])
def test_unrolling_is_undone(upper: int) -> None:
    module = parse_module(_turns(0, upper, 1, "index"))
    (loop,) = (op for op in module.walk() if isinstance(op, scf.ForOp))
    before, changes = str(module), Changes()
    body = [op.name for op in loop.body.ops if not isinstance(op, scf.YieldOp)]
    assert len(body) == 8
    once = Counter(op.name for op in module.walk())
    unroll(loop, changes)
    module.verify()
    after = str(module)
    # Two iterations in one, and the last one of an odd number after the loop.
    found = Counter(op.name for op in module.walk())
    assert {found[name] // once[name] for name in body} == {2 + upper % 2}
    assert all(found[name] % once[name] == 0 for name in body)
    log = changes.undo(0)
    assert str(module) == before
    changes.redo(log, functions_of(module))
    assert str(module) == after


CLAMPED = """
func.func @f() {{
  %lower = arith.constant {lower} : i32
  %upper = arith.constant {upper} : i32
  %step = arith.constant 2 : i32
  %low = arith.constant 0 : index
  %high = arith.constant 6 : index
  scf.for %i = %lower to %upper step %step : i32 {{
    %n = arith.index_cast %i : i32 to index
    %a = arith.maxsi %low, %n : index
    %b = arith.minsi %a, %high : index
    "test.op"(%b) : (index) -> ()
  }}
  func.return
}}
"""


@pytest.mark.parametrize(
    ("lower", "upper", "is_same"),
    [(0, 7, True), (0, 8, True), (0, 9, False), (-1, 7, False), (1, 9, False)],
)
def test_clamps(lower: int, upper: int, is_same: bool) -> None:
    module = parse_module(CLAMPED.format(lower=lower, upper=upper))
    (loop,) = (op for op in module.walk() if isinstance(op, scf.ForOp))
    (use,) = (op for op in module.walk() if op.name == "test.op")
    variable, value = loop.body.block.args[0], use.operands[0]
    assert unclamped(value) is (variable if is_same else value)


WHILE = """
func.func @f(%x0: {M} {{bufferization.writable = false}}, %n: index) -> ({M}, index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %z = arith.constant 0.0 : f32
  %count = arith.remui %n, %c5 : index
  %r, %k = scf.while (%x = %x0, %i = %c0) : ({M}, index) -> ({M}, index) {{
    %c = arith.cmpi ult, %i, %count : index
    scf.condition(%c) %x, %i : {M}, index
  }} do {{
  ^bb0(%x: {M}, %i: index):
    %e = tensor.empty() : {M}
    %f = linalg.fill ins(%z : f32) outs(%e : {M}) -> {M}
    %p = linalg.matmul ins(%x, %x : {M}, {M}) outs(%f : {M}) -> {M}
    %j = arith.addi %i, %c1 : index
    scf.yield %p, %j : {M}, index
  }}
  func.return %r, %k : {M}, index
}}
"""


@pytest.mark.parametrize(("size", "copies"), [(4, 1), (2, 2)])
def test_buffers_are_swapped(size: int, copies: int) -> None:
    module = parse_module(WHILE.format(M=f"tensor<{size}x{size}xf32>"))
    assert eliminate(module, 6).after.copies.number == copies


SWAPPING = """
func.func @f(
  %x0: {M} {{bufferize.aliasing_result = 0 : i64}},
  %y0: {M} {{bufferize.aliasing_result = 1 : i64}}
) -> ({M}, {M}) {{
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %upper = arith.constant {upper} : index
  %r, %s = scf.for %i = %i0 to %upper step %i1 iter_args(%x = %x0, %y = %y0) -> ({M}, {M}) {{
    %e = tensor.empty() : {M}
    %z = linalg.sub ins(%x, %y : {M}, {M}) outs(%e : {M}) -> {M}
    scf.yield %z, %x : {M}, {M}
  }}
  func.return %r, %s : {M}, {M}
}}
"""


@pytest.mark.parametrize("upper", [1, 2, 3, 4])
def test_swapping_loops(upper: int) -> None:
    module = parse_module(SWAPPING.format(M="tensor<4x4xf32>", upper=upper))
    copies = eliminate(module, 2).after.copies.number
    assert copies == 0 if upper % 2 == 0 else copies <= 3


def overwritten_twice(first: str, second: str) -> ModuleOp:
    """A program that inserts two slices, one into the result of the other."""
    module = parse_module(
        f"""
        func.func @f(%t: tensor<8xf32>, %x: tensor<6xf32>, %y: tensor<6xf32>)
            -> tensor<8xf32> {{
          %a = tensor.insert_slice %x into %t[{first}] [6] [1]
            : tensor<6xf32> into tensor<8xf32>
          %b = tensor.insert_slice %y into %a[{second}] [6] [1]
            : tensor<6xf32> into tensor<8xf32>
          func.return %b : tensor<8xf32>
        }}"""
    )
    drop_overwritten(functions_of(module), Changes())
    return module


@pytest.mark.parametrize("first, second, left", [("1", "1", 1), ("2", "1", 2)])
def test_only_what_is_overwritten_as_a_whole_is_dropped(
    first: str, second: str, left: int
):
    module = overwritten_twice(first, second)
    insertions = [op for op in module.walk() if isinstance(op, tensor.InsertSliceOp)]
    assert len(insertions) == left
