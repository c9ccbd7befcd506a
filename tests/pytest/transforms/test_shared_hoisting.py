"""`buffer-loop-hoisting{share-memory}`, also in `bufferize`: the peak stays what it was."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.traits import SymbolTable

from tests.fuzzing.trials import apply, read
from tests.peer import find_mlir_tools
from tests.peer.runner import parse_module
from tests.programs import generate_program
from tests.programs.comparison import inputs_for
from tests.programs.generator import Program
from tests.semantics import interpreter_of
from tests.slow import in_turn
from xdsl_bufferization.semantics.checking.check import CheckOptions, check
from xdsl_bufferization.semantics.memory import Statistics
from xdsl_bufferization.semantics.values import Kind
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.shaped_types import is_memref_type

SHARE = "buffer-loop-hoisting{share-memory=true}"
BUFFERIZE = (
    "eliminate-copies,one-shot-bufferize{bufferize-function-boundaries=true "
    "function-boundary-type-conversion=identity-layout-map},drop-equivalent-buffer-results"
)
DEALLOCATE = "buffer-deallocation-pipeline,convert-bufferization-to-memref"

LOOP = """
func.func @f(%t: memref<16x4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() {alignment = 64 : i64} : memref<4x16xf32>
    linalg.transpose ins(%t : memref<16x4xf32>) outs(%a : memref<4x16xf32>) permutation = [1, 0]
    %b = memref.alloc() {alignment = 64 : i64} : memref<16x16xf32>
    linalg.fill ins(%zero : f32) outs(%b : memref<16x16xf32>)
    linalg.matmul ins(%t, %a : memref<16x4xf32>, memref<4x16xf32>) outs(%b : memref<16x16xf32>)
    %d = memref.alloc() {alignment = 64 : i64} : memref<16x4xf32>
    linalg.fill ins(%zero : f32) outs(%d : memref<16x4xf32>)
    linalg.matmul ins(%b, %t : memref<16x16xf32>, memref<16x4xf32>) outs(%d : memref<16x4xf32>)
    linalg.add ins(%d, %t : memref<16x4xf32>, memref<16x4xf32>) outs(%t : memref<16x4xf32>)
  }
  func.return
}
"""
"""Buffers of 256, 1,024 and 256 bytes, of which the first and the last are not live together."""


def statistics(module: ModuleOp, program: Program | None = None) -> list[Statistics]:
    """What runs of the functions with inputs for which loops run do with memory."""
    found: list[Statistics] = []
    if program is None:
        calls = [("f", [np.ones((16, 4), np.float32), np.array(3, np.int64)])]
    else:
        calls = [
            (function.name, arguments)
            for function, arguments in inputs_for(program)
            # The last three are the number of iterations, a scalar and a condition.
            if arguments[-3] > 0
        ]
    for name, arguments in calls:
        interpreter = interpreter_of(module)
        function = SymbolTable.lookup_symbol(module, name)
        assert function is not None
        memory = interpreter.memory
        values = tuple(
            memory.initialised(argument.copy(), None, Kind.ARGUMENT)
            if is_memref_type(parameter.type)
            else argument[()]
            for argument, parameter in zip(
                arguments, function.regions[0].blocks[0].args, strict=True
            )
        )
        interpreter.call(function, values)
        found.append(memory.statistics())
    return found


def test_an_iteration_allocates_nothing_and_the_peak_is_that_of_the_body():
    (body,) = statistics(_after(LOOP, DEALLOCATE))
    (apart,) = statistics(_after(LOOP, f"buffer-loop-hoisting,{DEALLOCATE}"))
    (shared,) = statistics(_after(LOOP, f"{SHARE},{DEALLOCATE}"))
    assert (body.allocations, body.peak_bytes) == (9, 1280)
    assert (apart.allocations, apart.peak_bytes) == (3, 1536)
    assert (shared.allocations, shared.peak_bytes, shared.leaked_bytes) == (1, 1280, 0)


def test_the_arena_of_a_loop_is_a_part_of_that_of_the_function():
    (planned,) = statistics(_after(LOOP, f"{SHARE},plan-static-memory,{DEALLOCATE}"))
    assert (planned.allocations, planned.peak_bytes, planned.leaked_bytes) == (
        1,
        1280,
        0,
    )


def test_the_program_computes_the_same():
    report = check(
        parse_module(LOOP), _after(LOOP, f"{SHARE},{DEALLOCATE}"), CheckOptions(runs=3)
    )
    assert report.problem is None


def test_switch_allocates_in_one_branch():
    program = """
    func.func @f(%k: index, %a: tensor<64xf32>) -> tensor<64xf32> {
      %r = scf.index_switch %k -> tensor<64xf32>
      case 0 {
        %e = tensor.empty() : tensor<64xf32>
        %0 = linalg.exp ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
        scf.yield %0 : tensor<64xf32>
      }
      default {
        %e = tensor.empty() : tensor<64xf32>
        %0 = linalg.log ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
        scf.yield %0 : tensor<64xf32>
      }
      func.return %r : tensor<64xf32>
    }
    """
    module = _after(program, "bufferize{arguments=read-only}")
    interpreter = interpreter_of(module)
    function = SymbolTable.lookup_symbol(module, "f")
    assert function is not None
    memory = interpreter.memory
    interpreter.call(
        function, (0, memory.initialised(np.ones(64, np.float32), None, Kind.ARGUMENT))
    )
    assert memory.statistics().peak_bytes == 256


@pytest.mark.parametrize(
    "families, seed",
    in_turn(
        [
            ("loops",),
            ("loops", "switches"),
            ("loops", "calls"),
            ("blocks", "unknown sizes"),
            ("bodies", "loops", "structured"),
        ],
        range(40),
        5,
    ),
)
def test_the_peak_of_a_random_program_is_at_most_that_without_hoisting(
    families: tuple[str, ...], seed: int
):
    program = generate_program(Random(seed), families, functions=2, ops=10)
    module = read(program.text, find_mlir_tools())
    try:
        apply(BUFFERIZE, module)
        without, shared = module.clone(), module
        apply(DEALLOCATE, without)
    except BufferizationError:
        return
    apply(f"{SHARE},{DEALLOCATE}", shared)
    for before, after in zip(
        statistics(without, program), statistics(shared, program), strict=True
    ):
        assert after.peak_bytes <= before.peak_bytes
        assert after.allocations <= before.allocations
        assert after.frees - after.allocations == before.frees - before.allocations


def _after(program: str, passes: str) -> ModuleOp:
    module = parse_module(program)
    apply(passes, module)
    module.verify()
    return module
