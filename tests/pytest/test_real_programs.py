"""Real programs: bufferized as a whole, and no worse than by MLIR's own pass."""

import re
from pathlib import Path

import pytest

from tests.environments import PROJECT
from tests.peer import MlirTools
from tests.xdsl_opt import run_xdsl_opt

INPUTS = PROJECT.parent / "shared" / "inputs"
NETWORKS = ("resnet50", "squeezenet", "vgg19", "deepseek_decode")
EXAMPLES = tuple(path.stem for path in sorted((PROJECT / "examples").glob("*.mlir")))


def count(op: str, generic_ir: str) -> int:
    return generic_ir.count(f'"{op}"(')


@pytest.mark.parametrize(
    "path",
    [
        *(pytest.param(INPUTS / f"{name}.mlir", id=name) for name in NETWORKS),
        *(
            pytest.param(PROJECT / "examples" / f"{name}.mlir", id=name)
            for name in EXAMPLES
        ),
    ],
)
def test_no_tensor_is_left_and_no_more_buffers_than_mlir_opt(
    mlir_tools: MlirTools, path: Path
):
    if not path.exists():
        pytest.skip(f"no {path.name} in {path.parent}, where the test inputs are kept")
    passes = "one-shot-bufferize{bufferize-function-boundaries=true}"
    ours = run_xdsl_opt(path, "-p", passes, "--print-op-generic")
    assert not re.findall(r"(?<!\w)tensor<", ours)

    # What mlir-opt prints of it has passed its verifier.
    accepted = mlir_tools.opt(ours)
    theirs = mlir_tools.opt(
        path.read_text(), "--one-shot-bufferize=bufferize-function-boundaries"
    )
    for op in ("memref.alloc", "memref.copy"):
        assert count(op, accepted) <= count(op, theirs)
