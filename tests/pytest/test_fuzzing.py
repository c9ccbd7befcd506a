"""
Random programs mean the same behind each pipeline, and those on which mlir-opt is wrong are
what docs/mlir-opt-bugs.md says.

A fixed set; `make fuzz` goes on with others.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

from tests.fuzzing.campaign import RANDOM, Origin, Outcome, Tally, try_program
from tests.fuzzing.compiled import try_compiled
from tests.fuzzing.documented import (
    SEEDS,
    DocumentedProgram,
    documented_programs,
)
from tests.fuzzing.found import Found, found_programs
from tests.fuzzing.minimal import minimal
from tests.fuzzing.options import PASS_OPTIONS
from tests.fuzzing.pipelines import ALONE, FREED, PIPELINES
from tests.fuzzing.random_pipelines import random_pipeline
from tests.fuzzing.strategy import NEEDS_TOOLS, families_here, modules
from tests.fuzzing.texts import Verdict as TextVerdict
from tests.fuzzing.texts import text_of, try_text
from tests.fuzzing.trials import Trial, Verdict, apply, attempt, compared, read
from tests.peer import MlirTools, find_mlir_tools, why_no_mlir_tools
from tests.programs import FAMILIES, FREEING_FAMILIES, MEMORY_FAMILIES
from tests.slow import first_of, in_turn, one_in, slow
from xdsl_bufferization.universe import UNIVERSE

DOCUMENTED = [*documented_programs()]


def skip_what_cannot_be_read(family: str):
    if family == NEEDS_TOOLS and find_mlir_tools() is None:
        pytest.skip(why_no_mlir_tools())


@pytest.mark.parametrize("number", [2, *slow([12])])
@pytest.mark.parametrize("family", FAMILIES)
def test_programs_mean_the_same(family: str, number: int):
    skip_what_cannot_be_read(family)

    @settings(
        max_examples=number,
        derandomize=True,
        deadline=None,
        database=None,
        # Programs take many choices to make, and long to run: what they are for.
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(module=modules(family), name=st.sampled_from([*PIPELINES]))
    def means_the_same(module: ModuleOp, name: str) -> None:
        trial = attempt(module, PIPELINES[name])
        note(f"{PIPELINES[name].passes}\n{module}\n{trial.kind}: {trial.message}")
        assert trial.verdict in (Verdict.EQUAL, Verdict.REFUSED)

    means_the_same()


@pytest.mark.parametrize("family", FAMILIES)
def test_programs_of_each_family_mean_the_same(family: str):
    skip_what_cannot_be_read(family)
    tally = Tally()
    tally.add(try_program(Origin(1, (family,)), [FREED.name]))
    assert tally.failures == []
    assert tally.verdicts[FREED.name, Verdict.EQUAL]


ONCE_FAILED = {
    Origin(5031, ("bodies", "loops", "tiles")): "loops-allocate-freed",
    Origin(10048, ("structured",)): "planned",
    Origin(10065, ("blocks", "mutual", "unknown sizes")): "planned",
    Origin(10616, ("external",)): "arenas-as-arguments",
}
"""Programs, and the pipelines that something was wrong with."""


@pytest.mark.parametrize(("origin", "name"), ONCE_FAILED.items(), ids=str)
def test_what_once_failed_does_not(origin: Origin, name: str):
    tally = Tally()
    tally.add(try_program(origin, [name]))
    assert tally.verdicts[name, Verdict.EQUAL] == 1


@pytest.mark.parametrize(
    "name, program",
    in_turn(
        ["tensors-at-boundaries", "bufferized", "copies", "loops-allocate-freed"],
        DOCUMENTED,
        2,
    ),
    ids=str,
)
def test_programs_that_mlir_opt_is_wrong_on_are_right_here(
    name: str, program: DocumentedProgram
):
    tools = find_mlir_tools()
    if tools is None and "linalg.map" in program.text:
        pytest.skip(why_no_mlir_tools())
    module = read(program.text, tools)
    for seed in SEEDS:
        trial = attempt(module, PIPELINES[name], seed)
        assert trial.verdict is Verdict.EQUAL, trial.message


@pytest.mark.parametrize("program", one_in(2, DOCUMENTED), ids=str)
def test_mlir_opt_is_wrong_where_the_document_says_so(
    program: DocumentedProgram, mlir_tools: MlirTools
):
    assert program.claims
    for claim in program.claims:
        assert claim.found(program.text, mlir_tools) == claim.outcome, claim.command


# Harder trials ---------------------------------------------------------------------------


@pytest.mark.parametrize("program", [*found_programs()], ids=str)
def test_what_random_pipelines_found_is_right(program: Found):
    trial = attempt(read(program.text, find_mlir_tools()), program.pipeline)
    assert trial.verdict is Verdict.EQUAL, trial.message


@pytest.mark.parametrize("seed", [*range(2), *slow(range(2, 40))])
def test_programs_mean_the_same_behind_random_pipelines(seed: int):
    families = [*families_here(), *MEMORY_FAMILIES]
    chosen = [families[seed % len(families)], families[-1 - seed % 6]]
    tally = Tally()
    tally.add(try_program(Origin(seed, tuple(chosen), 8), [RANDOM]))
    assert tally.failures == []


@pytest.mark.parametrize("family", FREEING_FAMILIES)
@pytest.mark.parametrize("seed", [0, *slow(range(1, 12))])
def test_memory_that_programs_free_behind_random_pipelines(seed: int, family: str):
    tally = Tally()
    tally.add(try_program(Origin(seed, (family,), 8), [RANDOM, FREED.name]))
    assert tally.failures == []


def test_random_pipelines_have_all_passes_that_compute_the_same():
    passes = {
        name
        for seed in range(300)
        for name in re.findall(r"[\w-]+(?=[,{]|$)", random_pipeline(seed).passes)
    }
    assert {*PASS_OPTIONS} - passes == {
        "std-bufferize",
        "test-tensor-copy-insertion",
        "verify-bufferization-decisions",
    }
    assert {"canonicalize", "cse", "licm"} <= passes


def test_all_options_of_all_passes_are_tried():
    assert {*PASS_OPTIONS} == {*UNIVERSE.all_passes}
    for name, options in PASS_OPTIONS.items():
        fields = dataclasses.fields(UNIVERSE.all_passes[name]())
        assert {*options} == {f.name.replace("_", "-") for f in fields}


@pytest.mark.parametrize("seeds", first_of(50, range(1000), 100), ids=str)
def test_texts_with_errors_are_read_refused_or_bufferized(seeds: range):
    for seed in seeds:
        trial = try_text(seed)
        assert trial.verdict is not TextVerdict.FAILED, (trial, text_of(seed))


@pytest.mark.usefixtures("c_compiler")
@pytest.mark.parametrize("first", [0, *slow(range(8, 40, 8))])
def test_programs_compute_the_same_compiled(mlir_tools: MlirTools, first: int):
    trials = [*try_compiled(mlir_tools, range(first, first + 4))]
    assert trials
    assert [trial for trial in trials if trial.wrong] == []


# The means -------------------------------------------------------------------------------

WRITTEN_AND_READ = """
func.func @unused(%t: tensor<4xf32>) -> tensor<4xf32> {
  func.return %t : tensor<4xf32>
}
func.func @f(%t: tensor<4xf32>, %i: index, %x: f32, %c: i1) -> (tensor<4xf32>, f32) {
  %u = tensor.insert %x into %t[%i] : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %v = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %w = arith.select %c, %v, %u : tensor<4xf32>
  %r = tensor.extract %t[%i] : tensor<4xf32>
  func.return %w, %r : tensor<4xf32>, f32
}
"""


def without_copies(module: ModuleOp, *, only: str = "") -> Trial:
    """What comes of the program if each copy is taken away after bufferization."""
    after = module.clone()
    apply(ALONE.passes, after)
    for op in [*after.walk()]:
        if op.name == "memref.copy":
            op.detach()
            op.erase()
    return compared(module, after, 1, leaks=False, only=only)


def test_wrong_programs_are_found_and_made_small():
    module = read(WRITTEN_AND_READ)
    trial = without_copies(module)
    assert trial.verdict is Verdict.FAILED
    assert trial.function == "f"
    small = minimal(module, without_copies)
    assert "linalg.fill" not in str(small)
    assert "tensor.insert" in str(small)


@pytest.mark.parametrize(
    "text, verdict, kind",
    [
        (
            "func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {\n"
            "  %u = tensor.cast %t : tensor<4xf32> to tensor<4xf32>\n"
            "  func.return %u : tensor<4xf32>\n}",
            Verdict.EQUAL,
            "",
        ),
        (
            "func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {\n"
            '  %u = "my.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>\n'
            "  func.return %u : tensor<4xf32>\n}",
            Verdict.REFUSED,
            "'my.op' is not bufferizable: nothing is known of what it does to buffers",
        ),
        (
            "func.func @f(%t: tensor<4xf32>) -> f32 {\n"
            "  %i = arith.constant 4 : index\n"
            "  %r = tensor.extract %t[%i] : tensor<4xf32>\n"
            "  func.return %r : f32\n}",
            Verdict.UNDEFINED,
            "no input",
        ),
    ],
)
def test_other_verdicts(text: str, verdict: Verdict, kind: str):
    trial = attempt(read(text), ALONE)
    assert (trial.verdict, trial.kind) == (verdict, kind)


def test_what_came_of_all_programs_is_counted():
    trials: Sequence[tuple[str, Trial]] = [
        ("a", Trial(Verdict.EQUAL)),
        ("b", Trial(Verdict.REFUSED, "too hard")),
        ("c", Trial(Verdict.FAILED, "leak")),
    ]
    tally = Tally()
    assert tally.add(Outcome(Origin(0, ()), trials)) == trials[2:]
    lines = str(tally).splitlines()
    assert lines[0] == "1 programs"
    assert lines[2].split() == ["a", "1", "0", "0", "0"]
    assert lines[-2:] == ["refused 1 times: too hard", "failed 1 times: leak"]
