"""The example programs compute what NumPy computes, once they are compiled."""

import re
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from tests.environments import PROJECT
from tests.peer import MlirTools
from tests.peer.runner import run_with_mlir_runner
from tests.xdsl_opt import BUFFERIZE, run_xdsl_opt

PASSES = ",".join(
    (
        BUFFERIZE,
        "convert-linalg-to-loops",
        "lower-affine",
        "canonicalize",
        "cse",
        "convert-scf-to-cf",
    )
)
"""As far as xDSL goes: tensors to memrefs, linalg to loops, loops to branches."""

Floats = npt.NDArray[np.float32]


def mlp(x: Floats, w1: Floats, b1: Floats, w2: Floats, b2: Floats) -> Floats:
    return np.maximum(x @ w1 + b1, 0) @ w2 + b2


def tiled_matmul(a: Floats, b: Floats) -> Floats:
    return a @ b


def convolution(image: Floats, kernel: Floats, bias: Floats) -> Floats:
    padded = np.pad(image, np.array([(0, 0), (0, 0), (1, 1), (1, 1)]))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    products = np.einsum("nchwyx,fcyx->nfhw", windows, kernel)
    return (products + bias[:, None, None]).astype(np.float32)


def attention(q: Floats, k: Floats, v: Floats) -> Floats:
    scores = q @ k.T / np.sqrt(np.float32(8))
    scores[np.triu_indices(6, 1)] = -np.inf
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True) @ v


def lower(example: str) -> str:
    """The example program after all of xDSL's passes, in generic form."""
    program = run_xdsl_opt(
        PROJECT / "examples" / f"{example}.mlir", "-p", PASSES, "--print-op-generic"
    )
    unlowered = re.findall(
        r'"(?:linalg|scf|affine|tensor|bufferization)\.\w+"', program
    )
    assert unlowered == []
    return program


@pytest.mark.parametrize(
    "reference, shapes",
    [
        (mlp, ((4, 8), (8, 16), (16,), (16, 3), (3,))),
        (tiled_matmul, ((8, 6), (6, 12))),
        (convolution, ((1, 3, 8, 8), (4, 3, 3, 3), (4,))),
        (attention, ((6, 8), (6, 8), (6, 8))),
    ],
)
def test_numbers_agree_with_numpy(
    mlir_tools: MlirTools,
    reference: Callable[..., Floats],
    shapes: tuple[tuple[int, ...], ...],
):
    name = reference.__name__
    program = lower(name)
    random = np.random.default_rng(seed=2022)
    inputs = [random.standard_normal(shape, dtype=np.float32) for shape in shapes]
    expected = reference(*inputs)
    (result,) = run_with_mlir_runner(mlir_tools, program, name, inputs)
    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-5)


def test_a_written_copy_leaves_the_original_as_it_was(mlir_tools: MlirTools):
    before = np.arange(8, dtype=np.float32)
    after, old = run_with_mlir_runner(
        mlir_tools,
        lower("in_place"),
        "exchange",
        [before, np.array(5), np.array(-1, dtype=np.float32)],
    )
    np.testing.assert_array_equal(after, [0, 1, 2, 3, 4, -1, 6, 7])
    assert old == 5
