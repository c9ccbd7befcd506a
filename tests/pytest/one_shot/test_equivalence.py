"""Tensors that are known to be the same memref, as decided."""

from __future__ import annotations

import pytest

from tests.one_shot_programs import Program
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import EquivalenceClasses

BODY = """
%a = tensor.insert %f into %t[%i] : tensor<8xf32>
%both = arith.select %c, %a, %t : tensor<8xf32>
%either = arith.select %c, %a, %u : tensor<8xf32>
%part = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
"""


@pytest.mark.parametrize(
    "a, b, all_in_place, none_in_place",
    [
        ("a", "t", True, False),
        # Both choices are the same memref.
        ("both", "t", True, False),
        ("either", "a", False, False),
        ("part", "t", False, False),
        ("t", "u", False, False),
        ("t", "t", True, True),
    ],
)
def test_classes_follow_decisions(
    a: str, b: str, all_in_place: bool, none_in_place: bool
):
    program = Program(BODY)
    for in_place, expected in ((True, all_in_place), (False, none_in_place)):
        classes = EquivalenceClasses(program.tensors, lambda _, answer=in_place: answer)
        classes.link_all(program.tensors.whole)
        assert (
            classes.is_equivalent(program.value(a).value, program.value(b).value)
            == expected
        )
