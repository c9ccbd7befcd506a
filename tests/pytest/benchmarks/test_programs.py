"""The programs that are timed: what they compute, and that nothing in them is copied."""

from collections.abc import Callable

import numpy as np
import pytest

from benchmarks.programs import (
    FAMILIES,
    block_arguments,
    carried_tensors,
    chained_adds,
    reads_then_write,
    size,
    tiles,
)
from tests.fuzzing.trials import apply
from tests.peer import MlirTools
from tests.peer.runner import (
    Array,
    parse_module,
    print_generic,
    run_with_mlir_runner,
)
from tests.xdsl_opt import BUFFERIZE

N = 5
FACTOR = np.float32(10)


def expected(family: Callable[[int], str], start: Array) -> Array:
    result = start.copy()
    if family is chained_adds:
        return result * (N + 1)
    if family is reads_then_write:
        result[0] = 2 * FACTOR + start[:N].sum()
    elif family is tiles:
        result *= 2
    elif family in (block_arguments, carried_tensors):
        result[:] = FACTOR
    else:
        result[:N] = FACTOR
    return result


@pytest.mark.parametrize("family", FAMILIES.values())
def test_program_computes_in_place_what_it_says(
    mlir_tools: MlirTools, family: Callable[[int], str]
):
    module = parse_module(family(N))
    apply(BUFFERIZE, module)
    program = print_generic(module)
    # Each addition, and each tensor that is forwarded, has memory of its own; all else happens
    # in the argument.
    with_memory = chained_adds, block_arguments, carried_tensors
    allocations = N if family in with_memory else 0
    assert program.count('"memref.alloc"(') == allocations

    start = np.arange(size(family, N), dtype=np.float32)
    (result,) = run_with_mlir_runner(
        mlir_tools, program, "main", [start, np.array(FACTOR)]
    )
    np.testing.assert_array_equal(result, expected(family, start))
