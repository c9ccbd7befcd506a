"""affine, compared with what MLIR compiles it to."""

import numpy as np
import pytest

from tests.peer import MlirTools
from tests.peer.runner import parse_module
from tests.semantics import compare_with_mlir, memref, run, without_semantics
from xdsl_bufferization.semantics.errors import (
    ExecutionError,
    MemoryFault,
    UndefinedBehaviorError,
)

M = "memref<4x5xf32>"
SQUARE = np.arange(20, dtype=np.float32).reshape(4, 5) / 7
N = np.array(3, np.int64)
MINUS = np.array(-7, np.int64)

PROGRAM = f"""
func.func @apply(%a: index, %b: index) -> (index, index, index, index) {{
  %r = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0 floordiv 4)>(%a)[%b]
  %s = affine.apply affine_map<(d0)[s0] -> (d0 mod 4 + s0 ceildiv 2)>(%b)[%b]
  %t = affine.min affine_map<(d0)[s0] -> (d0, s0, d0 - s0)>(%a)[%b]
  %u = affine.max affine_map<(d0)[s0] -> (d0, s0, d0 - s0)>(%a)[%b]
  return %r, %s, %t, %u : index, index, index, index
}}
func.func @if(%m: {M}, %a: index, %b: index) -> (index, {M}) {{
  %x = arith.constant 5.0 : f32
  %r = affine.if affine_set<(d0)[s0] : (d0 - s0 - 1 >= 0, d0 - 3 == 0)>(%a)[%b]
      -> index {{
    affine.yield %a : index
  }} else {{
    affine.yield %b : index
  }}
  affine.if affine_set<(d0) : (d0 - 100 >= 0)>(%a) {{
    affine.store %x, %m[0, 0] : {M}
  }}
  return %r, %m : index, {M}
}}
func.func @for(%m: {M}, %n: index, %x: f32) -> (f32, {M}) {{
  %r = affine.for %i = max affine_map<(d0) -> (0, d0 - 2)>(%n) to
      min affine_map<(d0) -> (4, d0 + 1)>(%n) step 2 iter_args(%s = %x) -> f32 {{
    %e = affine.load %m[%i, %i + 1] : {M}
    %g = arith.addf %s, %e : f32
    affine.store %g, %m[%i, 0] : {M}
    affine.yield %g : f32
  }}
  return %r, %m : f32, {M}
}}
func.func @parallel(%m: {M}, %n: index) -> (f32, f32) {{
  %r:2 = affine.parallel (%i, %j) = (0, max(1, %n - 5)) to (%n, min(3, 4))
      step (1, 2) reduce ("addf", "maximumf") -> (f32, f32) {{
    %e = affine.load %m[%i, %j] : {M}
    affine.yield %e, %e : f32, f32
  }}
  return %r#0, %r#1 : f32, f32
}}
func.func @parallel_integers(%n: index, %x: i32) -> (i32, i32, i32) {{
  %r:3 = affine.parallel (%i) = (0) to (%n) reduce ("addi", "muli", "andi")
      -> (i32, i32, i32) {{
    affine.yield %x, %x, %x : i32, i32, i32
  }}
  return %r#0, %r#1, %r#2 : i32, i32, i32
}}
func.func @vectors(%m: {M}, %n: index) -> {M} {{
  %v = affine.vector_load %m[%n, 1] : {M}, vector<4xf32>
  affine.vector_store %v, %m[%n - 1, 0] : {M}, vector<4xf32>
  affine.prefetch %m[%n, %n], read, locality<3>, data : {M}
  return %m : {M}
}}
func.func @linear(%a: index, %b: index) -> (index, index, index, index, index) {{
  %d:2 = affine.delinearize_index %a into (4, 2) : index, index
  %e:2 = affine.delinearize_index %a into (%b) : index, index
  %l = affine.linearize_index [%a, %b, %a] by (%b, 5) : index
  return %d#0, %d#1, %e#0, %e#1, %l : index, index, index, index, index
}}
"""


FIVE, ZERO, TWO = (np.array(number, np.int64) for number in (5, 0, 2))
X, SIX = np.array(0.5, np.float32), np.array(6, np.int32)
CALLS = [
    ("apply", [FIVE, N]),
    ("if", [SQUARE, N, TWO]),
    ("for", [SQUARE, N, X]),
    ("parallel", [SQUARE, N]),
    ("parallel_integers", [N, SIX]),
    ("vectors", [SQUARE, N]),
    ("linear", [FIVE, N]),
    ("apply", [MINUS, MINUS]),
    ("if", [SQUARE, N, N]),
    ("for", [SQUARE, MINUS, X]),
    ("parallel", [SQUARE, ZERO]),
    ("parallel_integers", [ZERO, SIX]),
]


def test_ops_do_what_mlir_compiles_them_to(mlir_tools: MlirTools):
    compare_with_mlir(mlir_tools, PROGRAM, CALLS, "--lower-affine")


@pytest.mark.parametrize(
    "op, error, message",
    [
        (
            f'"affine.load"(%m, %n) <{{map = affine_map<(i) -> (i, i + 2)>}}> : '
            f"({M}, index) -> f32",
            MemoryFault,
            r"indices \[3, 5\] are out of the bounds",
        ),
        (
            '"affine.apply"(%n) <{map = affine_map<(i) -> (i mod 0)>}> : (index) -> index',
            UndefinedBehaviorError,
            "divides by 0",
        ),
        (
            '%r:2 = "affine.delinearize_index"(%n, %z) <{static_basis = array<i64: '
            "-9223372036854775808>}> : (index, index) -> (index, index)",
            UndefinedBehaviorError,
            "the basis has 0",
        ),
        (
            '"affine.for"() <{operandSegmentSizes = array<i32: 0, 0, 0>, lowerBoundMap '
            "= affine_map<() -> (0)>, upperBoundMap = affine_map<() -> (3)>, step = 0 : "
            'index}> ({^bb0(%i: index): "affine.yield"() : () -> ()}) : () -> ()',
            UndefinedBehaviorError,
            "the step is 0",
        ),
    ],
)
def test_what_is_not_allowed(op: str, error: type[ExecutionError], message: str):
    program = f"""
func.func @f(%m: {M}, %n: index, %z: index) {{
  {op}
  func.return
}}"""
    with pytest.raises(error, match=message):
        run(parse_module(program), memref(SQUARE), N[()], np.int64(0))


def test_all_ops_have_a_meaning():
    assert not without_semantics("affine")
