"""The types of the buffers that tensors will be in."""

from __future__ import annotations

import pytest

from tests.one_shot_programs import Program
from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.one_shot.rewriting.buffer_types import BufferTypeInference
from xdsl_bufferization.support.options import OneShotOptions

BODY = """
%e = tensor.empty() : tensor<8xf32>
%a = tensor.extract_slice %e[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
%b = tensor.insert %f into %a[%i] : tensor<4xf32>
%n = tensor.empty() : tensor<4xf32>
%s = arith.select %c, %b, %n : tensor<4xf32>
%same = arith.select %c, %n, %n : tensor<4xf32>
"""


@pytest.mark.parametrize(
    "name, type",
    [
        ("e", "memref<8xf32>"),
        ("a", "memref<4xf32, strided<[1], offset: 4>>"),
        # In the buffer of the operand.
        ("b", "memref<4xf32, strided<[1], offset: 4>>"),
        # The type that both choices can be cast to.
        ("s", "memref<4xf32, strided<[?], offset: ?>>"),
        ("same", "memref<4xf32>"),
    ],
)
def test_types_follow_the_buffers(name: str, type: str):
    types = BufferTypeInference(
        OneShotOptions(), BufferizableOpInterface.of, lambda _: None
    )
    assert str(types.buffer_type(Program(BODY).value(name).value)) == type
