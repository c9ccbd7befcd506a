"""Real programs: bufferized as a whole, and no worse than by MLIR's own pass."""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.deallocation import with_mlir_opt, with_xdsl
from tests.deallocation.recording import RecordedCall, Recording, run_recorded
from tests.environments import PROJECT
from tests.peer import MlirTools
from tests.xdsl_opt import run_xdsl_opt

INPUTS = PROJECT.parent / "shared" / "inputs"
NETWORKS = ("resnet50", "squeezenet", "vgg19", "deepseek_decode")
EXAMPLES = tuple(path.stem for path in sorted((PROJECT / "examples").glob("*.mlir")))


def tensor_types(generic_ir: str) -> set[str]:
    """The types of values that are tensors; constants' contents have such types, too."""
    return set(re.findall(r"(?<!> : )\btensor<[^>]*>", generic_ir))


def buffers(generic_ir: str) -> tuple[int, int]:
    """How many buffers the program allocates, and how many it copies."""
    return generic_ir.count('"memref.alloc"('), generic_ir.count('"memref.copy"(')


SLOW = "vgg19"
"""Its constants take xDSL minutes to read and print; it has no op that others have not."""

PROGRAMS = [
    *(pytest.param(INPUTS / f"{name}.mlir", id=name) for name in NETWORKS),
    *(
        pytest.param(PROJECT / "examples" / f"{name}.mlir", id=name)
        for name in EXAMPLES
    ),
]


@pytest.mark.parametrize("path", PROGRAMS)
def test_no_tensor_is_left_and_no_more_buffers_than_mlir_opt(
    mlir_tools: MlirTools, path: Path
):
    if not path.exists():
        pytest.skip(f"no {path.name} in {path.parent}, where the test inputs are kept")
    passes = "one-shot-bufferize{bufferize-function-boundaries=true}"
    ours = run_xdsl_opt(path, "-p", passes, "--print-op-generic")
    assert tensor_types(ours) == set()

    # What mlir-opt prints of it has passed its verifier.
    allocations, copies = buffers(mlir_tools.opt(ours))
    peer_allocations, peer_copies = buffers(
        mlir_tools.opt(
            path.read_text(), "--one-shot-bufferize=bufferize-function-boundaries"
        )
    )
    assert allocations <= peer_allocations
    assert copies <= peer_copies


@pytest.mark.parametrize("path", [p for p in PROGRAMS if p.id != SLOW])
def test_what_is_allocated_is_freed_as_by_mlir_opt(mlir_tools: MlirTools, path: Path):
    if not path.exists():
        pytest.skip(f"no {path.name} in {path.parent}, where the test inputs are kept")
    bufferize = "one-shot-bufferize{bufferize-function-boundaries=true}"
    passes = f"{bufferize},buffer-deallocation-pipeline"
    ours = mlir_tools.opt(run_xdsl_opt(path, "-p", passes, "--print-op-generic"))
    peer = mlir_tools.opt(
        path.read_text(),
        "--one-shot-bufferize=bufferize-function-boundaries",
        "--buffer-deallocation-pipeline",
    )
    for op in ("bufferization.clone", "scf.if", "memref.alloc"):
        assert ours.count(f'"{op}"(') <= peer.count(f'"{op}"(')
    leaks, peer_leaks = (
        text.count('"memref.alloc"(') - text.count('"memref.dealloc"(')
        for text in (ours, peer)
    )
    assert leaks <= peer_leaks


def test_a_network_frees_all_and_computes_the_same(mlir_tools: MlirTools):
    path = INPUTS / "squeezenet.mlir"
    if not path.exists():
        pytest.skip(f"no {path.name} in {path.parent}, where the test inputs are kept")
    passes = "one-shot-bufferize{bufferize-function-boundaries=true}"
    leaking = run_xdsl_opt(path, "-p", passes, "--print-op-generic")
    (ours,), (theirs,) = (
        pipeline(mlir_tools, [leaking]) for pipeline in (with_xdsl(), with_mlir_opt())
    )
    assert isinstance(ours, str)
    assert isinstance(theirs, str)
    image = np.linspace(-1, 1, 3 * 224 * 224, dtype=np.float32)
    inputs = [image.reshape(1, 3, 224, 224)]
    expected, found, peer = (
        run_recorded(mlir_tools, [RecordedCall(text, "squeezenet", inputs)])[0]
        for text in (leaking, ours, theirs)
    )
    assert isinstance(expected, Recording)
    assert isinstance(found, Recording)
    assert isinstance(peer, Recording)
    np.testing.assert_equal(found.results, expected.results)
    assert not found.errors
    assert found.counts.peak_bytes <= peer.counts.peak_bytes
