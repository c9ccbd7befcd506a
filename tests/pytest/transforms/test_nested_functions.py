"""A function in the body of another one, which nobody can call, is planned, too."""

from xdsl.passes import PassPipeline
from xdsl.universe import Universe

from tests.peer.runner import parse_module
from xdsl_bufferization.support.reading import context_of_all_dialects

PROGRAM = """
func.func @outer(%f: f32, %i: index) {
  func.func private @inner(%g: f32, %k: index) {
    %b = memref.alloc() : memref<4xf32>
    memref.store %g, %b[%k] : memref<4xf32>
    func.return
  }
  %a = memref.alloc() : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  func.return
}
"""


def test_both_functions_are_planned():
    module = parse_module(PROGRAM)
    pipeline = PassPipeline.parse_spec(
        Universe.get_multiverse().all_passes, "plan-static-memory{alignment=4}"
    )

    pipeline.apply(context_of_all_dialects(), module)

    module.verify()
    assert str(module).count("memref<16xi8>") >= 2
