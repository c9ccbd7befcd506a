"""Fused programs compute the same, and never need more."""

from __future__ import annotations

from operator import attrgetter
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from tests.environments import PROJECT
from tests.fuzzing.elimination import functions_of
from tests.fuzzing.fusion import fuse, random_module
from tests.slow import one_in
from xdsl_bufferization.support.reading import (
    context_of_all_dialects,
    parse_module,
    read_module,
)
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.fusion.group import fuse_elementwise_ops, loops_of
from xdsl_bufferization.tensors.fusion.search import work_of
from xdsl_bufferization.transforms.bufferize import BufferizePass

CONTEXT = context_of_all_dialects()
JAX = sorted((PROJECT / "tests" / "jax").glob("*.mlir"))


@pytest.mark.parametrize("seed", one_in(4, range(24)))
def test_random_programs_compute_the_same_and_need_no_more(seed: int):
    fuse(random_module(seed), max_added_work=(0, 20, 100)[seed % 3])


def test_random_programs_are_fused_and_need_less():
    # Otherwise the other test says nothing.
    found = [fuse(random_module(seed), max_added_work=20) for seed in range(8)]
    assert any(fused.is_fused for fused in found)
    assert any(fused.needs_less for fused in found)


def bufferized_peaks(module: ModuleOp, *, is_fused: bool) -> list[int]:
    """The peaks of the functions, in bytes."""
    costs = BufferizePass(fuse=is_fused).run_before(module).remember(Costs)
    return [costs.peak(function) for function in functions_of(module)]


@pytest.mark.parametrize("program", one_in(12, JAX), ids=attrgetter("stem"))
def test_no_program_needs_more(program: Path):
    module = read_module(CONTEXT, program)
    before = bufferized_peaks(module.clone(), is_fused=False)
    after = bufferized_peaks(module, is_fused=True)
    assert all(new <= old for new, old in zip(after, before, strict=True))


@pytest.mark.parametrize(
    "name, peak",
    [("newton_while", 9), ("kmeans", 2_820), ("adam_step", 12_288)],
)
def test_programs_that_need_less(name: str, peak: int):
    module = read_module(CONTEXT, PROJECT / "tests" / "jax" / f"{name}.mlir")
    assert bufferized_peaks(module, is_fused=True) == [peak]


def test_an_op_that_one_group_replaces_is_not_computed_again_by_another():
    module = read_module(CONTEXT, PROJECT / "tests" / "jax" / "layernorm_backward.mlir")
    BufferizePass(without=("rematerialize",)).apply(CONTEXT, module)
    module.verify()


def test_without_added_work_nothing_is_computed_twice():
    module = read_module(CONTEXT, PROJECT / "tests" / "jax" / "layernorm_backward.mlir")
    works: list[int] = []
    for share in (0, 100):
        clone = module.clone()
        BufferizePass(max_added_work=share).run_before(clone)
        (function,) = functions_of(clone)
        works.append(work_of(function.body.block))
    once, again = works
    assert once < again


def chain(length: int) -> ModuleOp:
    """So many elementwise ops, each of which reads the one before."""
    lines = [
        f"%v{i + 1} = linalg.exp ins(%v{i} : tensor<4xf32>) outs(%e : tensor<4xf32>) "
        "-> tensor<4xf32>"
        for i in range(length)
    ]
    return parse_module(
        CONTEXT,
        "func.func @f(%v0: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {\n"
        + "\n".join(lines)
        + f"\nfunc.return %v{length} : tensor<4xf32>\n}}",
        "chain.mlir",
    )


def test_a_long_chain_becomes_one_op_whose_ops_are_cloned_once():
    module = chain(1_200)
    assert fuse_elementwise_ops(module)
    module.verify()
    (loops,) = [loops for op in walk([module]) if (loops := loops_of(op)) is not None]
    assert sum(1 for _ in loops.body.ops) == 1_201
