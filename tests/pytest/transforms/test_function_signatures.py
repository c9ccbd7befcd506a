"""
Passes that change what functions return: what mlir-opt says to it, and what is computed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp

from tests.fuzzing.trials import Verdict, apply, compared, read
from tests.peer import MlirTools, PeerError
from tests.peer.runner import parse_module, print_generic
from tests.programs import generate_program
from tests.slow import one_in
from tests.xdsl_opt import run_xdsl_opt
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.shaped_types import is_memref_type
from xdsl_bufferization.transforms.buffer_results_to_out_params import (
    BufferResultsToOutParamsPass,
)
from xdsl_bufferization.transforms.drop_equivalent_buffer_results import (
    DropEquivalentBufferResultsPass,
)

BUFFERIZE = "one-shot-bufferize{bufferize-function-boundaries=true}"
FREE = "buffer-deallocation-pipeline,convert-bufferization-to-memref"
HOIST = "hoist-static-allocs hoist-dynamic-allocs"
PASSES = (
    "drop-equivalent-buffer-results",
    "buffer-results-to-out-params",
    f"buffer-results-to-out-params{{{HOIST}}}",
    f"buffer-results-to-out-params{{{HOIST} modify-public-functions}}",
)
SEEDS = range(24)
FAMILIES = ("blocks", "loops", "mutual", "regions", "unknown sizes")
FILECHECK = Path(__file__).parents[2] / "filecheck" / "transforms"


@dataclass(frozen=True)
class Sample:
    """A random program whose functions call each other."""

    seed: int
    before: ModuleOp
    """On tensors."""
    buffers: ModuleOp


@cache
def samples(tools: MlirTools, seeds: range = SEEDS) -> list[Sample]:
    """Those that can be bufferized. All functions but the last one are private."""
    found: list[Sample] = []
    for seed in seeds:
        families = ["calls", FAMILIES[seed % len(FAMILIES)]]
        before = read(generate_program(seed, families).text, tools)
        functions = [op for op in before.ops if isinstance(op, FuncOp)]
        for function in functions[:-1]:
            function.sym_visibility = StringAttr("private")
        buffers = before.clone()
        try:
            apply(BUFFERIZE, buffers)
        except BufferizationError:
            continue
        found.append(Sample(seed, before, buffers))
    assert len(found) > len(seeds) // 2
    return found


def changed(sample: Sample, passes: str) -> ModuleOp | None:
    """What the passes make of the buffers, unless they refuse it."""
    module = sample.buffers.clone()
    try:
        apply(passes, module)
    except BufferizationError:
        assert str(module) == str(sample.buffers)
        return None
    return module


@pytest.mark.parametrize("passes", one_in(6, PASSES))
def test_random_programs_compute_the_same(mlir_tools: MlirTools, passes: str):
    equal = 0
    # Each has other ones.
    for sample in samples(mlir_tools, SEEDS[PASSES.index(passes) :: len(PASSES)]):
        module = changed(sample, passes)
        if module is None:
            continue
        mlir_tools.opt(print_generic(module))
        trial = compared(sample.buffers, module, sample.seed, leaks=False)
        assert trial.verdict != Verdict.FAILED, (sample.seed, trial.message)
        try:
            apply(FREE, module)
        except BufferizationError:
            continue  # of layouts that no clone can have
        trial = compared(sample.before, module, sample.seed, leaks=True)
        assert trial.verdict != Verdict.FAILED, (sample.seed, trial.message)
        equal += trial.verdict == Verdict.EQUAL
    assert equal > 2


@dataclass(frozen=True)
class Count:
    """How much a program allocates and copies, and the memrefs that it returns."""

    allocations: int
    copies: int
    results: int

    @staticmethod
    def of(module: ModuleOp) -> Count:
        names = Counter(op.name for op in module.walk())
        results = [
            type
            for function_type in signatures(module).values()
            for type in function_type.outputs
            if is_memref_type(type)
        ]
        return Count(names["memref.alloc"], names["memref.copy"], len(results))


def signatures(module: ModuleOp) -> dict[str, FunctionType]:
    """The types of all functions, by name."""
    return {
        op.sym_name.data: op.function_type
        for op in module.walk()
        if isinstance(op, FuncOp)
    }


def both(tools: MlirTools, passes: str) -> Iterator[tuple[Sample, Count, Count]]:
    """What our pass makes of the programs, and what mlir-opt's does."""
    name, _, options = passes.partition("{")
    flag = f"--{name}={options.removesuffix('}')}" if options else f"--{name}"
    for sample in samples(tools):
        ours = changed(sample, passes)
        try:
            peer = tools.opt(print_generic(sample.buffers), flag)
        except PeerError:
            continue
        assert ours is not None, sample.seed
        yield sample, Count.of(ours), Count.of(parse_module(peer))


@pytest.mark.slow
def test_no_more_results_are_left_than_by_mlir_opt(mlir_tools: MlirTools):
    compared = fewer = 0
    for sample, ours, peer in both(mlir_tools, "drop-equivalent-buffer-results"):
        assert ours.results <= peer.results, sample.seed
        compared += 1
        fewer += ours.results < peer.results
    assert compared > 15
    assert fewer


@pytest.mark.slow
@pytest.mark.parametrize("passes", PASSES[1:3])
def test_no_more_is_allocated_and_copied_than_by_mlir_opt(
    mlir_tools: MlirTools, passes: str
):
    compared = 0
    for sample, ours, peer in both(mlir_tools, passes):
        assert ours.allocations <= peer.allocations, sample.seed
        assert ours.copies <= peer.copies, sample.seed
        compared += 1
    # mlir-opt crashes on the others, and refuses unknown sizes.
    assert compared > 5


PLAIN = """
func.func private @callee(%m: memref<4xf32>, %f: f32, %i: index)
    -> (memref<4xf32>, f32, memref<8xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  memref.store %f, %b[%i] : memref<8xf32>
  func.return %a, %f, %b : memref<4xf32>, f32, memref<8xf32>
}
func.func @caller(%m: memref<4xf32>, %f: f32, %i: index) -> memref<4xf32> {
  %a, %g, %b = func.call @callee(%m, %f, %i)
    : (memref<4xf32>, f32, index) -> (memref<4xf32>, f32, memref<8xf32>)
  memref.store %g, %b[%i] : memref<8xf32>
  func.return %a : memref<4xf32>
}
"""


@pytest.mark.parametrize(
    "options",
    ["", "add-result-attr", "hoist-static-allocs", "modify-public-functions"],
)
def test_results_of_own_memory_become_what_mlir_opt_makes_of_them(
    mlir_tools: MlirTools, options: str
):
    module = parse_module(PLAIN)
    text = print_generic(module)
    peer = mlir_tools.opt(text, f"--buffer-results-to-out-params={options}")
    apply(f"buffer-results-to-out-params{{{options}}}", module)

    assert mlir_tools.opt(print_generic(module)) == peer


@pytest.mark.parametrize(
    "file",
    [
        "buffer-results-to-out-params/hoisting.mlir",
        "buffer-results-to-out-params/public.mlir",
        "buffer-results-to-out-params/without-hoisting.mlir",
        "drop-equivalent-buffer-results.mlir",
    ],
)
def test_mlir_opt_accepts_what_is_made(mlir_tools: MlirTools, file: str):
    name = file.partition("/")[0].removesuffix(".mlir")
    text = run_xdsl_opt(
        FILECHECK / file,
        *("-p", name, "--print-op-generic", "--allow-unregistered-dialect"),
    )
    # It knows of no branches by ops that it does not know.
    text = text.replace('"test.branch"(', '"cf.br"(')
    mlir_tools.opt(text, "--allow-unregistered-dialect")


@pytest.mark.slow
def test_long_chains_of_calls():
    functions = [
        "func.func private @f0(%n: index) -> memref<?xf32> {"
        "%a = memref.alloc(%n) : memref<?xf32> func.return %a : memref<?xf32> }"
    ]
    functions += [
        f"func.func private @f{i}(%n: index) -> memref<?xf32> {{"
        f"%a = func.call @f{i - 1}(%n) : (index) -> memref<?xf32>"
        "func.return %a : memref<?xf32> }"
        for i in range(1, 1200)
    ]
    # Callers come before those that they call.
    module = parse_module("\n".join(reversed(functions)))
    BufferResultsToOutParamsPass(hoist_dynamic_allocs=True).apply(Context(), module)

    assert Count.of(module) == Count(0, 0, 0)


def test_long_chains_of_values():
    calls = [
        f"%m{i + 1} = func.call @f(%m{i}) : (memref<4xf32>) -> memref<4xf32>"
        for i in range(1200)
    ]
    text = f"""
    func.func private @f(%m: memref<4xf32>) -> memref<4xf32> {{
      func.return %m : memref<4xf32>
    }}
    func.func private @g(%m0: memref<4xf32>) -> memref<4xf32> {{
      {" ".join(calls)}
      func.return %m1200 : memref<4xf32>
    }}"""
    module = parse_module(text)
    DropEquivalentBufferResultsPass().apply(Context(), module)
    module.verify()

    assert Count.of(module).results == 0
