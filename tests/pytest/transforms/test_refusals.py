"""A pass that refuses one function leaves all as they are."""

import pytest

from tests.fuzzing.trials import apply
from tests.peer.runner import parse_module
from xdsl_bufferization.support.diagnostics import BufferizationError

PROGRAM = """
func.func @valid(%o: memref<4xf32>, %c: i1, %i: index, %f: f32) {
  %n = arith.constant 1 : index
  scf.for %j = %i to %i step %n {
    %a = memref.alloc() : memref<4xf32>
    memref.store %f, %a[%i] : memref<4xf32>
    memref.copy %a, %o : memref<4xf32> to memref<4xf32>
    %x = memref.load %o[%i] : memref<4xf32>
    bufferization.dealloc (%a : memref<4xf32>) if (%c) retain (%o : memref<4xf32>)
  }
  %b = memref.alloc() : memref<4xf32>
  memref.store %f, %b[%i] : memref<4xf32>
  memref.store %f, %o[%i] : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  func.return
}
func.func @small(%s: memref<4xf32>, %c: i1, %i: index, %f: f32) -> f32 {
  %n = arith.constant 1 : index
  scf.for %j = %i to %i step %n {
    scf.if %c {
      %a = memref.alloc() : memref<4xf32>
      memref.store %f, %a[%i] : memref<4xf32>
    }
  }
  %b = memref.alloc() : memref<4xf32>
  memref.copy %s, %b : memref<4xf32> to memref<4xf32>
  %x = memref.load %b[%i] : memref<4xf32>
  func.return %x : f32
}
func.func @yields_too_little(%c: i1, %o: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %a, %o : memref<4xf32> to memref<4xf32>
  %r = scf.if %c -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield
  }
  bufferization.dealloc (%a : memref<4xf32>) if (%c) retain (%r : memref<4xf32>)
  memref.dealloc %a : memref<4xf32>
  func.return %r : memref<4xf32>
}
"""


@pytest.mark.parametrize(
    "name",
    [
        "buffer-deallocation",
        "buffer-deallocation-pipeline",
        "buffer-deallocation-simplification",
        "buffer-hoisting",
        "buffer-loop-hoisting",
        "copy-removal",
        "optimize-allocation-liveness",
        "ownership-based-buffer-deallocation",
        "plan-static-memory",
        "promote-buffers-to-stack",
    ],
)
def test_no_function_changes_before_another_is_refused(name: str):
    module = parse_module(PROGRAM)
    before = str(module)

    with pytest.raises(BufferizationError):
        apply(name, module)

    assert str(module) == before
