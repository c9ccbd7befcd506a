"""What passes know of a program is found once for each state of it that they see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from typing import NamedTuple
from unittest.mock import patch

import pytest
from xdsl.context import Context
from xdsl.ir import Operation

from tests.fuzzing.trials import apply
from tests.peer.runner import parse_module
from xdsl_bufferization.memrefs.buffers.allocation_uses import MemrefFlows
from xdsl_bufferization.memrefs.buffers.buffer_flow import BufferFlow
from xdsl_bufferization.memrefs.buffers.memref_flow_graph import MemrefFlowGraph
from xdsl_bufferization.memrefs.buffers.program_points import ProgramPoints
from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.support.call_graph import CallGraph
from xdsl_bufferization.transforms.bufferize import BufferizePass
from xdsl_bufferization.transforms.plan_static_memory import ArenaOption, ResultsOption

SCAN = """
func.func @scan(%init: tensor<4xf32>, %xs: tensor<8x4xf32>) -> (tensor<4xf32>, tensor<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8x4xf32>
  %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%c = %init, %ys = %e)
      -> (tensor<4xf32>, tensor<8x4xf32>) {
    %x = tensor.extract_slice %xs[%i, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
    %o = tensor.empty() : tensor<4xf32>
    %s = linalg.add ins(%c, %x : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>)
      -> tensor<4xf32>
    %n = tensor.insert_slice %s into %ys[%i, 0] [1, 4] [1, 1]
      : tensor<4xf32> into tensor<8x4xf32>
    scf.yield %s, %n : tensor<4xf32>, tensor<8x4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<8x4xf32>
}
"""

CALLS = """
func.func private @relu(%x: tensor<64xf32>) -> tensor<64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.max ins(%x, %f : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>)
    -> tensor<64xf32>
  return %s : tensor<64xf32>
}
func.func @main(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %a = func.call @relu(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %b = func.call @relu(%a) : (tensor<64xf32>) -> tensor<64xf32>
  return %a, %b : tensor<64xf32>, tensor<64xf32>
}
"""

ON_MEMREFS = """
func.func private @layer(%x: memref<64xf32>) -> memref<64xf32> {
  %t = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%t : memref<64xf32>)
  %m = memref.alloc() : memref<64xf32>
  linalg.exp ins(%t : memref<64xf32>) outs(%m : memref<64xf32>)
  return %m : memref<64xf32>
}
func.func private @scaled(%x: memref<64xf32> {bufferize.aliasing_result = 0 : index})
    -> memref<64xf32> {
  linalg.exp ins(%x : memref<64xf32>) outs(%x : memref<64xf32>)
  %u = memref.cast %x : memref<64xf32> to memref<?xf32>
  %r = memref.cast %u : memref<?xf32> to memref<64xf32>
  return %r : memref<64xf32>
}
func.func @main(%x: memref<64xf32>) -> (memref<64xf32>, memref<64xf32>) {
  %a = func.call @layer(%x) : (memref<64xf32>) -> memref<64xf32>
  %b = func.call @scaled(%a) : (memref<64xf32>) -> memref<64xf32>
  %m = memref.alloc() : memref<64xf32>
  linalg.exp ins(%b : memref<64xf32>) outs(%m : memref<64xf32>)
  return %a, %m : memref<64xf32>, memref<64xf32>
}
"""


class Built(NamedTuple):
    """An analysis, what it is of, and the stage of `bufferize` that has asked for it."""

    stage: str
    analysis: str
    of: str


@contextmanager
def recorded() -> Generator[tuple[list[Built], Callable[[str], None]]]:
    """The analyses that are built, and a function that is told the name of each stage after it."""
    built: list[Built] = []
    pending: list[tuple[str, str]] = []

    def done(stage: str) -> None:
        built.extend(Built(stage, *analysis) for analysis in pending)
        pending.clear()

    def recording(
        kind: type, original: Callable[..., object], of: int
    ) -> Callable[..., object]:
        def call(*args: object, **kwargs: object) -> object:
            pending.append((kind.__name__, text_of(args[of])))
            return original(*args, **kwargs)

        return call

    chosen = [
        (CallGraph, "__init__", 1),
        (OneShotBufferization, "analyze", 0),
        (ProgramPoints, "__init__", 1),
        (BufferFlow, "__init__", 1),
        (MemrefFlowGraph, "__init__", 1),
    ]
    with ExitStack() as stack:
        for kind, method, of in chosen:
            call = recording(kind, getattr(kind, method), of)
            stack.enter_context(patch.object(kind, method, call))
        yield built, done


def text_of(of: object) -> str:
    """The text of what an analysis is given."""
    match of:
        case OneShotBufferization():
            return str(of.module)
        case BufferFlow():
            return str(of.function)
        case _:
            return str(of)


def built_by(program: str, options: BufferizePass) -> list[Built]:
    module = parse_module(program)
    with recorded() as (built, done):
        options._apply_all(  # pyright: ignore[reportPrivateUsage] # it tells the stages
            Context(), module, done
        )
    return built


def test_a_scan_has_one_call_graph_one_analysis_and_one_flow():
    built = built_by(SCAN, BufferizePass(reorder=False, fuse=False))
    counts = Counter((b.stage, b.analysis) for b in built)
    numberings = counts.pop(("eliminate-copies", "ProgramPoints"))
    assert counts == {
        # One for all stages on tensors.
        ("bufferize", "CallGraph"): 1,
        ("eliminate-copies", "OneShotBufferization"): 1,
        ("drop-equivalent-buffer-results", "CallGraph"): 1,
        ("buffer-deallocation-pipeline", "CallGraph"): 1,
        ("buffer-deallocation-pipeline", "BufferFlow"): 1,
        ("buffer-deallocation-pipeline", "MemrefFlowGraph"): 1,
    }
    # As it came, without useless empty tensors, three candidates, and as it stays.
    assert numberings == 6


@pytest.mark.parametrize("arena", [ArenaOption.OFF, ArenaOption.ARGUMENT])
def test_passes_on_memrefs_build_the_flow_of_a_function_once(arena: ArenaOption):
    results = (
        ResultsOption.RETURNED if arena is ArenaOption.OFF else ResultsOption.ARGUMENTS
    )
    built = built_by(CALLS, BufferizePass(arena=arena, results=results))
    first = next(i for i, b in enumerate(built) if b.analysis == "MemrefFlowGraph")
    counts = Counter(b for b in built[first:] if b.analysis != "ProgramPoints")
    for built_of, number in counts.items():
        # Effects of calls follow memrefs; ownership follows addresses and tensors, too.
        is_owned = built_of.stage == "buffer-deallocation-pipeline"
        assert number == 1 or (number == 2 and is_owned)


OUT_PARAMS = "buffer-results-to-out-params{hoist-static-allocs modify-public-functions}"


@pytest.mark.parametrize(
    "passes",
    [
        OUT_PARAMS,
        "plan-static-memory{arena-as-argument}",
        "ownership-based-buffer-deallocation",
    ],
)
def test_no_pass_sees_the_flow_of_a_function_as_it_was(passes: str):
    texts: dict[MemrefFlowGraph, str] = {}
    original = MemrefFlows.graph

    def graph(self: MemrefFlows, function: Operation) -> MemrefFlowGraph:
        found, text = original(self, function), str(function)
        assert texts.setdefault(found, text) == text
        return found

    with patch.object(MemrefFlows, "graph", graph):
        apply(passes, parse_module(ON_MEMREFS))
    assert texts
