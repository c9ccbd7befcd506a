"""Costs from decisions are those of the program that is rewritten and freed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from tests.fuzzing.elimination import OPTIONS, functions_of, random_module
from tests.networks import NETWORKS
from tests.peer.runner import parse_module
from tests.pytest.tensors.cost_programs import KNOWN, UNKNOWN
from tests.slow import first_of, one_in
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.options import LayoutMapOption, OneShotOptions
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.buffer_types import UnknownCostError
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.costs.decided import (
    costs_of_functions,
    decided_functions,
)
from xdsl_bufferization.tensors.costs.figures import Cost, FunctionCosts, alive_above
from xdsl_bufferization.tensors.costs.moves import moves_of
from xdsl_bufferization.tensors.costs.rewritten import costs_on_buffers
from xdsl_bufferization.tensors.eliminate_copies.driver import eliminate_copies
from xdsl_bufferization.tensors.empty_tensor_elimination import eliminate_empty_tensors

IDENTITY = replace(OPTIONS, function_boundary_type_conversion=LayoutMapOption.IDENTITY)

EXAMPLES = Path(__file__).parents[3] / "examples"
FILECHECK = Path(__file__).parents[2] / "filecheck"


def figures(costs: FunctionCosts) -> tuple[Cost, Sequence[AbstractSet[Operation]]]:
    """Copies, bytes and peaks, and the ops whose memory is alive at peaks and at half of one."""
    peaks = costs.cost.peaks
    return costs.cost, [
        frozenset(
            memory.op
            for space, peak in peaks.items()
            for memory in alive_above(costs.live[space], (peak - 1) // divisor)
            if memory.op is not None
        )
        for divisor in (1, 2)
    ]


def are_known(module: ModuleOp) -> bool:
    """Whether the costs follow from the decisions; asserts that they are the real ones."""
    return all([_are_known(module, options) for options in (OPTIONS, IDENTITY)])


def _are_known(module: ModuleOp, options: OneShotOptions) -> bool:
    program = AnalysedModule(module, options)
    try:
        decided = costs_of_functions(decided_functions(program.decisions))
    except UnknownCostError:
        return False
    clone = program.on_buffers
    for function in functions_of(module):
        on_buffers = clone.ops[function]
        assert isinstance(on_buffers, FuncOp)
        found, moves = decided[function], moves_of(function)
        real = costs_on_buffers(on_buffers, clone.origin, moves)
        assert figures(found) == figures(real), function.sym_name
        assert found.spaces_of_results == real.spaces_of_results, function.sym_name
    return True


@pytest.mark.parametrize("kind", KNOWN)
def test_costs_are_known_of(kind: str):
    module = parse_module(KNOWN[kind])
    assert are_known(module)
    eliminate_copies(module, OPTIONS)
    assert are_known(module)


@pytest.mark.parametrize("kind", UNKNOWN)
def test_costs_are_measured_of(kind: str):
    module = parse_module(UNKNOWN[kind])
    assert not are_known(module)
    assert [*map(Costs(AnalysedModule(module, OPTIONS)).of, functions_of(module))]


@pytest.mark.parametrize("name", one_in(6, NETWORKS))
def test_costs_of_networks_are_known(name: str):
    module = NETWORKS[name]()
    assert are_known(module)
    eliminate_empty_tensors(module)
    assert are_known(module)


@pytest.mark.parametrize(
    "path",
    sorted({*EXAMPLES.glob("*.mlir"), *EXAMPLES.glob("copies/*.mlir")}),
    ids=lambda path: path.stem,
)
def test_costs_of_examples_are_known(path: Path):
    module = parse_module(path.read_text())
    assert are_known(module)
    eliminate_copies(module, OPTIONS)
    assert are_known(module)


def test_nothing_is_copied_to_where_a_loop_leaves_it():
    loops = "models/bufferization/materialize_in_destination_loops.mlir"
    assert are_known(parse_module((FILECHECK / loops).read_text()))


def test_costs_of_unknown_ops_are_measured():
    module = parse_module((EXAMPLES / "accelerator" / "layers.mlir").read_text())
    assert not are_known(module)
    (function,) = functions_of(module)
    assert Costs(AnalysedModule(module, OPTIONS)).of(function).peaks


@pytest.mark.parametrize("seeds", first_of(10, range(600), 100), ids=str)
def test_costs_of_random_programs_are_those_of_the_rewritten_ones(seeds: range):
    results: Counter[bool | None] = Counter()
    for seed in seeds:
        _, module = random_module(seed)
        try:
            results[are_known(module)] += 1
        except BufferizationError:
            results[None] += 1
    assert results[False] <= len(seeds) // 50, results
