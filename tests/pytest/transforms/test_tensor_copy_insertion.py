"""`tensor-copy-insertion` makes the program that mlir-opt's test pass makes."""

from __future__ import annotations

import pytest
from xdsl.context import Context

from tests.peer import MlirTools, PeerError
from tests.peer.runner import parse_module, print_generic
from tests.pytest.test_decisions import (
    DIFFERENCES,
    FILES,
    UNREGISTERED,
    readable_by_both,
)
from tests.slow import in_turn
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.transforms.tensor_copy_insertion import TensorCopyInsertionPass

PASSES = {
    "": TensorCopyInsertionPass(),
    "bufferize-function-boundaries": TensorCopyInsertionPass(
        bufferize_function_boundaries=True
    ),
    "bufferize-function-boundaries allow-return-allocs-from-loops": (
        TensorCopyInsertionPass(
            bufferize_function_boundaries=True, allow_return_allocs_from_loops=True
        )
    ),
}
"""By the options of mlir-opt's pass: ours with the same ones."""

NOT_COMPARED = {
    # mlir-opt ignores what is donated: "Donated arguments".
    "examples/copies/key_value_cache.mlir",
    "examples/jax/training_step.mlir",
    *(file for file in FILES if "donated" in file),
    "tests/filecheck/transforms/bufferize-donations.mlir",
    "tests/filecheck/transforms/eliminate-copies/inits.mlir",
    "tests/filecheck/transforms/eliminate-copies/save-contents.mlir",
    "tests/filecheck/transforms/eliminate-moves/readers.mlir",
    "tests/filecheck/transforms/eliminate-moves/views.mlir",
    "tests/filecheck/transforms/one-shot-bufferize/attributes-errors.mlir",
    # mlir-opt wants the operand of a `to_buffer` in place, which is not writable.
    "tests/filecheck/dialects/bufferization/to_buffer.mlir",
    # Loops that we know to carry tensors of one size: "Parts of tensors".
    "tests/filecheck/models/tensor/whole_slices.mlir",
    # Without function boundaries mlir-opt analyses no module within: "Modules within modules".
    "tests/filecheck/transforms/bufferize-nested-modules.mlir",
    "tests/filecheck/transforms/one-shot-bufferize/nested-modules.mlir",
    # Loops that bufferize alone accepts.
    "tests/filecheck/transforms/bufferize-loops.mlir",
    # Loops that carry tensors of one size, which is known at run time only: "Loops that yield
    # other buffers".
    "tests/filecheck/transforms/bufferize-dynamic-loops.mlir",
    # Parts of a buffer for two positions of a loop, what is computed in new buffers, and what
    # calls return: "Loops that yield other buffers".
    "tests/filecheck/models/func/allocated_results.mlir",
    "tests/filecheck/models/scf/for_parts.mlir",
    "tests/filecheck/transforms/eliminate-copies/carried.mlir",
    "tests/filecheck/transforms/eliminate-copies/scans.mlir",
    # xDSL gives a resource that is read again in the same process another name.
    "tests/filecheck/models/arith/constant_resource.mlir",
    "tests/filecheck/models/ml_program/resource.mlir",
    # What has no form on memrefs, which mlir-opt notices in the rewrite only.
    "tests/filecheck/models/bufferization/unranked-errors.mlir",
    "tests/filecheck/transforms/one-shot-bufferize/layouts-errors.mlir",
    "tests/filecheck/transforms/one-shot-bufferize/memory-spaces-errors.mlir",
    "tests/filecheck/transforms/one-shot-bufferize/use-encoding-for-memory-space-of-functions.mlir",
    # Loops that hand on what an op returns that stays on tensors: "Loops that hand over other
    # buffers".
    "tests/filecheck/transforms/convert-elementwise-to-linalg.mlir",
    "tests/filecheck/former/scf-bufferize.mlir",
    *DIFFERENCES,
}
"""Files with programs on which the two differ, as docs/differences.md says."""


def ours(program: str, copy_insertion: TensorCopyInsertionPass) -> str | None:
    """The program with copies, in generic form; `None` if it is refused."""
    module = parse_module(program)
    try:
        copy_insertion.apply(Context(), module)
    except BufferizationError:
        return None
    module.verify()
    return print_generic(module)


@pytest.mark.parametrize(
    "options, file",
    in_turn(PASSES, [file for file in FILES if file not in NOT_COMPARED], 16),
)
def test_copies_are_those_of_mlir_opt(mlir_tools: MlirTools, options: str, file: str):
    programs = readable_by_both(mlir_tools, file)
    insertion = f"--test-tensor-copy-insertion={options}"
    expected = mlir_tools.opt_each(programs, UNREGISTERED, insertion)
    results = [ours(program, PASSES[options]) for program in programs]
    for result, peer in zip(results, expected, strict=True):
        assert (result is None) == isinstance(peer, PeerError)
    accepted = [result for result in results if result is not None]
    assert mlir_tools.opt_each(accepted, UNREGISTERED) == [
        peer for peer in expected if not isinstance(peer, PeerError)
    ]
