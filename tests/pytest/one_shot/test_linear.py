"""Values as linear functions of one value."""

from __future__ import annotations

import pytest

from tests.one_shot_programs import Program
from xdsl_bufferization.interfaces.sizes import LinearForm
from xdsl_bufferization.one_shot.facts.slices import linear

CONSTANTS = "%c4 = arith.constant 4 : index\n"


@pytest.mark.parametrize(
    "text, base, factor, constant",
    [
        ("arith.addi %i, %c4 : index", "i", 1, 4),
        ("arith.addi %c4, %i : index", "i", 1, 4),
        ("arith.subi %i, %c4 : index", "i", 1, -4),
        ("arith.subi %c4, %i : index", "i", -1, 4),
        ("arith.muli %i, %c4 : index", "i", 4, 0),
        ("arith.muli %c4, %c4 : index", None, 0, 16),
        ("affine.apply affine_map<(d0) -> (d0 * 3 - 2)> (%i)", "i", 3, -2),
        ("affine.apply affine_map<()[s0] -> (s0 + 1)> ()[%i]", "i", 1, 1),
        # Not linear in one value.
        ("arith.addi %i, %j : index", "v", 1, 0),
        ("arith.muli %i, %j : index", "v", 1, 0),
        ("affine.apply affine_map<(d0) -> (d0 floordiv 2)> (%i)", "v", 1, 0),
        # A clamp that may change the number.
        ("arith.maxsi %i, %c4 : index", "v", 1, 0),
    ],
)
def test_of_one_op(text: str, base: str | None, factor: int, constant: int):
    form = linear(Program(f"{CONSTANTS}%v = {text}").op("v").results[0])
    assert form[1:] == (factor, constant)
    assert (form.base.name_hint if form.base else None) == base


def test_ops_are_looked_through():
    form = linear(
        Program(f"""{CONSTANTS}
%a = arith.addi %i, %c4 : index
%b = arith.muli %a, %c4 : index
%v = arith.subi %b, %i : index
%w = arith.subi %b, %c4 : index""")
        .op("w")
        .results[0]
    )
    assert form.base is not None
    assert (form.base.name_hint, *form[1:]) == ("i", 4, 12)


def test_of_a_number():
    assert linear(7) == LinearForm(None, 0, 7)


@pytest.mark.parametrize("bound, is_kept", [(11, True), (10, False)])
def test_clamps_that_change_no_number(bound: int, is_kept: bool):
    program = Program(f"""
%c0 = arith.constant 0 : i32
%c12 = arith.constant 12 : i32
%c1 = arith.constant 1 : i32
%bound = arith.constant {bound} : index
scf.for %l = %c0 to %c12 step %c1 : i32 {{
  %k = arith.index_cast %l : i32 to index
  %v = arith.minsi %k, %bound : index
}}""")
    base = linear(program.op("v").results[0]).base
    assert base is not None
    assert base.name_hint == ("l" if is_kept else "v")
