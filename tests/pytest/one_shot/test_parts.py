"""Slices that have no element in common, and the parts that operands touch."""

from __future__ import annotations

import pytest

from tests.one_shot_programs import Program
from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.one_shot.facts.parts import Parts, are_disjoint


def part(offset: int, size: int, stride: int = 1) -> Slice:
    return Slice((offset,), (size,), (stride,))


@pytest.mark.parametrize(
    "a, b, expected",
    [
        (part(0, 4), part(4, 4), True),
        (part(0, 5), part(4, 4), False),
        (part(4, 4), part(0, 4), True),
        # Elements 0, 2, 4, 6 and 1, 3, 5, 7.
        (part(0, 4, 2), part(1, 4, 2), True),
        (part(0, 4, 2), part(2, 4, 2), False),
        (part(0, 4, -1), part(4, 4), False),
    ],
)
def test_slices_at_constants(a: Slice, b: Slice, expected: bool):
    assert are_disjoint(a, b, same_values=False) == expected
    assert are_disjoint(b, a, same_values=False) == expected


BODY = """
%c4 = arith.constant 4 : index
%k = arith.addi %i, %c4 : index
%a = tensor.extract_slice %t[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
%b = tensor.extract_slice %t[%k] [4] [1] : tensor<8xf32> to tensor<4xf32>
%d = tensor.extract_slice %t[%j] [4] [1] : tensor<8xf32> to tensor<4xf32>
%x = tensor.extract %a[%i] : tensor<4xf32>
%y = tensor.extract %b[%i] : tensor<4xf32>
%w = tensor.insert %f into %b[%i] : tensor<4xf32>
%v = tensor.insert %f into %d[%i] : tensor<4xf32>
"""


@pytest.mark.parametrize(
    "read, write, same_iteration, expected",
    [
        ("x", "w", True, True),
        # %i may be 4 less in the iteration that writes.
        ("x", "w", False, False),
        ("y", "w", True, False),
        ("x", "v", True, False),
    ],
)
def test_parts_of_slices(read: str, write: str, same_iteration: bool, expected: bool):
    program = Program(BODY)
    parts = Parts(program.tensors, program.origins)
    operands = program.operand(read, 0), program.operand(write, 1)
    assert parts.are_disjoint(*operands, same_iteration=same_iteration) == expected


def test_a_slice_is_extracted_from_its_container():
    program = Program(BODY)
    extracted = Parts(program.tensors, program.origins).extracted(program.value("a"))
    assert extracted is not None
    assert extracted[0] is program.value("t")
    assert extracted[1].sizes == (4,)
