"""The parts that operands touch."""

from __future__ import annotations

import pytest

from tests.one_shot_programs import Program
from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.one_shot.facts.overlaps import Overlaps
from xdsl_bufferization.one_shot.facts.slices import Parts, When

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
    "read, write, when, expected",
    [
        ("x", "w", When.SAME_ITERATION, False),
        # %i may be 4 less in the iteration that writes.
        ("x", "w", When.ANY_ITERATIONS, True),
        ("y", "w", When.SAME_ITERATION, True),
        ("x", "v", When.SAME_ITERATION, True),
    ],
)
def test_parts_of_slices(read: str, write: str, when: When, expected: bool):
    program = Program(BODY)
    overlaps = Overlaps(program.tensors, lambda a, b: a is b)
    operands = program.operand(read, 0), program.operand(write, 1)
    assert overlaps.may_overlap(*operands, when) == expected


def test_a_slice_is_extracted_from_its_container():
    program = Program(BODY)
    extracted = Parts(program.tensors).extracted(program.value("a"))
    assert extracted is not None
    assert extracted[0] is program.value("t")
    assert extracted[1] == Slice((program.op("x").operands[1],), (4,), (1,))
