"""
The checker accepts what is decided for random programs, and objects to conflicting operands
in place, unless the program computes the same in spite of it. Of mlir-opt's decisions it
accepts those that are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from xdsl.dialects.builtin import ModuleOp

from tests.peer import MlirTools, PeerError
from tests.peer.runner import parse_module, print_generic
from tests.programs import FAMILIES, generate_program
from tests.programs.comparison import OPTIONS, PEER_OPTIONS, PEER_STRICT, STRICT
from tests.programs.comparison import decisions as written_decisions
from tests.slow import in_turn, one_in, slow
from tests.verification import decide, problems, why_not_the_same
from xdsl_bufferization.support.diagnostics import BufferizationError

SEEDS = [range(1), *slow([range(1, 4)])]
SEEDS_TO_FLIP = [range(1), *slow([range(1, 2)])]
MANY = 12
"""Of more conflicts in one program than these, that many are looked at."""


ONCE_OBJECTED_TO = {
    ("blocks", 21): "a select of one tensor",
    (
        "bodies",
        "loops",
        "tensors",
        1961,
    ): "a loop that copies to a buffer of another",
    ("calls", 18): "element-wise on what is the same or apart",
    (
        "external",
        "switches",
        "tensors",
        611,
    ): "an insertion of what is in place or apart",
    ("structured", 10422): "a copy onto one of two tensors that a select takes",
    ("loops", 6): "a loop that copies what another one has in place",
    ("loops", 31): "buffers that change places, one of them by a copy",
    ("loops", "recursion", "tensors", 271): "a loop that always runs",
}
"""Families and seeds of programs whose decisions were right."""


def programs(
    tools: MlirTools, families: Sequence[str], seeds: Sequence[int], *flags: str
) -> Iterator[ModuleOp | None]:
    """The programs, after mlir-opt with the flags; `None` for one that it refuses."""
    texts = [generate_program(seed, families).text for seed in seeds]
    for result in tools.opt_each(texts, *flags):
        yield None if isinstance(result, PeerError) else parse_module(result)


@pytest.mark.parametrize("buffers, family", in_turn(["strict", "new"], FAMILIES, 4))
@pytest.mark.parametrize("seeds", SEEDS)
def test_decisions_are_accepted(
    mlir_tools: MlirTools, seeds: range, family: str, buffers: str
):
    ours_with = STRICT if buffers == "strict" else OPTIONS
    flags = PEER_STRICT if buffers == "strict" else PEER_OPTIONS
    for module, peer in zip(
        programs(mlir_tools, (family,), seeds),
        programs(
            mlir_tools,
            family,
            seeds,
            f"--one-shot-bufferize={flags} test-analysis-only",
        ),
        strict=True,
    ):
        assert module is not None
        try:
            decide(module, ours_with)
        except BufferizationError:
            continue
        assert not [*map(str, problems(module, ours_with))]
        if peer is not None and problems(peer, ours_with):
            ours, theirs = map(written_decisions, map(print_generic, (module, peer)))
            assert ours != theirs


@pytest.mark.parametrize(
    "program", one_in(4, ONCE_OBJECTED_TO), ids=ONCE_OBJECTED_TO.__getitem__
)
def test_right_decisions_are_accepted_now(
    mlir_tools: MlirTools, program: tuple[str | int, ...]
):
    *families, seed = program
    for options in (STRICT, OPTIONS):
        (module,) = programs(mlir_tools, [*map(str, families)], [int(seed)])
        assert module is not None
        try:
            decide(module, options)
        except BufferizationError:
            continue
        assert not [*map(str, problems(module, options))]


@pytest.mark.parametrize("family", one_in(9, FAMILIES))
@pytest.mark.parametrize("seeds", SEEDS_TO_FLIP)
def test_conflicts_are_objected_to(mlir_tools: MlirTools, seeds: range, family: str):
    for module in programs(mlir_tools, (family,), seeds):
        assert module is not None
        try:
            flips = decide(module, STRICT)
        except BufferizationError:
            continue
        for flip in flips[:: len(flips) // MANY + 1]:
            flip.make()
            if not problems(module, STRICT):
                assert not why_not_the_same(module, STRICT), flip
            flip.undo()
