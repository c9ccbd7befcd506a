"""Models to start from: what they say of ops once these are on buffers."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.ir import Operation

from tests.other_dialects import registered
from tests.peer.runner import parse_module
from xdsl_bufferization import BufferizePass, DestinationStyleModel, NewBufferModel

PROGRAM = """
func.func @f(%a: f32, %x: tensor<4xf32>, %i: index) -> f32 {
  %y = "blas.ones"() : () -> tensor<4xf32>
  %r = "blas.saxpy"(%a, %x, %y) : (f32, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %e = tensor.extract %r[%i] : tensor<4xf32>
  func.return %e : f32
}
"""


class Saxpy(DestinationStyleModel):
    """`blas.saxpy`: adds the first operand times the second to the third."""

    def inits(self, op: Operation) -> Sequence[int]:
        return (2,)


def test_their_effects_on_buffers_are_known():
    """So `bufferize` can free memory that such ops use, without further models."""
    module = parse_module(PROGRAM)
    models = [("blas.saxpy", Saxpy()), ("blas.ones", NewBufferModel())]
    with registered(models):
        BufferizePass().apply(Context(), module)
    module.verify()
    names = "memref.alloc ones saxpy load dealloc return".split()
    text = str(module)
    places = [text.index(name) for name in names]
    assert places == sorted(places)
    assert "memref.copy" not in text
