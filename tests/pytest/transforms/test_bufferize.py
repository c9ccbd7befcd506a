"""The pass that runs all others."""

import pytest
from xdsl.context import Context

from tests.peer.runner import parse_module
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.transforms.bufferize import BufferizePass

UNKNOWN_EFFECTS = """
func.func @f(%t: tensor<4xf32>, %f: f32, %i: index, %m: memref<4xf32>) -> tensor<4xf32> {
  "my.op"(%m) : (memref<4xf32>) -> ()
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}
"""


def test_a_program_that_can_not_be_freed_is_as_it_was():
    module = parse_module(UNKNOWN_EFFECTS)
    before = str(module)
    with pytest.raises(
        BufferizationError, match=r"'my\.op' may allocate or free memory"
    ):
        BufferizePass().apply(Context(), module)
    assert str(module) == before


def test_options_of_all_passes_are_taken():
    module = parse_module(UNKNOWN_EFFECTS)
    options = BufferizePass(copy_before_write=True, touches_only=("my.op",))
    options.apply(Context(), module)
    module.verify()
    assert "tensor" not in str(module)
    assert str(module).count("memref.copy") == 1
