"""A function in the body of another one, which nobody can call, is planned, too."""

from tests.fuzzing.trials import apply
from tests.peer.runner import parse_module

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

    apply("plan-static-memory{alignment=4}", module)

    assert str(module).count("memref<16xi8>") >= 2
