"""Passes that move allocations: what mlir-opt says to it, and what both make of a program."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from tests.fuzzing.trials import apply, read
from tests.peer import MlirTools, PeerError
from tests.peer.runner import parse_module, print_generic
from tests.programs import FAMILIES, generate_program
from tests.slow import one_in, slow
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import block_loops

BUFFERIZE = (
    "one-shot-bufferize{bufferize-function-boundaries=true "
    "allow-return-allocs-from-loops=true}"
)
SEEDS = (0,)

ALIASES_BY_CALLS = {("recursion", 0)}
"""
Programs in which mlir-opt moves what a region does not hand over: it takes a number that a
call returns for an alias of the call's operands.
"""

CLONED_BY_CALLS = {("calls", 0), ("structured", 0)}
"""Programs with memory that a function returns, so that deallocation clones it there."""


@cache
def programs(tools: MlirTools) -> dict[tuple[str, int], str]:
    """Programs on memrefs, in generic form, by family and seed."""
    found: dict[tuple[str, int], str] = {}
    for family in FAMILIES:
        for seed in SEEDS:
            module = read(generate_program(seed, [family]).text, tools)
            try:
                apply(BUFFERIZE, module)
            except BufferizationError:
                continue
            found[family, seed] = print_generic(module)
    return found


@cache
def results(
    tools: MlirTools, name: str
) -> dict[tuple[str, int], tuple[ModuleOp, ModuleOp]]:
    """What the pass, and that of mlir-opt, make of them."""
    texts = programs(tools)
    ours: list[str] = []
    for text in texts.values():
        module = parse_module(text)
        apply(name, module)
        ours.append(print_generic(module))
    found: dict[tuple[str, int], tuple[ModuleOp, ModuleOp]] = {}
    accepted = tools.opt_each(ours)
    theirs = tools.opt_each([*texts.values()], f"--{name}")
    for program, mine, other in zip(texts, accepted, theirs, strict=True):
        assert not isinstance(mine, PeerError), mine
        assert not isinstance(other, PeerError), other
        found[program] = parse_module(mine), parse_module(other)
    return found


def allocations(module: ModuleOp) -> Iterator[Operation]:
    for op in module.walk():
        if op_name(op) in ("memref.alloc", "memref.alloca"):
            yield op


def loops(op: Operation, *, parallel: bool) -> int:
    """How many loops are around the op, of those that are parallel or not."""
    count = 0
    while (region := op.parent_region()) is not None:
        parent = region.parent_op()
        assert parent is not None
        op = parent
        model = RegionBranchOpInterface.of(op)
        if model is not None:
            index = op.get_region_index(region)
            if model.is_repetitive(op, index):
                count += model.is_parallel(op, index) is parallel
    return count


def needs_much_stack(op: Operation) -> bool:
    """Whether each run of a loop around it needs memory of its own."""
    block, region = op.parent_block(), op.parent_region()
    assert block is not None
    assert region is not None
    return loops(op, parallel=True) > 0 or block in block_loops(region)


@pytest.mark.slow
def test_hoisting_is_that_of_mlir_opt(mlir_tools: MlirTools):
    outcomes = results(mlir_tools, "buffer-hoisting")
    different = {
        program
        for program, (ours, theirs) in outcomes.items()
        if str(ours) != str(theirs)
    }
    assert different == ALIASES_BY_CALLS
    before = programs(mlir_tools)
    assert any(
        str(ours) != str(parse_module(before[p])) for p, (ours, _) in outcomes.items()
    )


@pytest.mark.slow  # the same programs as above
def test_no_fewer_loops_are_left_than_by_mlir_opt(mlir_tools: MlirTools):
    left = [0, 0]
    for program, modules in results(mlir_tools, "buffer-loop-hoisting").items():
        counts = [
            sum(loops(op, parallel=False) for op in allocations(module))
            for module in modules
        ]
        assert counts[0] <= counts[1], program
        left[0] += counts[0]
        left[1] += counts[1]
    assert left[0] < left[1]


@pytest.mark.slow
def test_nothing_is_left_that_mlir_opt_promotes(mlir_tools: MlirTools):
    left = [0, 0]
    outcomes = results(mlir_tools, "promote-buffers-to-stack")
    for program in outcomes.keys() - CLONED_BY_CALLS:
        modules = outcomes[program]
        counts = [
            sum(
                op_name(op) == "memref.alloc" and not needs_much_stack(op)
                for op in allocations(module)
            )
            for module in modules
        ]
        assert counts[0] <= counts[1], program
        left[0] += counts[0]
        left[1] += counts[1]
    assert left[0] < left[1]


@pytest.mark.parametrize("step", [4, *slow([1])])
@pytest.mark.parametrize("name", one_in(2, ["plan-static-memory", "copy-removal"]))
def test_mlir_opt_accepts_what_comes_out(mlir_tools: MlirTools, name: str, step: int):
    texts: list[str] = []
    for text in [*programs(mlir_tools).values()][::step]:
        module = parse_module(text)
        apply(name, module)
        texts.append(print_generic(module))
    for result in mlir_tools.opt_each(texts):
        assert not isinstance(result, PeerError), result
    assert any("memref.view" in text for text in texts) == (name != "copy-removal")
