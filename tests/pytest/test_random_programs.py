"""
Random programs, decided and computed as mlir-opt does.

`python -m tests.pytest.test_random_programs FIRST LAST` tries the seeds of a range.
"""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from tests.peer import MlirTools, PeerError, find_mlir_tools
from tests.peer.runner import (
    Array,
    parse_module,
    print_generic,
    run_with_mlir_runner,
)
from tests.programs import generate_program
from tests.programs.generator import LARGE, Program
from xdsl_bufferization import OneShotOptions, bufferize
from xdsl_bufferization.diagnostics import BufferizationError
from xdsl_bufferization.transforms.annotations import IN_PLACE_ATTRIBUTE
from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferization

OPTIONS = OneShotOptions(bufferize_function_boundaries=True)
COPYING = OneShotOptions(bufferize_function_boundaries=True, copy_before_write=True)


def decisions(module: ModuleOp) -> list[str]:
    """Whether operands are in place, in program order."""
    return [
        str(decision)
        for op in module.walk()
        if (decision := op.attributes.get(IN_PLACE_ATTRIBUTE)) is not None
    ]


def compare_decisions(tools: MlirTools, seed: int) -> str:
    """How our decisions on the program compare with mlir-opt's."""
    text = generate_program(seed).text
    module = parse_module(tools.opt(text))
    one_shot = OneShotBufferization(module, OPTIONS)
    try:
        one_shot.analyze()
        refused = False
    except BufferizationError:
        refused = True
    try:
        peer = tools.opt(
            text,
            "--one-shot-bufferize=bufferize-function-boundaries test-analysis-only",
        )
    except PeerError:
        return "both refuse" if refused else "only mlir-opt refuses"
    if refused:
        return "only we refuse"
    one_shot.annotate()
    ours, theirs = decisions(module), decisions(parse_module(peer))
    if ours == theirs:
        return "equal"
    copies, peer_copies = (sum(d.count("false") for d in ds) for ds in (ours, theirs))
    if copies <= peer_copies:
        return "other, not more copies"
    return "more copies" if is_peer_right(tools, seed) else "mlir-opt lacks a copy"


def is_peer_right(tools: MlirTools, seed: int) -> bool:
    """Whether mlir-opt's decisions leave what the program computes as it is."""
    program = generate_program(seed)
    in_place = "--one-shot-bufferize=bufferize-function-boundaries"
    try:
        results = [
            run_with_mlir_runner(
                tools,
                tools.opt(program.text, in_place + more),
                program.functions[-1].name,
                inputs_for(program, seed),
            )
            for more in ("", " copy-before-write")
        ]
    except PeerError:
        return False
    return all(map(np.array_equal, *results))


def inputs_for(program: Program, seed: int) -> list[Array]:
    """Arguments for the program's last function, small whole numbers."""
    random = np.random.default_rng(seed)
    tensors: list[Array] = [
        random.integers(-3, 4, 8 if type == LARGE else 4).astype(np.float32)
        for type in program.functions[-1].arguments
    ]
    return [
        *tensors,
        np.array(3, np.int64),
        np.array(2, np.float32),
        np.array(seed % 2, np.bool_),
    ]


def check_results(tools: MlirTools, seed: int) -> None:
    """What the bufferized program computes, against mlir-opt's with all copies."""
    program = generate_program(seed)
    reference = tools.opt(
        program.text,
        "--one-shot-bufferize=bufferize-function-boundaries copy-before-write",
    )
    function = program.functions[-1].name
    expected = run_with_mlir_runner(
        tools, reference, function, inputs_for(program, seed)
    )
    for options in (OPTIONS, COPYING):
        module = parse_module(tools.opt(program.text))
        try:
            bufferize(Context(), module, options)
        except BufferizationError:
            continue
        module.verify()
        results = run_with_mlir_runner(
            tools, print_generic(module), function, inputs_for(program, seed)
        )
        for ours, theirs in zip(results, expected, strict=True):
            np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_decisions_are_those_of_mlir_opt_or_better(first: int, mlir_tools: MlirTools):
    outcomes = {
        seed: compare_decisions(mlir_tools, seed) for seed in range(first, first + 20)
    }
    for bad in ("more copies", "only we refuse"):
        assert [seed for seed, outcome in outcomes.items() if outcome == bad] == []
    assert [*outcomes.values()].count("equal") >= 15


@pytest.mark.parametrize("seed", range(1000, 1008))
def test_results_are_those_of_a_program_with_all_copies(
    seed: int, mlir_tools: MlirTools
):
    check_results(mlir_tools, seed)


if __name__ == "__main__":
    peer_tools = find_mlir_tools()
    assert peer_tools is not None, "needs LLVM 22's mlir-opt and mlir-runner"
    counts = Counter[str]()
    for number in range(int(sys.argv[1]), int(sys.argv[2])):
        outcome = compare_decisions(peer_tools, number)
        counts[outcome] += 1
        if outcome in ("more copies", "only we refuse"):
            print(f"seed {number}: {outcome}")
        check_results(peer_tools, number)
    print(dict(counts))
