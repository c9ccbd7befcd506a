"""What the analysis finds out about a program, and that decisions follow from it."""

from __future__ import annotations

import pytest
from xdsl.dialects import scf
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue

from tests.peer.runner import parse_module
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.decisions.reasons import Conflict
from xdsl_bufferization.one_shot.facts.origins import Origins
from xdsl_bufferization.one_shot.facts.program import TensorProgram
from xdsl_bufferization.support.names import op_name


def analyse(text: str) -> OneShotAnalysis:
    module = parse_module(text)
    return OneShotAnalysis(TensorProgram([*module.ops]))


def named(program: TensorProgram, name: str) -> SSAValue:
    """The tensor that the text calls so."""
    (value,) = (value for value in program.values if value.name_hint == name)
    return value


INSERT_INTO_READ = """
func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %r, %x : tensor<4xf32>, f32
}
"""


def find(program: TensorProgram, name: str) -> Operation:
    (op,) = (info.op for info in program.ops if op_name(info.op) == name)
    return op


def test_out_of_place_operand_has_its_reason():
    analysis = analyse(INSERT_INTO_READ)
    program = analysis.program
    insert = program.operand(find(program, "tensor.insert"), 1)
    assert insert is not None
    assert not analysis.is_in_place(insert)
    reason = analysis.reason(insert)
    assert isinstance(reason, Conflict)
    assert reason.write is insert
    assert reason.read.owner.op is find(program, "tensor.extract")
    assert reason.definition.value is named(program, "t")


def test_tensors_of_an_out_of_place_operand_are_not_aliasing():
    analysis = analyse(INSERT_INTO_READ)
    t, r = (
        analysis.program.values[named(analysis.program, name)] for name in ("t", "r")
    )
    assert analysis.alias_sets.find(t) is not analysis.alias_sets.find(r)
    assert not analysis.is_equivalent(t.value, r.value)


SLICES = """
func.func @f(%t: tensor<8xf32>, %c: i1, %f: f32, %i: index) -> tensor<4xf32> {
  %a = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %b = tensor.insert %f into %a[%i] : tensor<4xf32>
  %other = tensor.extract_slice %t[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %s = arith.select %c, %b, %other : tensor<4xf32>
  func.return %s : tensor<4xf32>
}
"""


@pytest.mark.parametrize(
    "a, b, tied, same_or_disjoint",
    [
        ("a", "b", True, True),  # an update in place, or in a copy
        ("a", "other", False, False),  # both are parts of %t
        ("t", "a", False, False),  # a part and the whole
        ("b", "s", False, False),  # %s may be the one slice or the other
        ("t", "t", True, True),
    ],
)
def test_origins(a: str, b: str, tied: bool, same_or_disjoint: bool):
    program = TensorProgram([*parse_module(SLICES).ops])
    origins = Origins(program)
    x, y = (program.values[named(program, name)] for name in (a, b))
    assert origins.same_buffer_or_disjoint(x, y) is tied
    assert origins.same_buffer_or_disjoint(y, x) is tied
    assert origins.are_same_or_disjoint(x, y) is same_or_disjoint
    assert origins.are_same_or_disjoint(y, x) is same_or_disjoint


IN_PLACE = """
func.func @f(%t: tensor<8xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %a = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %b = tensor.insert %f into %a[%i] : tensor<4xf32>
  func.return %b : tensor<4xf32>
}
"""


def test_slices_in_place_alias_without_being_equivalent():
    analysis = analyse(IN_PLACE)
    program = analysis.program
    t, a, b = (program.values[named(program, name)] for name in ("t", "a", "b"))
    assert analysis.alias_sets.find(t) is analysis.alias_sets.find(a)
    assert analysis.is_equivalent(a.value, b.value)
    assert not analysis.is_equivalent(t.value, a.value)


def test_deep_nesting_needs_no_recursion():
    depth = 2000
    module = parse_module(
        """
func.func @f(%t: tensor<4xf32>, %c: i1, %f: f32, %i: index) -> tensor<4xf32> {
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}
"""
    )
    # Nested by hand: the parser recurses for each level.
    (function,) = module.ops
    assert isinstance(function, FuncOp)
    insert = function.body.block.first_op
    assert insert is not None
    condition = function.args[1]
    innermost: Operation = scf.IfOp(condition, (), Region(Block((scf.YieldOp(),))))
    for _ in range(depth):
        innermost = scf.IfOp(condition, (), Region(Block((innermost, scf.YieldOp()))))
    function.body.block.insert_op_before(innermost, insert)
    analysis = OneShotAnalysis(TensorProgram([*module.ops]))
    assert all(map(analysis.is_in_place, analysis.program.operands()))
