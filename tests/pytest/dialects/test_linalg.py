"""What our linalg dialect mends of ops that xDSL defines."""

from __future__ import annotations

from xdsl.dialects import arith, test
from xdsl.dialects.builtin import TensorType, f32, f64
from xdsl.dialects.linalg.ops import CopyOp

from xdsl_bufferization import repairs


def test_copies_that_are_built_convert_elements():
    repairs.apply("linalg")
    source, target = test.TestOp(
        result_types=(TensorType(f32, [4]), TensorType(f64, [4]))
    ).res

    copy = CopyOp((source,), (target,))

    copy.verify()
    assert isinstance(copy.body.block.first_op, arith.ExtFOp)
