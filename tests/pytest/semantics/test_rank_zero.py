"""Tensors and vectors without dimensions, compared with what MLIR makes of them."""

import numpy as np
import pytest

from tests.peer import MlirTools
from tests.peer.numpy_types import Array
from tests.semantics import BUFFERIZATION, compare_with_mlir, run

LINE = np.array([3, -1.5, 0.25, 7], np.float32)
X = np.array(0.1, np.float32)
ONE = np.array(1, np.int64)

OPS = {
    "scalar": (
        "vector.transfer_write %v, %s[] : vector<f32>, tensor<f32>",
        "tensor<f32>",
    ),
    "ranked": (
        "vector.transfer_write %v, %l[%i] : vector<f32>, tensor<4xf32>",
        "tensor<4xf32>",
    ),
    "sum": ("arith.addf %s, %s : tensor<f32>", "tensor<f32>"),
    "comparison": ("arith.cmpf oeq, %s, %s : tensor<f32>", "tensor<i1>"),
    "bits": ("arith.bitcast %s : tensor<f32> to tensor<i32>", "tensor<i32>"),
    "inserted": (
        "tensor.insert_slice %sum into %s[] [] [] : tensor<f32> into tensor<f32>",
        "tensor<f32>",
    ),
    "extracted": (
        "tensor.extract_slice %sum[] [] [] : tensor<f32> to tensor<f32>",
        "tensor<f32>",
    ),
}
"""By name: an op on a tensor or a vector without dimensions, and its type."""


def test_tensors_and_vectors_without_dimensions(mlir_tools: MlirTools):
    program = "\n".join(
        f"""
func.func @{name}(%s: tensor<f32>, %l: tensor<4xf32>, %x: f32, %i: index) -> {type} {{
  %read = vector.transfer_read %l[%i], %x : tensor<4xf32>, vector<f32>
  %v = arith.addf %read, %read : vector<f32>
  %sum = arith.addf %s, %s : tensor<f32>
  %r = {op}
  func.return %r : {type}
}}"""
        for name, (op, type) in OPS.items()
    )
    calls = [(name, [X, LINE, X, ONE]) for name in OPS]
    compare_with_mlir(
        mlir_tools, program, calls, "--convert-elementwise-to-linalg", BUFFERIZATION
    )


LINES = np.array([LINE, -LINE])
PADDED = np.array([LINE, LINE * 2])
"""The second vector is out of bounds, so it is not written, and padding is read."""


@pytest.mark.parametrize(
    "source, at, moved, vector, expected",
    [
        ("vector<4xf32>", "", "vector<4xf32>", LINE, LINE),
        ("3xvector<4xf32>", "%i", "vector<4xf32>", LINE, LINE),
        ("3xvector<4xf32>", "%i", "vector<2x4xf32>", LINES, PADDED),
    ],
)
@pytest.mark.parametrize("kind", ["tensor", "memref"])
def test_transfers_of_elements_that_are_vectors(
    kind: str, source: str, at: str, moved: str, vector: Array, expected: Array
):
    """The dimensions of an element are not those of the tensor or memref."""
    type = f"{kind}<{source}>"
    write = f"vector.transfer_write %v, %a[{at}] : {moved}, {type}"
    if kind == "tensor":
        body = f"%a = tensor.empty() : {type}\n%m = {write}"
    else:
        body = f"%m = memref.alloc() : {type}\n{write.replace('%a', '%m')}"

    (result,) = run(
        f"""
func.func @f(%v: {moved}, %i: index, %x: vector<4xf32>) -> {moved} {{
  {body}
  %r = vector.transfer_read %m[{at}], %x : {type}, {moved}
  func.return %r : {moved}
}}""",
        vector,
        np.int64(2),
        LINE * 2,
    )

    np.testing.assert_array_equal(result, expected, strict=True)
