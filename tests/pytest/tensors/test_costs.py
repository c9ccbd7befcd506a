"""Costs from decisions are those of the program that is rewritten and freed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from tests.fuzzing.elimination import OPTIONS, functions_of, random_module
from tests.memory_on_buffers import FunctionOnBuffers, bytes_in
from tests.networks import NETWORKS
from tests.peer.runner import parse_module
from tests.pytest.tensors.cost_programs import PROGRAMS
from tests.slow import first_of, one_in
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.options import LayoutMapOption, OneShotOptions
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.costs import Costs, DecidedFunction
from xdsl_bufferization.tensors.costs.profile import Cost, moves_of
from xdsl_bufferization.tensors.eliminate_copies.driver import eliminate_copies
from xdsl_bufferization.tensors.empty_tensor_elimination import eliminate_empty_tensors

IDENTITY = replace(OPTIONS, function_boundary_type_conversion=LayoutMapOption.IDENTITY)

EXAMPLES = Path(__file__).parents[3] / "examples"
FILECHECK = Path(__file__).parents[2] / "filecheck"


def figures(of: DecidedFunction | FunctionOnBuffers) -> tuple[Cost, Sequence[object]]:
    """Copies, bytes and peaks, and the ops whose memory is alive at peaks and at half of one."""
    return of.cost, [
        frozenset(
            allocation.op
            for profile in of.profiles.values()
            for allocation in profile.above((profile.peak - 1) // divisor)
            if allocation.op is not None
        )
        for divisor in (1, 2)
    ]


def are_real(module: ModuleOp) -> bool:
    """Whether the costs that follow from the decisions are those of the rewritten program."""
    return all([_are_real(module, options) for options in (OPTIONS, IDENTITY)])


def _are_real(module: ModuleOp, options: OneShotOptions) -> bool:
    program = AnalysedModule(module, options)
    costs = Costs(program)
    clone = program.on_buffers()
    for function in functions_of(module):
        on_buffers = clone.ops[function]
        assert isinstance(on_buffers, FuncOp)
        found = costs[function]
        moves = moves_of(function.walk(), bytes_in(function))
        real = FunctionOnBuffers(on_buffers, clone.origin, moves)
        if figures(found) != figures(real):
            return False
        if found.spaces_of_results != real.spaces_of_results:
            return False
    return True


@pytest.mark.parametrize("kind", PROGRAMS)
def test_costs_are_known_of(kind: str):
    module = parse_module(PROGRAMS[kind])
    assert are_real(module)
    eliminate_copies(module, OPTIONS)
    assert are_real(module)


@pytest.mark.parametrize("name", one_in(6, NETWORKS))
def test_costs_of_networks_are_real(name: str):
    module = NETWORKS[name]()
    assert are_real(module)
    eliminate_empty_tensors(module)
    assert are_real(module)


@pytest.mark.parametrize(
    "path",
    sorted({*EXAMPLES.glob("*.mlir"), *EXAMPLES.glob("copies/*.mlir")}),
    ids=lambda path: path.stem,
)
def test_costs_of_examples_are_real(path: Path):
    module = parse_module(path.read_text())
    assert are_real(module)
    eliminate_copies(module, OPTIONS)
    assert are_real(module)


def test_nothing_is_copied_to_where_a_loop_leaves_it():
    loops = "models/bufferization/materialize_in_destination_loops.mlir"
    assert are_real(parse_module((FILECHECK / loops).read_text()))


def test_costs_of_unknown_ops_are_estimated():
    module = parse_module((EXAMPLES / "accelerator" / "layers.mlir").read_text())
    (function,) = functions_of(module)
    assert Costs(AnalysedModule(module, OPTIONS)).of(function).peaks


@pytest.mark.parametrize("seeds", first_of(10, range(600), 100), ids=str)
def test_costs_of_random_programs_are_those_of_the_rewritten_ones(seeds: range):
    results: Counter[bool | None] = Counter()
    for seed in seeds:
        _, module = random_module(seed)
        try:
            results[are_real(module)] += 1
        except BufferizationError:
            results[None] += 1
    assert results[False] <= len(seeds) // 50, results
