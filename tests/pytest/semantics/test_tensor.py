"""tensor ops, compared with what MLIR bufferizes and compiles them to, and with NumPy."""

import numpy as np
import pytest

from tests.peer import MlirTools
from tests.peer.runner import parse_module
from tests.semantics import (
    BUFFERIZATION,
    GARBAGE,
    compare_with_mlir,
    run,
    without_semantics,
)
from xdsl_bufferization.semantics.errors import ExecutionError, UndefinedBehaviorError

T = np.arange(20, dtype=np.float32).reshape(4, 5) * 0.5 - 3
S = np.arange(6, dtype=np.float32).reshape(2, 3) + 100
X = np.array(7.5, np.float32)
ONE, TWO = np.array(1, np.int64), np.array(2, np.int64)

FUNCTIONS = {
    "cast": "%r = tensor.cast %t : tensor<4x5xf32> to tensor<?x5xf32>",
    "collapse": "%r = tensor.collapse_shape %t [[0, 1]] : "
    "tensor<4x5xf32> into tensor<20xf32>",
    "expand": "%c = tensor.cast %s : tensor<2x3xf32> to tensor<2x?xf32>\n"
    "%r = tensor.expand_shape %c [[0], [1, 2]] output_shape [2, 3, %i] : "
    "tensor<2x?xf32> into tensor<2x3x?xf32>",
    "concat": "%r = tensor.concat dim(1) %s, %s : (tensor<2x3xf32>, tensor<2x3xf32>) -> "
    "tensor<2x6xf32>",
    "dim": "%d = tensor.dim %t, %i : tensor<4x5xf32>\n"
    "%r = tensor.from_elements %d, %n : tensor<2xindex>",
    "extract": "%e = tensor.extract %t[%n, %i] : tensor<4x5xf32>\n"
    "%r = tensor.from_elements %e : tensor<f32>",
    "insert": "%r = tensor.insert %x into %t[%n, %i] : tensor<4x5xf32>",
    "insert_scalar": "%e = tensor.from_elements %x : tensor<f32>\n"
    "%g = arith.addf %e, %e : tensor<f32>\n"
    "%r = tensor.insert %x into %g[] : tensor<f32>",
    "extract_slice": "%r = tensor.extract_slice %t[%i, 0] [%n, 3] [1, 2] : "
    "tensor<4x5xf32> to tensor<?x3xf32>",
    "extract_row": "%r = tensor.extract_slice %t[%i, 1] [1, 3] [1, 1] : "
    "tensor<4x5xf32> to tensor<3xf32>",
    "extract_ones": "%r = tensor.extract_slice %t[%i, 1] [1, 1] [1, 1] : "
    "tensor<4x5xf32> to tensor<1xf32>",
    "insert_slice": "%r = tensor.insert_slice %s into %t[%i, 0] [2, 3] [%n, 2] : "
    "tensor<2x3xf32> into tensor<4x5xf32>",
    "insert_row": "%c = tensor.extract_slice %s[0, 0] [1, 3] [1, 1] : "
    "tensor<2x3xf32> to tensor<3xf32>\n"
    "%r = tensor.insert_slice %c into %t[%i, %n] [1, 3] [1, 1] : "
    "tensor<3xf32> into tensor<4x5xf32>",
    "from_elements": "%r = tensor.from_elements %i, %n, %n, %n : tensor<2x2xindex>",
    "generate": """%r = tensor.generate %n, %i {
    ^bb0(%a: index, %b: index):
      %e = tensor.extract %t[%b, %a] : tensor<4x5xf32>
      %g = arith.addf %e, %x : f32
      tensor.yield %g : f32
    } : tensor<?x?xf32>""",
    "generate_by_loops": """%r = tensor.generate %n {
    ^bb0(%a: index):
      %e = scf.for %k = %i to %n step %i iter_args(%g = %x) -> f32 {
        %v = tensor.extract %t[%k, %a] : tensor<4x5xf32>
        %h = arith.addf %g, %v : f32
        scf.yield %h : f32
      }
      tensor.yield %e : f32
    } : tensor<?xf32>""",
    "pad": """%r = tensor.pad %s low[%i, 0] high[1, %n] {
    ^bb0(%a: index, %b: index):
      tensor.yield %x : f32
    } : tensor<2x3xf32> to tensor<?x?xf32>""",
    "pad_by_index": """%r = tensor.pad %s nofold low[1, 0] high[0, 2] {
    ^bb0(%a: index, %b: index):
      %e = tensor.extract %t[%a, %b] : tensor<4x5xf32>
      tensor.yield %e : f32
    } : tensor<2x3xf32> to tensor<3x5xf32>""",
    "rank": "%d = tensor.rank %t : tensor<4x5xf32>\n"
    "%r = tensor.from_elements %d : tensor<1xindex>",
    "splat": "%r = tensor.splat %x[%n] : tensor<?x2xf32>",
}
"""By name: ops that make %r of %t, %s, %x, %i (one) and %n (two)."""


def program() -> str:
    functions: list[str] = []
    for name, body in FUNCTIONS.items():
        # The last type in the text is that of the result.
        type = "tensor<" + body.rpartition("tensor<")[2].partition(">")[0] + ">"
        functions.append(
            f"func.func @{name}(%t: tensor<4x5xf32>, %s: tensor<2x3xf32>, %x: f32, "
            f"%i: index, %n: index) -> {type} {{\n"
            f"{body}\nfunc.return %r : {type}\n}}"
        )
    return "\n".join(functions)


def test_ops_do_what_mlir_compiles_them_to(mlir_tools: MlirTools):
    calls = [(name, [T, S, X, ONE, TWO]) for name in FUNCTIONS]
    compare_with_mlir(
        mlir_tools, program(), calls, "--convert-elementwise-to-linalg", BUFFERIZATION
    )


def test_what_is_uninitialised_is_filled():
    (result,) = run(
        """
func.func @f(%n: index) -> tensor<?x2xf32> {
  %r = tensor.empty(%n) : tensor<?x2xf32>
  func.return %r : tensor<?x2xf32>
}""",
        np.int64(3),
    )
    np.testing.assert_array_equal(result, np.full((3, 2), GARBAGE, np.float32))


SOURCE = np.arange(24).reshape(2, 3, 4).astype(np.int32)


@pytest.mark.parametrize("reduced", [False, True])
def test_gather_and_scatter(reduced: bool):
    parts = "tensor<2x3xi32>" if reduced else "tensor<2x1x3x1xi32>"
    gathered, scattered = run(
        f"""
func.func @f(%t: tensor<2x3x4xi32>, %c: tensor<2x2xindex>) ->
    ({parts}, tensor<2x3x4xi32>) {{
  %zeros = arith.constant dense<0> : tensor<2x3x4xi32>
  %g = "tensor.gather"(%t, %c) <{{gather_dims = array<i64: 0, 2>}}>
    : (tensor<2x3x4xi32>, tensor<2x2xindex>) -> {parts}
  %s = "tensor.scatter"(%g, %zeros, %c) <{{scatter_dims = array<i64: 0, 2>, unique}}>
    : ({parts}, tensor<2x3x4xi32>, tensor<2x2xindex>) -> tensor<2x3x4xi32>
  func.return %g, %s : {parts}, tensor<2x3x4xi32>
}}""",
        SOURCE,
        np.array([[1, 0], [0, 3]], np.int64),
    )
    columns = np.stack([SOURCE[1, :, 0], SOURCE[0, :, 3]])
    np.testing.assert_array_equal(
        gathered, columns if reduced else columns[:, None, :, None]
    )
    zeros = np.zeros_like(SOURCE)
    zeros[1, :, 0], zeros[0, :, 3] = columns
    np.testing.assert_array_equal(scattered, zeros)


def test_bits_of_other_types():
    (result,) = run(
        """
func.func @f(%t: tensor<4x5xf32>) -> tensor<4x2xi32> {
  %s = "tensor.extract_slice"(%t) <{static_offsets = array<i64: 0, 1>,
      static_sizes = array<i64: 4, 2>, static_strides = array<i64: 1, 2>,
      operandSegmentSizes = array<i32: 1, 0, 0, 0>}>
    : (tensor<4x5xf32>) -> tensor<4x2xf32>
  %r = "tensor.bitcast"(%s) : (tensor<4x2xf32>) -> tensor<4x2xi32>
  func.return %r : tensor<4x2xi32>
}""",
        T,
    )
    np.testing.assert_array_equal(result.view(np.float32), T[:, 1:5:2])


def test_sizes_from_a_tensor():
    program = """
func.func @f(%s: tensor<2x3xf32>, %c: tensor<2xindex>) -> tensor<?x?xf32> {
  %r = tensor.reshape %s(%c) : (tensor<2x3xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  func.return %r : tensor<?x?xf32>
}"""
    (result,) = run(program, S, np.array([3, 2]))
    np.testing.assert_array_equal(result, S.reshape(3, 2))
    with pytest.raises(UndefinedBehaviorError, match="reshaped to"):
        run(program, S, np.array([2, 2]))


def test_slices_backwards():
    (result,) = run(
        """
func.func @f(%t: tensor<4x5xf32>, %s: index) -> tensor<2x3xf32> {
  %e = tensor.extract_slice %t[3, 4] [2, 3] [-2, %s]
    : tensor<4x5xf32> to tensor<2x3xf32>
  func.return %e : tensor<2x3xf32>
}""",
        T,
        np.int64(-2),
    )
    np.testing.assert_array_equal(result, T[::-2, ::-2])


@pytest.mark.parametrize(
    "body, message",
    [
        (
            "tensor.extract %t[%i, %i] : tensor<4x5xf32>",
            r"indices \[-1, -1\] are out of the bounds of shape \[4, 5\]",
        ),
        (
            "tensor.insert %x into %t[%n, %n] : tensor<4x5xf32>",
            r"indices \[4, 4\] are out of the bounds of shape \[4, 5\]",
        ),
        ("tensor.dim %t, %n : tensor<4x5xf32>", "dimension 4 of a tensor of rank 2"),
        ("tensor.empty(%i) : tensor<?xf32>", r"negative size: \[-1\]"),
        (
            "tensor.extract_slice %t[%i, 0] [1, 1] [1, 1] : "
            "tensor<4x5xf32> to tensor<1x1xf32>",
            "offset -1, size 1 and stride 1 is out of the bounds of dimension 0 of size 4",
        ),
        (
            "tensor.extract_slice %t[0, 0] [1, %n] [1, 2] : "
            "tensor<4x5xf32> to tensor<1x?xf32>",
            "offset 0, size 4 and stride 2 is out of the bounds of dimension 1 of size 5",
        ),
        (
            "tensor.insert_slice %u into %t[0, 0] [2, %n] [1, 1] : "
            "tensor<?x?xf32> into tensor<4x5xf32>",
            r"shape \[2, 3\] does not fit a slice of \[2, 4\]",
        ),
        (
            "tensor.cast %u : tensor<?x?xf32> to tensor<2x4xf32>",
            r"shape \[2, 3\] is taken for a tensor<2x4xf32>",
        ),
        (
            '"tensor.expand_shape"(%u, %n) <{reassociation = [[0], [1, 2]], '
            "static_output_shape = array<i64: 2, 2, -9223372036854775808>}> : "
            "(tensor<?x?xf32>, index) -> tensor<2x2x?xf32>",
            r"size 3 is expanded to \[2, 4\]",
        ),
        (
            '"tensor.pad"(%t, %i) <{operandSegmentSizes = array<i32: 1, 0, 1>, '
            "static_low = array<i64: 0, 0>, static_high = array<i64: 0, "
            "-9223372036854775808>}> ({^bb0(%a: index, %b: index):\n"
            "tensor.yield %x : f32}) : (tensor<4x5xf32>, index) -> tensor<4x?xf32>",
            "negative padding",
        ),
        (
            "tensor.splat %x[%i] : tensor<?x2xf32>",
            r"negative size: \[-1, 2\]",
        ),
        (
            '"tensor.gather"(%t, %c) <{gather_dims = array<i64: 0>, unique}> : '
            "(tensor<4x5xf32>, tensor<2x1xindex>) -> tensor<2x1x5xf32>",
            r"coordinates \[4, 4\] are out of the bounds of dimension 0 of size 4",
        ),
    ],
)
def test_what_is_not_allowed(body: str, message: str):
    program = f"""
func.func @f(%t: tensor<4x5xf32>, %u: tensor<?x?xf32>, %c: tensor<2x1xindex>,
    %x: f32, %i: index, %n: index) {{
  %r = {body}
  func.return
}}"""
    arguments = [T, S, np.full((2, 1), 4), X[()], np.int64(-1), np.int64(4)]
    with pytest.raises(ExecutionError, match=message):
        run(parse_module(program), *arguments)


def test_scattering_twice_to_a_place_is_not_allowed():
    with pytest.raises(UndefinedBehaviorError, match="scattered to the same place"):
        run(
            """
func.func @f(%t: tensor<4x5xf32>, %p: tensor<2x1x5xf32>, %c: tensor<2x1xindex>) {
  %s = "tensor.scatter"(%p, %t, %c) <{scatter_dims = array<i64: 0>, unique}>
    : (tensor<2x1x5xf32>, tensor<4x5xf32>, tensor<2x1xindex>) -> tensor<4x5xf32>
  func.return
}""",
            T,
            np.zeros((2, 1, 5), np.float32),
            np.ones((2, 1), np.int64),
        )


def test_all_ops_have_a_meaning():
    # The loop around it does what it says.
    assert without_semantics("tensor") == {"tensor.parallel_insert_slice"}


def test_tiles():
    packed, unpacked = run(
        """
func.func @f(%t: tensor<4x5xf32>, %p: tensor<3x2x2x2xf32>, %x: f32) ->
    (tensor<3x2x2x2xf32>, tensor<4x5xf32>) {
  %r = "tensor.pack"(%t, %p, %x) <{inner_dims_pos = array<i64: 1, 0>,
      outer_dims_perm = array<i64: 1, 0>, static_inner_tiles = array<i64: 2, 2>,
      operandSegmentSizes = array<i32: 1, 1, 1, 0>}>
    : (tensor<4x5xf32>, tensor<3x2x2x2xf32>, f32) -> tensor<3x2x2x2xf32>
  %u = "tensor.unpack"(%r, %t) <{inner_dims_pos = array<i64: 1, 0>,
      outer_dims_perm = array<i64: 1, 0>, static_inner_tiles = array<i64: 2, 2>}>
    : (tensor<3x2x2x2xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  func.return %r, %u : tensor<3x2x2x2xf32>, tensor<4x5xf32>
}""",
        T,
        np.zeros((3, 2, 2, 2), np.float32),
        X[()],
    )
    padded = np.full((4, 6), X)
    padded[:, :5] = T
    np.testing.assert_array_equal(
        packed, padded.reshape(2, 2, 3, 2).transpose(2, 0, 3, 1)
    )
    np.testing.assert_array_equal(unpacked, T)
