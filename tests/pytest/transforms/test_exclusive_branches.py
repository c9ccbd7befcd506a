"""`plan-static-memory` of branches that exclude each other: arenas compute the same numbers."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from xdsl.ir import Operation
from xdsl.traits import SymbolTable

from tests.fuzzing.trials import apply
from tests.peer.runner import parse_module
from tests.semantics import interpreter_of
from xdsl_bufferization.semantics.memory import Statistics
from xdsl_bufferization.semantics.values import Kind

BRANCHES = """
func.func @f(%x: memref<4xf32>, %cs: memref<3xi1>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = memref.alloc() : memref<4xf32>
  memref.copy %x, %start : memref<4xf32> to memref<4xf32>
  %last = scf.for %i = %c0 to %k step %c1 iter_args(%h = %start) -> (memref<4xf32>) {
    %c = memref.load %cs[%i] : memref<3xi1>
    %r = scf.if %c -> (memref<4xf32>) {
      %a = memref.alloc() : memref<4xf32>
      linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
      %m = memref.load %a[%c0] : memref<4xf32>
      %big = arith.constant 4.0 : f32
      %is_big = arith.cmpf ogt, %m, %big : f32
      %s = scf.if %is_big -> (memref<4xf32>) {
        %d = memref.alloc() : memref<4xf32>
        linalg.sqrt ins(%a : memref<4xf32>) outs(%d : memref<4xf32>)
        scf.yield %d : memref<4xf32>
      } else {
        scf.yield %a : memref<4xf32>
      }
      scf.yield %s : memref<4xf32>
    } else {
      %t = memref.alloc() : memref<4xf32>
      linalg.abs ins(%x : memref<4xf32>) outs(%t : memref<4xf32>)
      %b = memref.alloc() : memref<4xf32>
      linalg.square ins(%t : memref<4xf32>) outs(%b : memref<4xf32>)
      linalg.add ins(%t, %b : memref<4xf32>, memref<4xf32>) outs(%b : memref<4xf32>)
      scf.yield %b : memref<4xf32>
    }
    linalg.add ins(%r, %x : memref<4xf32>, memref<4xf32>) outs(%x : memref<4xf32>)
    scf.yield %r : memref<4xf32>
  }
  linalg.add ins(%last, %x : memref<4xf32>, memref<4xf32>) outs(%x : memref<4xf32>)
  func.return
}
"""


def _run(
    passes: str, conditions: tuple[bool, ...], number: int
) -> tuple[np.ndarray, Statistics]:
    module = parse_module(BRANCHES)
    apply(passes, module)
    interpreter = interpreter_of(module)
    function = SymbolTable.lookup_symbol(module, "f")
    assert isinstance(function, Operation)
    memory = interpreter.memory
    argument, chosen = (
        memory.initialised(array, None, Kind.ARGUMENT)
        for array in (np.arange(4, dtype=np.float32) / 4, np.array(conditions))
    )
    interpreter.call(function, (argument, chosen, number))
    return argument.view().copy(), memory.statistics()


@pytest.mark.parametrize("conditions", [*product((False, True), repeat=3)])
@pytest.mark.parametrize("number", [0, 1, 3])
def test_what_loops_take_from_branches(
    conditions: tuple[bool, ...], number: int
) -> None:
    expected, _ = _run("canonicalize", conditions, number)
    found, memory = _run("plan-static-memory{remarks=false}", conditions, number)
    assert np.array_equal(found, expected)
    # %start, and two of the buffers of branches.
    assert (memory.allocations, memory.peak_bytes) == (1, 48)
