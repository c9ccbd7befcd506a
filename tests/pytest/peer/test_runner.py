"""What the other tests rely on when they run programs."""

import numpy as np
import pytest

from tests.peer import MlirTools, PeerError
from tests.peer.runner import run_with_mlir_runner

LAYOUT = "strided<[?, ?], offset: ?>"

PROGRAM = f"""
builtin.module {{
  func.func @f(%m: memref<?x3xi8, {LAYOUT}>, %s: f64, %none: memref<0x2xi1>)
      -> (memref<2x3xi8, strided<[3, 1], offset: 3>>, f64, memref<0x2xi1>, index) {{
    %view = "memref.reinterpret_cast"(%m) <{{
        operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 3>,
        static_sizes = array<i64: 2, 3>, static_strides = array<i64: 3, 1>}}>
        : (memref<?x3xi8, {LAYOUT}>) -> memref<2x3xi8, strided<[3, 1], offset: 3>>
    %zero = arith.constant 0 : index
    %rows = "memref.dim"(%m, %zero) : (memref<?x3xi8, {LAYOUT}>, index) -> index
    func.return %view, %s, %none, %rows
        : memref<2x3xi8, strided<[3, 1], offset: 3>>, f64, memref<0x2xi1>, index
  }}
}}
"""

ROWS = np.arange(12, dtype=np.int8).reshape(4, 3)
THIRD = np.array(1 / 3)
NONE = np.zeros((0, 2), dtype=np.bool_)


def test_all_types_and_layouts_travel_unchanged(mlir_tools: MlirTools):
    view, third, none, rows = run_with_mlir_runner(
        mlir_tools, PROGRAM, "f", [ROWS, THIRD, NONE]
    )
    np.testing.assert_array_equal(view, ROWS[1:3], strict=True)
    np.testing.assert_array_equal(third, THIRD, strict=True)
    np.testing.assert_array_equal(none, NONE, strict=True)
    np.testing.assert_array_equal(rows, np.array(4), strict=True)


@pytest.mark.parametrize(
    "inputs, message",
    [
        ([ROWS, THIRD], "takes 3 inputs, not 2"),
        ([ROWS[:, :2], THIRD, NONE], "input 0 is int8"),
        ([ROWS, THIRD.astype(np.float32), NONE], "input 1 is float32"),
    ],
)
def test_inputs_that_do_not_fit_are_refused(
    mlir_tools: MlirTools, inputs: list[np.ndarray], message: str
):
    with pytest.raises(ValueError, match=message):
        run_with_mlir_runner(mlir_tools, PROGRAM, "f", inputs)


@pytest.mark.parametrize(
    "body, message",
    [
        ("func.call @nowhere() : () -> ()", "nowhere"),
        ('"unknown.op"() : () -> ()', r"unknown\.op"),
    ],
)
def test_a_program_that_does_not_compile_is_an_error(
    mlir_tools: MlirTools, body: str, message: str
):
    program = f"""
func.func private @nowhere()
func.func @f() {{
  {body}
  func.return
}}
"""
    with pytest.raises(PeerError, match=message):
        run_with_mlir_runner(mlir_tools, program, "f", [])
