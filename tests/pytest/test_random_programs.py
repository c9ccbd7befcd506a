"""
Random programs, decided and computed as mlir-opt does.

`python -m tests.pytest.test_random_programs FIRST LAST [FAMILY ...]` tries the seeds of a
range, with the families of ops named, or all of them, and counts what comes of it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

from tests.peer import MlirTools, PeerError, find_mlir_tools
from tests.peer.runner import (
    Array,
    parse_module,
    print_generic,
    run_with_mlir_runner,
)
from tests.programs import FAMILIES, Program, generate_program
from tests.programs.generator import LARGE
from xdsl_bufferization import OneShotOptions, bufferize
from xdsl_bufferization.diagnostics import BufferizationError
from xdsl_bufferization.transforms.annotations import IN_PLACE_ATTRIBUTE
from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferization

OPTIONS = OneShotOptions(
    bufferize_function_boundaries=True, allow_return_allocs_from_loops=True
)
STRICT = OneShotOptions(bufferize_function_boundaries=True)
COPYING = OneShotOptions(bufferize_function_boundaries=True, copy_before_write=True)
PEER_FLAGS = "bufferize-function-boundaries allow-return-allocs-from-loops"


def decisions(module: ModuleOp) -> list[str]:
    """Whether operands are in place, in program order."""
    return [
        str(decision)
        for op in module.walk()
        if (decision := op.attributes.get(IN_PLACE_ATTRIBUTE)) is not None
    ]


def compare(tools: MlirTools, seed: int, families: Sequence[str] = ()) -> str:
    """
    How our decisions on the program compare with mlir-opt's; where they differ, results
    are compared too.
    """
    program = generate_program(seed, families)
    generic = tools.opt(program.text)
    one_shot = OneShotBufferization(parse_module(generic), OPTIONS)
    try:
        one_shot.analyze()
        refused = False
    except BufferizationError:
        refused = True
    flags = f"--one-shot-bufferize={PEER_FLAGS}"
    try:
        tools.opt(program.text, flags)
        peer = tools.opt(program.text, f"{flags} test-analysis-only")
    except PeerError:
        if refused:
            return "both refuse"
        check_results(tools, program, seed, (OPTIONS,))
        return "only mlir-opt refuses"
    if refused:
        return "only we refuse"
    one_shot.annotate()
    ours, theirs = decisions(one_shot.module), decisions(parse_module(peer))
    if ours == theirs:
        return "equal"
    check_results(tools, program, seed, (OPTIONS,))
    copies, peer_copies = (sum(d.count("false") for d in ds) for ds in (ours, theirs))
    if copies < peer_copies:
        return "fewer copies"
    if not is_peer_right(tools, program, seed):
        return "mlir-opt lacks a copy"
    return "as many copies" if copies == peer_copies else "more copies"


def is_peer_right(tools: MlirTools, program: Program, seed: int) -> bool:
    """Whether mlir-opt's decisions leave what the program computes as it is."""
    try:
        return all(
            all(
                map(
                    np.array_equal,
                    run_peer(tools, program, inputs, PEER_FLAGS),
                    reference(tools, program, inputs),
                )
            )
            for inputs in (inputs_for(program, s) for s in (seed, seed + 1))
        )
    except PeerError:
        return False


def run_peer(
    tools: MlirTools, program: Program, inputs: Sequence[Array], flags: str
) -> Sequence[Array]:
    """What the program computes as mlir-opt bufferizes it."""
    return run_with_mlir_runner(
        tools,
        tools.opt(program.text, f"--one-shot-bufferize={flags}"),
        program.functions[-1].name,
        inputs,
    )


def run_ours(
    tools: MlirTools,
    program: Program,
    inputs: Sequence[Array],
    options: OneShotOptions,
) -> Sequence[Array]:
    """What the program computes as we bufferize it."""
    module = parse_module(tools.opt(program.text))
    bufferize(Context(), module, options)
    module.verify()
    return run_with_mlir_runner(
        tools,
        print_generic(module),
        program.functions[-1].name,
        inputs,
    )


def reference(
    tools: MlirTools, program: Program, inputs: Sequence[Array]
) -> Sequence[Array]:
    """
    What the program computes if every write is to a copy, as mlir-opt does that, or, on
    programs that this makes it fail on, as we do.
    """
    try:
        return run_peer(
            tools, program, inputs, "bufferize-function-boundaries copy-before-write"
        )
    except PeerError:
        return run_ours(tools, program, inputs, COPYING)


def inputs_for(program: Program, seed: int) -> list[Array]:
    """
    Arguments for the program's last function, small whole numbers; the condition is true
    for odd seeds.
    """
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


def check_results(
    tools: MlirTools,
    program: Program,
    seed: int,
    tried: Sequence[OneShotOptions] = (OPTIONS, STRICT, COPYING),
) -> None:
    """What the bufferized program computes is what it computes with all copies."""
    inputs = inputs_for(program, seed)
    expected = reference(tools, program, inputs)
    for options in tried:
        results = run_ours(tools, program, inputs, options)
        for ours, theirs in zip(results, expected, strict=True):
            np.testing.assert_array_equal(ours, theirs)


NEEDS_MORE_COPIES = {"blocks", "bodies", "switches"}
"""
Families on which mlir-opt misses conflicts, as docs/differences.md says. Not every program
computes something else because of that, so that a copy that we make and mlir-opt does not
is not always proven necessary by running its output.
"""

SEEDS: dict[tuple[str, ...], range] = {
    (): range(60),
    **{
        (family,): range(40 if family in NEEDS_MORE_COPIES else 60)
        for family in FAMILIES
    },
    FAMILIES: range(20),
}
"""The seeds that are tried each time, by families of ops."""

GROUPS = [
    (families, seeds[i : i + 20])
    for families, seeds in SEEDS.items()
    for i in range(0, len(seeds), 20)
]


@cache
def outcomes(tools: MlirTools, families: Sequence[str], seeds: range) -> dict[int, str]:
    return {seed: compare(tools, seed, families) for seed in seeds}


@pytest.mark.parametrize(
    ("families", "seeds"), GROUPS, ids=lambda value: str(value).replace("'", "")
)
def test_decisions_are_those_of_mlir_opt_or_better(
    families: Sequence[str], seeds: range, mlir_tools: MlirTools
):
    found = outcomes(mlir_tools, families, seeds)
    worse = {"only we refuse"}
    if NEEDS_MORE_COPIES.isdisjoint(families):
        worse.add("more copies")
    assert {seed: outcome for seed, outcome in found.items() if outcome in worse} == {}


def test_enough_programs_are_compared(
    mlir_tools: MlirTools, capsys: pytest.CaptureFixture[str]
):
    counts = Counter(
        outcome
        for families, seeds in GROUPS
        for outcome in outcomes(mlir_tools, families, seeds).values()
    )
    with capsys.disabled():
        print(f"\nrandom programs compared with mlir-opt: {dict(counts)}")
    assert counts.total() >= 500
    assert counts["equal"] >= 250


@pytest.mark.parametrize("seed", range(1000, 1012))
def test_results_are_those_of_a_program_with_all_copies(
    seed: int, mlir_tools: MlirTools
):
    check_results(mlir_tools, generate_program(seed, FAMILIES), seed)


def main() -> None:
    tools = find_mlir_tools()
    assert tools is not None, "needs LLVM 22's mlir-opt and mlir-runner"
    first, last, *families = sys.argv[1:]
    counts = Counter[str]()
    for seed in range(int(first), int(last)):
        try:
            outcome = compare(tools, seed, families or FAMILIES)
            check_results(tools, generate_program(seed, families or FAMILIES), seed)
        except (
            AssertionError,
            PeerError,
            VerifyException,
            BufferizationError,
        ) as error:
            outcome = "wrong"
            print(f"seed {seed}: {str(error).strip()[:300]}")
        counts[outcome] += 1
        if outcome in ("more copies", "only we refuse"):
            print(f"seed {seed}: {outcome}")
    print(dict(counts))


if __name__ == "__main__":
    main()
