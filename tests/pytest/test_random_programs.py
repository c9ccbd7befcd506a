"""
Random programs, decided and computed as mlir-opt does.

`python -m tests.pytest.test_random_programs FIRST LAST [FAMILY ...]` tries the seeds of a
range, with the families of ops named, or all of them, and counts what comes of it.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tests.peer import MlirTools, PeerError, find_mlir_tools
from tests.peer.runner import Call, parse_module, run_calls
from tests.programs import FAMILIES, generate_program
from tests.programs.boundaries import define_external
from tests.programs.comparison import (
    BAD,
    PEER_COPYING,
    Comparison,
    Outcome,
    compare,
    computed,
    inputs_for,
)
from tests.sharing import shared
from tests.slow import exhaustive, one_in, slow

GROUP = 20
"""Programs that are bufferized by one process, and compiled together."""

PEER_MISSES = {"blocks", "bodies", "switches"}
"""
Families on which mlir-opt misses conflicts, as docs/differences.md says. Not every program
computes something else because of that, so that a copy that we make and mlir-opt does not
is not always proven necessary by running its output.
"""

PEER_RUNS_ONCE = "bodies"
"""The family of regions that run many times, of which mlir-opt does not know it."""

TOGETHER = tuple(family for family in FAMILIES if family != "external")
"""Families that one program may be made of: external functions take f32 only."""

SEEDS: dict[tuple[str, ...], range] = {
    (): range(40),
    **{(family,): range(20 if family in PEER_MISSES else 40) for family in FAMILIES},
    TOGETHER: range(20),
}
"""The seeds that are tried each time, by families of ops."""

GROUPS: list[tuple[Sequence[str], range]] = [
    (families, seeds[i : i + GROUP])
    for families, seeds in SEEDS.items()
    for i in range(0, len(seeds), GROUP)
]

FIRST_GROUPS = [group for group in GROUPS if 0 in group[1]]
"""Those that `make test-all` tries, and `make test-exhaustive` all."""


def comparisons_of(
    tools: MlirTools, families: Sequence[str], seeds: range, *, run_all: bool = False
) -> Iterator[tuple[int, Comparison]]:
    """Each seed's program compared."""
    for i in range(0, len(seeds), GROUP):
        group = seeds[i : i + GROUP]
        programs = [generate_program(seed, families) for seed in group]
        comparisons = compare(tools, programs, run_all=run_all)
        yield from zip(group, comparisons, strict=True)


@cache
def compared(
    tools: MlirTools, families: Sequence[str], seeds: range
) -> dict[int, Comparison]:
    """Each seed's program compared; all are run of every fifth group."""
    run_all = GROUPS.index((families, seeds)) % 5 == 2
    return dict(comparisons_of(tools, families, seeds, run_all=run_all))


def bad_outcomes(families: Sequence[str]) -> set[Outcome]:
    """Those that no program of the families may have."""
    bad = set(BAD)
    if not PEER_MISSES.isdisjoint(families):
        bad.remove(Outcome.MORE)
    if PEER_RUNS_ONCE in families:
        bad.remove(Outcome.RACE)
    return bad


def test_a_program_of_all_families(mlir_tools: MlirTools):
    (found,) = compare(mlir_tools, [generate_program(0, TOGETHER)], run_all=False)
    assert found.outcome not in bad_outcomes(TOGETHER), found.detail


@pytest.mark.parametrize(
    "group",
    [
        *slow(FIRST_GROUPS),
        *exhaustive(group for group in GROUPS if group not in FIRST_GROUPS),
    ],
    ids=lambda value: str(value).replace("'", ""),
)
def test_decisions_are_those_of_mlir_opt_or_better(
    group: tuple[Sequence[str], range],
    mlir_tools: MlirTools,
    shared_directory: Path,
):
    families, seeds = group
    found = compared(mlir_tools, families, seeds)
    count_outcomes(mlir_tools, families, seeds, shared_directory)
    assert {
        seed: f"{comparison.outcome}: {comparison.detail}"
        for seed, comparison in found.items()
        if comparison.outcome in bad_outcomes(families)
    } == {}


def count_outcomes(
    tools: MlirTools, families: Sequence[str], seeds: range, directory: Path
) -> Counter[str]:
    """What came of the group, which is in the directory if another process found it."""

    def count() -> str:
        found = compared(tools, families, seeds).values()
        return json.dumps(Counter(str(comparison.outcome) for comparison in found))

    number = GROUPS.index((families, seeds))
    return Counter(json.loads(shared(directory / f"random-programs-{number}", count)))


@pytest.mark.parametrize(
    ("groups", "enough"),
    [
        pytest.param(FIRST_GROUPS, 350, marks=pytest.mark.slow),
        pytest.param(GROUPS, 500, marks=[pytest.mark.slow, pytest.mark.exhaustive]),
    ],
    ids=["first groups", "all groups"],
)
def test_enough_programs_are_compared(
    groups: Sequence[tuple[Sequence[str], range]],
    enough: int,
    mlir_tools: MlirTools,
    shared_directory: Path,
    capsys: pytest.CaptureFixture[str],
):
    counts = Counter[str]()
    for group in groups:
        counts += count_outcomes(mlir_tools, *group, shared_directory)
    with capsys.disabled():
        print(f"\nrandom programs compared with mlir-opt: {dict(counts)}")
    assert counts.total() >= enough
    assert counts[Outcome.EQUAL] >= counts.total() // 2


@pytest.mark.parametrize("seeds", [range(1000, 1001), *slow([range(1001, 1005)])])
@pytest.mark.parametrize("family", one_in(9, FAMILIES))
def test_the_reference_is_what_mlir_opt_computes_with_all_copies(
    family: str, seeds: range, mlir_tools: MlirTools
):
    programs = [generate_program(seed, [family]) for seed in seeds]
    texts = [program.text for program in programs]
    # Of calls mlir-opt 22 may find no end then; what it can do takes it far less time.
    copied = mlir_tools.opt_each(
        texts, f"--one-shot-bufferize={PEER_COPYING}", timeout=5
    )
    calls: list[Call] = []
    expected: list[Sequence[object]] = []
    for program, text, copy in zip(
        programs, mlir_tools.opt_each(texts), copied, strict=True
    ):
        if isinstance(copy, PeerError) or isinstance(text, PeerError):
            continue  # there are programs that this makes mlir-opt fail on
        module = parse_module(text)
        for function, inputs in inputs_for(program):
            calls.append(Call(define_external(module, copy), function.name, inputs))
        expected += computed(program, module)
    for results, wanted in zip(run_calls(mlir_tools, calls), expected, strict=True):
        assert not isinstance(results, PeerError)
        for result, value in zip(results, wanted, strict=True):
            np.testing.assert_array_equal(result, value)


def main() -> None:
    tools = find_mlir_tools()
    assert tools is not None, "needs LLVM 22's mlir-opt and mlir-runner"
    first, last, *families = sys.argv[1:]
    counts = Counter[str]()
    seeds = range(int(first), int(last))
    for seed, comparison in comparisons_of(
        tools, families or TOGETHER, seeds, run_all=True
    ):
        counts[comparison.outcome] += 1
        if comparison.outcome in BAD:
            print(f"seed {seed}: {comparison.outcome}: {comparison.detail[:300]}")
    print(dict(counts))


if __name__ == "__main__":
    main()
