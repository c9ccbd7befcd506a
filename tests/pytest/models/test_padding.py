"""Padding that no buffer can have is refused."""

import pytest

from tests.fuzzing.trials import apply
from tests.peer.runner import parse_module
from xdsl_bufferization.support.diagnostics import BufferizationError

PAD = """
func.func @f(%t: tensor<?xf32>, %u: tensor<6xf32>, %l: index, %c: f32) {
  %r = tensor.pad PADDING {
  ^bb0(%i: index):
    tensor.yield %c : f32
  }: TYPES
  func.return
}
"""


@pytest.mark.parametrize(
    "name",
    ["bufferize", "one-shot-bufferize", "tensor-bufferize", "tensor-copy-insertion"],
)
@pytest.mark.parametrize(
    ("padding", "types"),
    [
        ("%u low[1] high[-2]", "tensor<6xf32> to tensor<5xf32>"),
        ("%t low[-1] high[%l]", "tensor<?xf32> to tensor<?xf32>"),
    ],
)
def test_negative_padding(name: str, padding: str, types: str):
    module = parse_module(PAD.replace("PADDING", padding).replace("TYPES", types))
    before = str(module)

    with pytest.raises(BufferizationError, match="has a negative padding"):
        apply(name, module)

    assert str(module) == before
