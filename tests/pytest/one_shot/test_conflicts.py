"""Read-after-write conflicts: one program for each way out of `ConflictFinder`, and without it."""

from __future__ import annotations

import pytest

from tests.one_shot_programs import Program
from xdsl_bufferization.one_shot.decisions.reasons import Conflict


def is_all_in_place(body: str) -> bool:
    """Whether each operand is decided in place: which one of a conflict is not, may change."""
    analysis = Program(body).analysis()
    return all(map(analysis.is_in_place, analysis.program.operands()))


READ_LATER = """
%new = tensor.insert %f into %t[%i] : tensor<8xf32>
%x = tensor.extract %t[%j] : tensor<8xf32>
%y = tensor.extract %new[%j] : tensor<8xf32>
"""


def test_a_read_after_the_write_is_a_conflict_with_its_definition():
    body = "%t0 = linalg.fill ins(%f : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>\n"
    program = Program(body + READ_LATER.replace("%t[", "%t0["))
    reason = program.analysis().reason(program.operand("new", 1))
    assert reason == Conflict(
        program.operand("x", 0), program.operand("new", 1), program.value("t0")
    )


FILL = "%t0 = linalg.fill ins(%f : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>\n"
SELECTED = """
%u0 = linalg.fill ins(%f : f32) outs(%u : tensor<8xf32>) -> tensor<8xf32>
%s = arith.select %c, %t0, %u0 : tensor<8xf32>
%new = tensor.insert %f into %t0[%i] : tensor<8xf32>
%x = tensor.extract %READ[%i] : tensor<8xf32>
%y = tensor.extract %new[%j] : tensor<8xf32>
"""
EXP = "linalg.exp ins(%{} : tensor<7xf32>) outs(%{} : tensor<7xf32>) -> tensor<7xf32>"
SLICES = """
%a = tensor.extract_slice %t0[%i] [7] [1] : tensor<8xf32> to tensor<7xf32>
%b = tensor.extract_slice %t0[%j] [7] [1] : tensor<8xf32> to tensor<7xf32>
%new = {}
%y = tensor.extract %new[%j] : tensor<7xf32>
"""
PARTS = """
%x = tensor.extract %t0[%c1] : tensor<8xf32>
%new = tensor.insert %f into %t0[%c0] : tensor<8xf32>
%z = tensor.extract %t0[%{}] : tensor<8xf32>
%y = tensor.extract %new[%j] : tensor<8xf32>
"""
CONSTANTS = """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
"""


@pytest.mark.parametrize(
    "body, in_place",
    [
        # The same operand.
        ("%new = tensor.insert %f into %t0[%i] : tensor<8xf32>", True),
        # The write makes the contents.
        (READ_LATER.replace("extract %t[", "extract %new[").replace("%t", "%t0"), True),
        (READ_LATER.replace("%t", "%t0"), False),
        # In one alias set only as %s may be either.
        (SELECTED.replace("%READ", "%u0"), True),
        (SELECTED.replace("%READ", "%t0"), False),
        (SELECTED.replace("%READ", "%s"), False),
        # Disjoint parts.
        (CONSTANTS + PARTS.format("c1"), True),
        (CONSTANTS + PARTS.format("c0"), False),
        (CONSTANTS + PARTS.format("i"), False),
    ],
)
def test_exits(body: str, in_place: bool):
    assert is_all_in_place(FILL + body) == in_place


@pytest.mark.parametrize(
    "op, in_place",
    [
        # Each element is read before it is written: the same slice, or the same tensor.
        (EXP.format("a", "a"), True),
        # Slices that may overlap in part.
        (EXP.format("a", "b"), False),
        (EXP.format("b", "a"), False),
    ],
)
def test_elementwise_ops_read_before_they_write(op: str, in_place: bool):
    assert is_all_in_place(FILL + SLICES.format(op)) == in_place


@pytest.mark.parametrize("offset, in_place", [("k", True), ("j", False)])
def test_an_insertion_reads_outside_of_what_it_overwrites(offset: str, in_place: bool):
    body = f"""
%k = arith.addi %i, %j : index
%a = tensor.extract_slice %t0[%k] [4] [1] : tensor<8xf32> to tensor<4xf32>
%w = tensor.insert %f into %a[%i] : tensor<4xf32>
%new = tensor.insert_slice %w into %t0[%{offset}] [4] [1] : tensor<4xf32> into tensor<8xf32>
%y = tensor.extract %new[%j] : tensor<8xf32>
"""
    assert is_all_in_place(FILL + body) == in_place


def test_a_repeated_read_sees_what_the_iteration_before_has_written():
    loop = """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r = scf.for %k = %c0 to %j step %c1 iter_args(%a = %{}) -> (tensor<8xf32>) {{
  %x = tensor.extract %t0[%{}] : tensor<8xf32>
  %w = tensor.insert %x into %a[%k] : tensor<8xf32>
  scf.yield %w : tensor<8xf32>
}}
%y = tensor.extract %r[%j] : tensor<8xf32>
"""
    assert is_all_in_place(FILL + loop.format("t0", "k"))
    assert not is_all_in_place(FILL + loop.format("t0", "i"))
