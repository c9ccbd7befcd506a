"""Functions that return results in donated arguments."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from xdsl.dialects.builtin import ModuleOp

from tests.fuzzing.trials import Verdict, apply, compared, read
from tests.networks.decode import Cache, decode
from tests.peer import MlirTools
from tests.peer.runner import print_generic
from tests.programs import generate_program
from tests.programs.donation import donate
from tests.slow import exhaustive, slow
from xdsl_bufferization.semantics.checking.check import CheckOptions, check
from xdsl_bufferization.semantics.checking.report import ProblemKind
from xdsl_bufferization.support.diagnostics import BufferizationError

IDENTITY = "function-boundary-type-conversion=identity-layout-map"
BUFFERIZE = "one-shot-bufferize{bufferize-function-boundaries=true}"
TO_IDENTITY = f"one-shot-bufferize{{bufferize-function-boundaries=true {IDENTITY}}}"
FREE = "buffer-deallocation-pipeline,convert-bufferization-to-memref"
PIPELINES = (
    "bufferize",
    f"{BUFFERIZE},{FREE}",
    f"{BUFFERIZE},buffer-deallocation",
    f"{BUFFERIZE},buffer-deallocation-pipeline{{private-function-dynamic-ownership}},"
    "convert-bufferization-to-memref",
    "one-shot-bufferize{bufferize-function-boundaries=true copy-before-write=true},"
    f"{FREE}",
    f"tensor-copy-insertion{{bufferize-function-boundaries=true}},{BUFFERIZE},{FREE}",
    f"{TO_IDENTITY},buffer-results-to-out-params{{modify-public-functions}},{FREE}",
)
FAMILIES = ("mutual", "loops", "regions", "blocks")
ANALYSIS = "one-shot-bufferize{bufferize-function-boundaries=true test-analysis-only}"
PROOF = "verify-bufferization-decisions{bufferize-function-boundaries=true}"


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize(
    "seeds", [range(1), *slow([range(1, 5)]), *exhaustive([range(5, 12)])]
)
def test_random_programs_compute_the_same_and_free_their_memory(
    mlir_tools: MlirTools, pipeline: str, seeds: range
):
    donated = equal = 0
    for seed in seeds:
        # Each pipeline has other ones.
        seed += 100 * PIPELINES.index(pipeline)
        families = ["calls", FAMILIES[seed % len(FAMILIES)]]
        before = read(generate_program(seed, families).text, mlir_tools)
        donated += donate(before, Random(seed))
        after = before.clone()
        try:
            apply(pipeline, after)
        except BufferizationError:
            continue
        mlir_tools.opt(print_generic(after))
        trial = compared(before, after, seed, leaks=True)
        assert trial.verdict != Verdict.FAILED, (seed, trial.message)
        equal += trial.verdict == Verdict.EQUAL
        decided = before.clone()
        apply(f"{ANALYSIS},{PROOF}", decided)
    assert donated > len(seeds)
    assert equal >= len(seeds) // 2


@pytest.mark.parametrize("cache", [Cache.UPDATED, Cache.IN_MEMORY])
def test_caches_of_a_language_model_are_updated_in_place(cache: Cache):
    before = decode(cache=cache)
    costs: list[Counter[str]] = []
    for donates in (False, True):
        if donates:
            assert donate(before) == 4
        after = before.clone()
        apply(f"{TO_IDENTITY},buffer-deallocation-pipeline", after)
        costs.append(Counter(op.name for op in after.walk()))
    without, donated = costs
    assert donated["bufferization.clone"] == 0
    # What is not cloned is not copied instead.
    if cache is Cache.UPDATED:
        assert without["bufferization.clone"] == 4
        assert donated["memref.copy"] == without["memref.copy"]
    assert compared(before, after, 0, leaks=True).verdict == Verdict.EQUAL


def test_results_in_donated_arguments_are_no_out_params():
    module = decode(cache=Cache.UPDATED)
    copies: list[int] = []
    for donates in (False, True):
        if donates:
            donate(module)
        after = module.clone()
        apply(
            f"{TO_IDENTITY},buffer-results-to-out-params{{modify-public-functions}}",
            after,
        )
        copies.append(sum(op.name == "memref.copy" for op in after.walk()))
    assert copies[0] - copies[1] == 4


RETURNS_OTHER = """
func.func @f(%c: i1, %m: memref<4xf32> {bufferize.aliasing_result = 0 : i64}) -> memref<4xf32> {
  %n = memref.alloc() : memref<4xf32>
  %r = arith.select %c, %m, %n : memref<4xf32>
  func.return %r : memref<4xf32>
}
func.func @calls(%c: i1, %m: memref<4xf32>, %f: f32, %i: index) {
  %r = func.call @f(%c, %m) : (i1, memref<4xf32>) -> memref<4xf32>
  memref.store %f, %r[%i] : memref<4xf32>
  func.return
}
"""


@pytest.mark.parametrize(
    "passes",
    [
        "ownership-based-buffer-deallocation",
        "buffer-deallocation",
        "drop-equivalent-buffer-results",
        "buffer-results-to-out-params{modify-public-functions}",
    ],
)
def test_a_function_that_may_return_other_memory_is_refused(passes: str):
    module = read(RETURNS_OTHER)
    before = str(module)
    with pytest.raises(BufferizationError, match="but may return other memory"):
        apply(passes, module)
    assert str(module) == before


def test_a_module_that_is_refused_for_another_reason_stays_as_it_was():
    module = read(
        """
        func.func @f(%m: memref<4xf32> {bufferize.aliasing_result = 0 : i64}) -> memref<4xf32> {
          func.return %m : memref<4xf32>
        }
        func.func @calls(%m: memref<4xf32>) {
          %r = func.call @f(%m) : (memref<4xf32>) -> memref<4xf32>
          "test.op"(%r) : (memref<4xf32>) -> ()
          func.return
        }
        """
    )
    before = str(module)
    with pytest.raises(BufferizationError, match="may allocate or free memory"):
        apply("ownership-based-buffer-deallocation", module)
    assert str(module) == before


TENSORS = """
func.func @f(%t: tensor<4xf32> {bufferize.aliasing_result = 0 : i64}) -> tensor<4xf32> {
  func.return %t : tensor<4xf32>
}
"""


@pytest.mark.parametrize(
    ("after", "kind"),
    [
        (
            """
            func.func @f(%m: memref<4xf32> {bufferize.aliasing_result = 0 : i64}) -> memref<4xf32> {
              func.return %m : memref<4xf32>
            }
            """,
            None,
        ),
        (
            """
            func.func @f(%m: memref<4xf32> {bufferize.aliasing_result = 0 : i64}) -> memref<4xf32> {
              %n = bufferization.clone %m : memref<4xf32> to memref<4xf32>
              func.return %n : memref<4xf32>
            }
            """,
            ProblemKind.OWNERSHIP,
        ),
        (
            """
            func.func @f(%m: memref<4xf32>) -> memref<4xf32> {
              func.return %m : memref<4xf32>
            }
            """,
            ProblemKind.OWNERSHIP,
        ),
        ("func.func @f(%m: memref<4xf32>) { func.return }", None),
        (
            """
            func.func @f(%m: memref<4xf32>, %n: memref<4xf32>) {
              "memref.copy"(%m, %n) : (memref<4xf32>, memref<4xf32>) -> ()
              func.return
            }
            """,
            None,
        ),
    ],
)
def test_the_check_wants_what_is_agreed(after: str, kind: ProblemKind | None):
    report = check(read(TENSORS), read(after), CheckOptions(leaks=True))
    assert (None if report.problem is None else report.problem.kind) == kind


def external(name: str, memory: str) -> ModuleOp:
    """A program that calls a function without a body, which is donated an argument."""
    return read(
        f"""
        func.func private @update(%m: {memory} {{bufferize.aliasing_result = 1 : i64}}, %f: f32)
            -> (f32, {memory})
        func.func @{name}(%m: {memory}, %f: f32) -> (f32, {memory}) {{
          %g, %r = func.call @update(%m, %f) : ({memory}, f32) -> (f32, {memory})
          func.return %g, %r : f32, {memory}
        }}
        """
    )


@pytest.mark.parametrize(
    "pipeline", [f"{BUFFERIZE},{FREE}", f"{BUFFERIZE},buffer-deallocation"]
)
def test_functions_without_a_body_return_what_is_donated(pipeline: str):
    before = external("f", "tensor<8xf32>")
    after = before.clone()
    apply(pipeline, after)
    assert compared(before, after, 0, leaks=True).verdict == Verdict.EQUAL


def test_functions_on_memrefs_without_a_body_return_what_is_donated():
    before = external("f", "memref<8xf32>")
    after = before.clone()
    apply("buffer-deallocation-pipeline,convert-bufferization-to-memref", after)
    assert compared(before, after, 0, leaks=True).verdict == Verdict.EQUAL
