"""Extract a subset, compute on it, insert it again."""

from __future__ import annotations

import pytest

from tests.one_shot_programs import Program
from xdsl_bufferization.one_shot.facts.overlaps import Subsets
from xdsl_bufferization.one_shot.facts.slices import Parts

BODY = """
%a = tensor.extract_slice %t[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
%b = tensor.insert %f into %a[%j] : tensor<4xf32>
%same = tensor.insert_slice %b into %t[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
%other = tensor.insert_slice %b into %t[%j] [4] [1] : tensor<4xf32> into tensor<8xf32>
%elsewhere = tensor.insert_slice %b into %u[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
"""


@pytest.mark.parametrize(
    "insertion, expected", [("same", True), ("other", False), ("elsewhere", False)]
)
def test_an_insertion_reads_outside_of_the_subset(insertion: str, expected: bool):
    program = Program(BODY)
    subsets = Subsets(
        program.tensors, program.origins, Parts(program.tensors), lambda a, b: a is b
    )
    read, write = program.operand(insertion, 1), program.operand("b", 1)
    assert subsets.are_non_conflicting(read, write) == expected


@pytest.mark.parametrize(
    "insertion, expected", [("same", True), ("other", False), ("elsewhere", False)]
)
def test_what_is_inserted_is_in_its_place(insertion: str, expected: bool):
    program = Program(BODY)
    subsets = Subsets(
        program.tensors, program.origins, Parts(program.tensors), lambda a, b: a is b
    )
    read, write = program.operand(insertion, 0), program.operand(insertion, 1)
    assert subsets.are_non_conflicting(read, write) == expected
