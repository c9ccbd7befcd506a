"""Sizes are compared by what the program says of the integers in it."""

from __future__ import annotations

import pytest
from xdsl.dialects import func

from tests.peer.runner import parse_module
from xdsl_bufferization.interfaces.sizes import Expression
from xdsl_bufferization.memrefs.sizes.arithmetic import Relations
from xdsl_bufferization.memrefs.sizes.size_analysis import Sizes

PROGRAM = """
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c1000 = arith.constant 1000 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %k = tensor.dim %y, %c0 : tensor<?xf32>
  %n1 = arith.addi %n, %c1 : index
  %half = arith.floordivsi %n1, %c2 : index
  %up = arith.ceildivsi %n, %c2 : index
  %low = arith.minsi %n, %c1000 : index
  %clamped = arith.maxsi %low, %c0 : index
  %least = arith.minsi %n, %k : index
  %most = arith.maxsi %n, %k : index
  %less = arith.subi %n, %c1 : index
  "test.numbers"(%n, %k, %half, %up, %low, %clamped, %least, %most, %less)
      {names = ["n", "k", "half", "up", "low", "clamped", "least", "most", "less"]} : (
      index, index, index, index, index, index, index, index, index) -> ()
  return
}
"""


def _numbers() -> dict[str, Expression]:
    (function,) = parse_module(PROGRAM).ops
    assert isinstance(function, func.FuncOp)
    *_, op, _ = function.body.block.ops
    names = "n k half up low clamped least most less".split()
    sizes = Sizes()
    return {n: sizes.number(o) for n, o in zip(names, op.operands, strict=True)}


@pytest.mark.parametrize(
    ("size", "other"),
    [
        ("half", "n"),
        ("up", "n"),
        ("low", "n"),
        ("clamped", "n"),
        ("least", "n"),
        ("least", "k"),
        ("n", "most"),
        ("less", "n"),
        ("least", "most"),
    ],
)
def test_what_is_never_more(size: str, other: str):
    numbers = _numbers()
    relations = Relations(Sizes().number)
    assert relations.is_at_most(numbers[size], numbers[other])
    assert relations.is_at_most(
        numbers[size] * numbers["k"], numbers[other] * numbers["k"]
    )
    assert not relations.is_at_most(numbers[other].times(3), numbers[size])


@pytest.mark.parametrize(
    ("size", "other"),
    [
        ("n", "half"),
        ("n", "low"),
        ("n", "k"),
        ("most", "n"),
        ("n", "least"),
        ("n", "less"),
    ],
)
def test_what_may_be_more(size: str, other: str):
    numbers = _numbers()
    assert not Relations(Sizes().number).is_at_most(numbers[size], numbers[other])


def test_quotients_are_bounded_from_below():
    numbers = _numbers()
    assert Relations(Sizes().number).is_at_most(numbers["n"], numbers["half"].times(2))
    assert Relations(Sizes().number).is_at_most(numbers["n"], numbers["up"].times(2))
    assert not Relations(Sizes().number).is_at_most(
        numbers["n"].times(3), numbers["up"].times(4)
    )
