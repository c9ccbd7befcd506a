"""linalg ops, compared with what MLIR compiles them to, and with slower ways to run them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.peer import MlirTools
from tests.peer.numpy_types import Array
from tests.peer.runner import parse_module
from tests.semantics import compare_with_mlir, memref, run, without_semantics
from xdsl_bufferization.semantics.errors import (
    MemoryFault,
    MissingSemanticsError,
    UndefinedBehaviorError,
)

RANDOM = np.random.default_rng(0)


def numbers(*shape: int, dtype: Any = np.float32) -> Array:
    """Small random numbers of the type."""
    if np.issubdtype(dtype, np.floating):
        return RANDOM.uniform(-2, 2, shape).astype(dtype)
    return RANDOM.integers(-9, 9, shape).astype(dtype)


SHAPED = """
func.func @transpose(%a: tensor<2x3x4xf32>, %o: tensor<4x2x3xf32>) -> tensor<4x2x3xf32> {
  %r = linalg.transpose ins(%a : tensor<2x3x4xf32>) outs(%o : tensor<4x2x3xf32>)
      permutation = [2, 0, 1]
  return %r : tensor<4x2x3xf32>
}
func.func @broadcast(%a: tensor<2x3xf32>, %o: tensor<2x4x3xf32>) -> tensor<2x4x3xf32> {
  %r = linalg.broadcast ins(%a : tensor<2x3xf32>) outs(%o : tensor<2x4x3xf32>)
      dimensions = [1]
  return %r : tensor<2x4x3xf32>
}
func.func @reduce(%a: tensor<2x40x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = linalg.reduce { arith.addf } ins(%a : tensor<2x40x3xf32>)
      outs(%o : tensor<2x3xf32>) dimensions = [1]
  return %r : tensor<2x3xf32>
}
func.func @reduce_all(%a: tensor<2x40x3xf32>, %o: tensor<f32>) -> tensor<f32> {
  %r = linalg.reduce { arith.mulf } ins(%a : tensor<2x40x3xf32>)
      outs(%o : tensor<f32>) dimensions = [0, 1, 2]
  return %r : tensor<f32>
}
func.func @arg_max(%a: tensor<3x40xf32>, %v: tensor<3xf32>, %i: tensor<3xi32>)
    -> (tensor<3xf32>, tensor<3xi32>) {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
      affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<3x40xf32>) outs(%v, %i : tensor<3xf32>, tensor<3xi32>) {
  ^bb0(%x: f32, %best: f32, %where: i32):
    %j = linalg.index 1 : index
    %here = arith.index_cast %j : index to i32
    %larger = arith.cmpf ogt, %x, %best : f32
    %value = arith.select %larger, %x, %best : f32
    %place = arith.select %larger, %here, %where : i32
    linalg.yield %value, %place : f32, i32
  } -> (tensor<3xf32>, tensor<3xi32>)
  return %r#0, %r#1 : tensor<3xf32>, tensor<3xi32>
}
func.func @map(%a: tensor<5xf32>, %o: tensor<5xf32>) -> tensor<5xf32> {
  %r = linalg.map { math.absf } ins(%a : tensor<5xf32>) outs(%o : tensor<5xf32>)
  return %r : tensor<5xf32>
}
func.func @fill(%x: f32, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = linalg.fill ins(%x : f32) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
func.func @fill_one(%x: f32, %o: tensor<f32>) -> tensor<f32> {
  %r = linalg.fill ins(%x : f32) outs(%o : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
func.func @random(%a: f64, %b: f64, %seed: i32, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.fill_rng_2d ins(%a, %b, %seed : f64, f64, i32)
      outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
func.func @gather(%a: tensor<5x3xf32>, %i: tensor<4xindex>, %o: tensor<4x3xf32>)
    -> tensor<4x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>,
      affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<4xindex>) outs(%o : tensor<4x3xf32>) {
  ^bb0(%row: index, %unused: f32):
    %j = linalg.index 1 : index
    %x = tensor.extract %a[%row, %j] : tensor<5x3xf32>
    linalg.yield %x : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
func.func @condition(%a: tensor<6xf32>, %o: tensor<6xf32>) -> tensor<6xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%a : tensor<6xf32>) outs(%o : tensor<6xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.cmpf olt, %x, %y : f32
    %z = scf.if %c -> f32 {
      %s = arith.addf %x, %y : f32
      scf.yield %s : f32
    } else {
      scf.yield %x : f32
    }
    linalg.yield %z : f32
  } -> tensor<6xf32>
  return %r : tensor<6xf32>
}
func.func @empty(%a: tensor<3x0xf32>, %o: tensor<3xf32>) -> tensor<3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
      affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<3x0xf32>) outs(%o : tensor<3xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}
"""


def test_other_ops_are_those_of_mlir(mlir_tools: MlirTools):
    seed = [np.array(-1.0), np.array(2.0), np.array(7, np.int32)]
    inputs: dict[str, list[Array]] = {
        "transpose": [numbers(2, 3, 4), numbers(4, 2, 3)],
        "broadcast": [numbers(2, 3), numbers(2, 4, 3)],
        "reduce": [numbers(2, 40, 3), numbers(2, 3)],
        "reduce_all": [numbers(2, 40, 3), numbers()],
        "arg_max": [numbers(3, 40), numbers(3), np.zeros(3, np.int32)],
        "map": [numbers(5), numbers(5)],
        "fill": [numbers(), numbers(2, 3)],
        "fill_one": [numbers(), numbers()],
        "random": [*seed, numbers(3, 4)],
        "gather": [numbers(5, 3), np.array([4, 0, 0, 2]), numbers(4, 3)],
        "condition": [numbers(6), numbers(6)],
        "empty": [numbers(3, 0), numbers(3)],
    }
    compare_with_mlir(mlir_tools, SHAPED, inputs)


# Ops that are not structured --------------------------------------------------------------


@pytest.mark.parametrize("dimension", [0, 1])
@pytest.mark.parametrize("on", ["tensor", "memref"])
def test_softmax(dimension: int, on: str):
    a, output = numbers(3, 5), numbers(3, 5)
    type = f"{on}<3x5xf32>"
    result = f"-> {type}" if on == "tensor" else "-> ()"
    program = f"""
func.func @f(%a: {type}, %o: {type}) -> {type} {{
  RESULT "linalg.softmax"(%a, %o) {{dimension = {dimension} : i64}}
      : ({type}, {type}) {result}
  func.return %r : {type}
}}"""
    program = program.replace("RESULT", "%r =" if on == "tensor" else "")
    if on == "memref":
        program = program.replace("return %r", "return %o")
        (actual,) = run(program, memref(a), memref(output))
    else:
        (actual,) = run(program, a, output)
    powers = np.exp(a.astype(np.float64))
    expected = powers / powers.sum(axis=dimension, keepdims=True)
    np.testing.assert_allclose(actual, expected, rtol=1e-6)


PACK = """
func.func @f(%a: tensor<5x6xf32>, %o: tensor<3x3x2x2xf32>, %x: f32)
    -> tensor<3x3x2x2xf32> {
  %r = "linalg.pack"(%a, %oPADDING) <{inner_dims_pos = array<i64: 1, 0>,
      outer_dims_perm = array<i64: 1, 0>, static_inner_tiles = array<i64: 2, 2>,
      operandSegmentSizes = array<i32: 1, 1, COUNT, 0>}>
      : (tensor<5x6xf32>, tensor<3x3x2x2xf32>TYPE) -> tensor<3x3x2x2xf32>
  func.return %r : tensor<3x3x2x2xf32>
}"""
PADDED = PACK.replace("PADDING", ", %x").replace("COUNT", "1").replace("TYPE", ", f32")
UNPADDED = PACK.replace("PADDING", "").replace("COUNT", "0").replace("TYPE", "")
UNPACK = """
func.func @f(%a: tensor<3x3x2x2xf32>, %o: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %r = "linalg.unpack"(%a, %o) <{inner_dims_pos = array<i64: 1, 0>,
      outer_dims_perm = array<i64: 1, 0>, static_inner_tiles = array<i64: 2, 2>}>
      : (tensor<3x3x2x2xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
  func.return %r : tensor<5x6xf32>
}"""


def test_a_packed_tensor_has_each_element_in_its_tile():
    a = numbers(5, 6)
    (packed,) = run(PADDED, a, numbers(3, 3, 2, 2), np.float32(9))
    for i, j in np.ndindex(6, 6):
        expected = a[i, j] if i < 5 else 9
        assert packed[j // 2, i // 2, j % 2, i % 2] == expected
    (unpacked,) = run(UNPACK, packed, numbers(5, 6))
    np.testing.assert_array_equal(unpacked, a, strict=True)


def test_tiles_have_to_be_full_if_there_is_no_padding():
    with pytest.raises(UndefinedBehaviorError, match="does not fill the tiles"):
        run(UNPADDED, numbers(5, 6), numbers(3, 3, 2, 2), np.float32(9))


# Memory -----------------------------------------------------------------------------------


def shifted(body: str, offset: int, iterator: str = "parallel") -> str:
    """An op from one part of a buffer to another that begins `offset` elements later."""
    return f"""
func.func @f(%m: memref<9xf32>) -> memref<9xf32> {{
  %a = memref.subview %m[0][6][1] : memref<9xf32> to memref<6xf32, strided<[1]>>
  %b = memref.subview %m[{offset}][6][1]
      : memref<9xf32> to memref<6xf32, strided<[1], offset: {offset}>>
  linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["{iterator}"]}} ins(%a : memref<6xf32, strided<[1]>>)
      outs(%b : memref<6xf32, strided<[1], offset: {offset}>>) {{
  ^bb0(%x: f32, %y: f32):
    {body}
    linalg.yield %z : f32
  }}
  return %m : memref<9xf32>
}}"""


@pytest.mark.parametrize("offset", [0, 1, 3])
@pytest.mark.parametrize(
    "body",
    [
        "%z = arith.addf %x, %y : f32",
        "%z = arith.addf %x, %x : f32",
        "%i = linalg.index 0 : index\n %w = memref.load %m[%i] : memref<9xf32>\n"
        "%z = arith.addf %x, %w : f32",
        "%i = linalg.index 0 : index\n memref.store %y, %m[%i] : memref<9xf32>\n"
        "%z = arith.mulf %x, %y : f32",
    ],
)
def test_overlapping_memory_is_used_in_the_order_of_the_loops(
    mlir_tools: MlirTools, body: str, offset: int
):
    inputs = {"f": [numbers(9)]}
    compare_with_mlir(mlir_tools, shifted(body, offset), inputs, "--canonicalize")


def test_an_op_may_read_the_output_under_another_map(mlir_tools: MlirTools):
    program = """
func.func @f(%m: memref<4x4xf32>) -> memref<4x4xf32> {
  linalg.transpose ins(%m : memref<4x4xf32>) outs(%m : memref<4x4xf32>)
      permutation = [1, 0]
  return %m : memref<4x4xf32>
}
func.func @g(%a: memref<4xf32>, %m: memref<4xf32>) -> memref<4xf32> {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>,
      affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a, %m : memref<4xf32>, memref<4xf32>) outs(%m : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }
  return %m : memref<4xf32>
}"""
    inputs = {"f": [numbers(4, 4)], "g": [numbers(4), numbers(4)]}
    compare_with_mlir(mlir_tools, program, inputs, "--canonicalize")


def test_outputs_may_swap_their_elements():
    program = """
func.func @f(%a: memref<3xf32>, %b: memref<3xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} outs(%a, %b : memref<3xf32>, memref<3xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %y, %x : f32, f32
  }
  func.return
}"""
    a, b = memref(numbers(3)), memref(numbers(3))
    before = a.view().copy(), b.view().copy()
    run(program, a, b)
    np.testing.assert_array_equal(b.view(), before[0])
    np.testing.assert_array_equal(a.view(), before[1])


def test_a_copy_is_one_that_counts_and_may_not_overlap_in_part():
    program = """
func.func @f(%m: memref<9xf32>) {
  %a = "memref.subview"(%m) <{static_offsets = array<i64: 0>,
      static_sizes = array<i64: 6>, static_strides = array<i64: 1>,
      operandSegmentSizes = array<i32: 1, 0, 0, 0>}>
      : (memref<9xf32>) -> memref<6xf32, strided<[1]>>
  %b = "memref.subview"(%m) <{static_offsets = array<i64: 1>,
      static_sizes = array<i64: 6>, static_strides = array<i64: 1>,
      operandSegmentSizes = array<i32: 1, 0, 0, 0>}>
      : (memref<9xf32>) -> memref<6xf32, strided<[1], offset: 1>>
  linalg.copy ins(%a : memref<6xf32, strided<[1]>>)
      outs(%b : memref<6xf32, strided<[1], offset: 1>>)
  func.return
}"""
    with pytest.raises(MemoryFault, match="overlap in part"):
        run(program, memref(numbers(9)))


def test_tensors_never_change():
    a, o = numbers(3, 4), numbers(3, 4)
    before = a.copy(), o.copy()
    (result,) = run(ADD, a, o, o)
    np.testing.assert_array_equal(result, before[0] + before[1])
    np.testing.assert_array_equal(a, before[0])
    np.testing.assert_array_equal(o, before[1])


# Errors -----------------------------------------------------------------------------------

ADD = """
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %o: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %r = linalg.add ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
      outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  func.return %r : tensor<?x?xf32>
}"""
CONVOLUTION = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %r = "linalg.conv_1d"(%a, %b, %o) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }) : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  func.return %r : tensor<?xf32>
}"""


@pytest.mark.parametrize(
    "program, shapes, message",
    [
        (ADD, [(2, 3), (2, 3), (2, 4)], "operand 2 .* size 4 where loop 1 has 3"),
        (ADD, [(2, 3), (1, 3), (2, 3)], "operand 1 .* size 1 where loop 0 has 2"),
        (CONVOLUTION, [(5,), (3,), (4,)], "indices 0 to 5 of dimension 0 of operand 0"),
    ],
)
def test_shapes_have_to_fit(
    program: str, shapes: Sequence[Sequence[int]], message: str
):
    with pytest.raises(UndefinedBehaviorError, match=message):
        run(program, *(numbers(*shape) for shape in shapes))


@pytest.mark.parametrize(
    "op, message",
    [
        (
            '%r = "linalg.unknown"(%a, %a) ({}) : (tensor<2xf32>, tensor<2xf32>) '
            "-> tensor<2xf32>",
            "has no semantics",
        ),
        (
            '%r = "linalg.batch_mmt4d"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) '
            "-> tensor<2xf32>",
            "indexing maps for 3",
        ),
        (
            '%r = "linalg.contract"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) '
            "-> tensor<2xf32>",
            "needs an attribute 'indexing_maps'",
        ),
        (
            '%r = "linalg.div_unsigned"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) '
            "-> tensor<2xf32>",
            "has no region",
        ),
        (
            "%i = linalg.index 0 : index\n %r = arith.addf %a, %a : tensor<2xf32>",
            "no loop 0",
        ),
    ],
)
def test_what_is_not_known_is_said(op: str, message: str):
    program = f"""
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {{
  {op}
  func.return %r : tensor<2xf32>
}}"""
    with pytest.raises(MissingSemanticsError, match=message):
        run(parse_module(program), numbers(2))


def test_all_ops_have_a_meaning():
    # These have no form on memrefs, and bufferization refuses them.
    assert without_semantics("linalg") == {
        f"linalg.winograd_{part}_transform" for part in ("filter", "input", "output")
    }
