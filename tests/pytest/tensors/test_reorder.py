"""`reorder-for-memory`: the least peak, proved, and the same results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest
from xdsl.dialects.builtin import ModuleOp

from tests.fuzzing.elimination import OPTIONS, random_module
from tests.fuzzing.reordering import reorder, wide_module
from tests.peer.runner import parse_module
from tests.slow import in_turn
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.reorder.reordering import (
    increasing_subsequence,
    reorder_for_memory,
)


def product(result: str, a: str, b: str, m: int, k: int, n: int) -> str:
    """A matrix product into a tensor of its own."""
    type = f"tensor<{m}x{n}xf32>"
    return f"""
  {result}e = tensor.empty() : {type}
  {result}z = linalg.fill ins(%z : f32) outs({result}e : {type}) -> {type}
  {result} = linalg.matmul ins({a}, {b} : tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>)
    outs({result}z : {type}) -> {type}"""


def added(result: str, a: str, b: str, type: str) -> str:
    """A sum into a tensor of its own."""
    return f"""
  {result}e = tensor.empty() : {type}
  {result} = linalg.add ins({a}, {b} : {type}, {type}) outs({result}e : {type}) -> {type}"""


def function(arguments: str, body: Iterable[str], result: str, type: str) -> ModuleOp:
    return parse_module(
        f"func.func @f({arguments}) -> {type} {{\n  %z = arith.constant 0.0 : f32"
        + "".join(body)
        + f"\n  func.return {result} : {type}\n}}"
    )


def experts(count: int) -> ModuleOp:
    """All experts go up first, then all down."""
    weights = (
        f"%u{i}: tensor<16x64xf32>, %d{i}: tensor<64x16xf32>" for i in range(count)
    )
    lines = [product(f"%h{i}", "%x", f"%u{i}", 8, 16, 64) for i in range(count)]
    total = "%x"
    for i in range(count):
        lines.append(product(f"%y{i}", f"%h{i}", f"%d{i}", 8, 64, 16))
        lines.append(added(f"%t{i}", total, f"%y{i}", "tensor<8x16xf32>"))
        total = f"%t{i}"
    arguments = ", ".join(["%x: tensor<8x16xf32>", *weights])
    return function(arguments, lines, total, "tensor<8x16xf32>")


def recurrence(steps: int) -> ModuleOp:
    """All inputs are projected before the first step."""
    inputs = (f"%x{i}: tensor<4x8xf32>" for i in range(steps))
    lines = [product(f"%p{i}", f"%x{i}", "%w", 4, 8, 32) for i in range(steps)]
    state = "%h"
    for i in range(steps):
        lines.append(added(f"%s{i}", f"%p{i}", state, "tensor<4x32xf32>"))
        state = f"%s{i}"
    arguments = ", ".join(["%h: tensor<4x32xf32>, %w: tensor<8x32xf32>", *inputs])
    return function(arguments, lines, state, "tensor<4x32xf32>")


def peaks(module: ModuleOp) -> tuple[int, int, int]:
    """The peak of the only function, as it comes and reordered, and what every order needs."""
    program = AnalysedModule(module, OPTIONS)
    (f,) = program.remember(Costs)
    former = program.remember(Costs).peak(f)
    reorder_for_memory(program)
    peak = Costs(AnalysedModule(module, OPTIONS)).peak(f)
    return former, peak, program.order_bounds[f]


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        # The middle of one expert, its result, and the sum of those before.
        (experts(8), (8 * 2048 + 512, 2048 + 2 * 512)),
        # The projection of one step, and the states before and after it.
        (recurrence(16), (17 * 512, 3 * 512)),
    ],
)
def test_the_least_peak_is_reached_and_proved(
    module: ModuleOp, expected: tuple[int, int]
) -> None:
    former, peak, bound = peaks(module)
    assert peak == bound
    assert (former, peak) == expected


def test_a_peak_that_no_order_changes_is_known_at_once() -> None:
    module = function(
        "%x: tensor<8x8xf32>",
        [product("%y", "%x", "%x", 8, 8, 8)],
        "%y",
        "tensor<8x8xf32>",
    )
    program = AnalysedModule(module, OPTIONS)
    costs = program.remember(Costs)
    (f,) = costs
    assert costs[f].least_peak == costs.peak(f)
    reorder_for_memory(program)
    assert not program.order_bounds
    assert program.remember(Costs) is costs


@pytest.mark.parametrize("eliminate, seed", in_turn([False, True], range(40), 10))
def test_random_programs_need_no_more_and_compute_the_same(
    seed: int, eliminate: bool
) -> None:
    for module in (wide_module(seed), random_module(seed)[1]):
        try:
            reorder(module, 1, eliminate=eliminate)
        except BufferizationError:
            continue


def test_memory_that_dies_in_a_branch_is_not_needed_in_the_other() -> None:
    # One branch reads what the other one allocates after.
    reorder(random_module(3020)[1], 1, eliminate=False)


@pytest.mark.parametrize(
    ("numbers", "length"),
    [((), 0), ((3,), 1), ((0, 1, 2), 3), ((2, 1, 0), 1), ((3, 0, 4, 1, 2), 3)],
)
def test_as_many_ops_as_possible_stay(numbers: Sequence[int], length: int) -> None:
    staying = increasing_subsequence(numbers)
    assert len(staying) == length
    assert sorted(staying) == [n for n in numbers if n in staying]
