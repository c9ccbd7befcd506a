"""
`plan-static-memory` of sizes that are known at run time: one allocation for each call, close to the
live maximum for every batch, and the same numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, product
from math import ceil
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.traits import SymbolTable

from tests.fuzzing.trials import apply
from tests.networks import NETWORKS
from tests.networks.batched import batched
from tests.networks.texts import text_of
from tests.networks.weights import vary_weights
from tests.peer.runner import parse_module, print_generic
from tests.semantics import interpreter_of
from tests.slow import one_in
from xdsl_bufferization.memrefs.placement.arenas import levels_of, stack
from xdsl_bufferization.planning import Buffer, plan
from xdsl_bufferization.semantics.checking.check import CheckOptions, check
from xdsl_bufferization.semantics.memory import Statistics
from xdsl_bufferization.semantics.values import Kind, MemRef
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.shaped_types import ranked_shape

_LAYOUT = "function-boundary-type-conversion=identity-layout-map"
FREED = f"bufferize{{{_LAYOUT}}}"
PLANNED = (
    f"bufferize{{free=false {_LAYOUT}}},plan-static-memory{{remarks=false}},"
    "buffer-deallocation-pipeline,convert-bufferization-to-memref"
)


def _run(
    module: ModuleOp, name: str, *arguments: np.ndarray | int
) -> tuple[np.ndarray, Statistics]:
    """The first result, and what the run does with memory."""
    interpreter = interpreter_of(module)
    function = SymbolTable.lookup_symbol(module, name)
    assert isinstance(function, Operation)
    memory = interpreter.memory
    values = tuple(
        a if isinstance(a, int) else memory.initialised(a.copy(), None, Kind.ARGUMENT)
        for a in arguments
    )
    (result, *_) = interpreter.call(function, values)
    assert isinstance(result, MemRef)
    return result.view(), memory.statistics()


def _batched(name: str) -> ModuleOp:
    """The network of unknown batch, read with the ops of this package."""
    # Before 0.70, those of xDSL take no padding of a tensor whose size is unknown.
    return batched(parse_module(print_generic(NETWORKS[name]())))


def _after(module: ModuleOp, passes: str) -> ModuleOp:
    module = module.clone()
    apply(passes, module)
    return module


def _verify_network(name: str, batches: Sequence[int]) -> None:
    if name in BATCHED:
        module = _batched(name)
        vary_weights(module)
    else:
        module = parse_module(text_of(name, None))
    planned, freed = _after(module, PLANNED), _after(module, FREED)
    function = SymbolTable.lookup_symbol(planned, name)
    assert function is not None
    image_argument, *weights = function.regions[0].block.args
    _, *shape = ranked_shape(image_argument)
    for batch in batches:
        random = np.random.default_rng(batch)
        arguments = [
            (random.standard_normal(sizes) / 8).astype(np.float32)
            for sizes in ((batch, *shape), *map(ranked_shape, weights))
        ]
        result, memory = _run(planned, name, *arguments)
        expected, before = _run(freed, name, *arguments)
        assert np.array_equal(result, expected)
        # The arena, and the result.
        assert memory.allocations == 2
        assert memory.frees == 1
        assert memory.peak_bytes <= 1.05 * before.peak_bytes


BATCHED = ["residual", "dense", "inception", "fire"]
TEXTS = ["mlp", "attention"]
INPUTS = one_in(5, product([-3, 0, 1, 5], [1, 3, 64], [0, 3]))
"""A size that may be negative, the number of elements of an argument, and a trip count."""


@pytest.mark.parametrize("name", one_in(3, [*BATCHED, *TEXTS]))
def test_networks_of_unknown_batch(name: str) -> None:
    _verify_network(name, [1, 2, 7])


@pytest.mark.slow
@pytest.mark.parametrize("name", [*BATCHED, *TEXTS])
def test_networks_of_many_batches(name: str) -> None:
    _verify_network(name, range(1, 65))


@st.composite
def _buffers(draw: st.DrawFn) -> list[Buffer]:
    number = draw(st.integers(1, 12))
    starts = st.integers(0, 20)
    return [
        Buffer(lower := draw(starts), lower + draw(st.integers(1, 8)), draw(_SIZES))
        for _ in range(number)
    ]


_SIZES = st.one_of(st.integers(0, 40), st.sampled_from([64, 128, 192]))


@given(_buffers(), st.sampled_from([1, 16, 64]), st.integers(0, 130))
def test_levels_keep_buffers_apart(
    buffers: list[Buffer], alignment: int, unit: int
) -> None:
    found = plan(buffers)
    levels = levels_of(buffers, found.offsets, alignment)
    places = [
        alignment * ceil(offset * unit / alignment) + alignment * level
        for offset, level in zip(found.offsets, levels, strict=True)
    ]
    top = max(
        level + (offset % alignment > 0)
        for offset, level in zip(found.offsets, levels, strict=True)
    )
    assert all(place % alignment == 0 for place in places)
    for a, p in zip(buffers, places, strict=True):
        assert p + a.size * unit <= found.height * unit + alignment * top
        for b, q in zip(buffers, places, strict=True):
            are_live = a.lower < b.upper and b.lower < a.upper
            if a is not b and are_live and a.size and b.size:
                assert p + a.size * unit <= q or q + b.size * unit <= p


@given(_buffers(), st.randoms(use_true_random=False))
def test_what_is_stacked_stays_apart_for_all_sizes(
    buffers: list[Buffer], random: Random
) -> None:
    found = plan(buffers)
    stacked = [*stack(buffers, found.offsets)]
    assert sorted(n for n, _ in stacked) == [*range(len(buffers))]
    planned = [b.size for b in buffers]
    for sizes in (planned, [random.randrange(50) for _ in buffers]):
        places: dict[int, int] = {}
        for number, below in stacked:
            places[number] = max((places[n] + sizes[n] for n in below), default=0)
        ends = [places[n] + sizes[n] for n in places]
        assert sizes != planned or max(ends) <= found.height
        for (a, p), (b, q) in combinations(places.items(), 2):
            lives = buffers[a], buffers[b]
            are_live = max(b.lower for b in lives) < min(b.upper for b in lives)
            # Buffers planned with no bytes may be anywhere.
            if are_live and all(b.size for b in lives):
                assert p + sizes[a] <= q or q + sizes[b] <= p


UNITS = """
func.func @f(%x: memref<?xf32>, %n: index, %k: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %d = memref.dim %x, %c0 : memref<?xf32>
  %r = memref.alloc(%d) : memref<?xf32>
  memref.copy %x, %r : memref<?xf32> to memref<?xf32>
  %s = memref.alloc() : memref<5xf32>
  linalg.fill ins(%one : f32) outs(%s : memref<5xf32>)
  scf.for %i = %c0 to %k step %c1 {
    %e = memref.dim %r, %c0 : memref<?xf32>
    %a = memref.alloc(%e) : memref<?xf32>
    linalg.fill ins(%one : f32) outs(%a : memref<?xf32>)
    %n3 = arith.addi %n, %c3 : index
    %b = memref.alloc(%n3, %e) : memref<?x?xi8>
    %c = memref.alloc(%n3, %e) : memref<?x?xf32>
    %z = arith.constant 7 : i8
    linalg.fill ins(%z : i8) outs(%b : memref<?x?xi8>)
    linalg.fill ins(%one : f32) outs(%c : memref<?x?xf32>)
    linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>],
      iterator_types = ["reduction", "parallel"]
    } ins(%b, %c, %a : memref<?x?xi8>, memref<?x?xf32>, memref<?xf32>) outs(%r : memref<?xf32>) {
    ^bb0(%p: i8, %q: f32, %u: f32, %o: f32):
      %f = arith.sitofp %p : i8 to f32
      %v = arith.addf %f, %q : f32
      %w = arith.mulf %v, %u : f32
      %y = arith.addf %w, %o : f32
      linalg.yield %y : f32
    }
  }
  %l = memref.load %s[%c3] : memref<5xf32>
  %positive = arith.cmpi sgt, %n, %c0 : index
  scf.if %positive {
    %m = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%l : f32) outs(%m : memref<?xf32>)
    %j = arith.subi %n, %c1 : index
    %g = memref.load %m[%j] : memref<?xf32>
    %h = memref.load %r[%c0] : memref<?xf32>
    %t = arith.addf %g, %h : f32
    memref.store %t, %r[%c0] : memref<?xf32>
  }
  func.return %r : memref<?xf32>
}
"""


@pytest.mark.parametrize("inputs", INPUTS, ids=str)
def test_units_that_are_live_together(inputs: tuple[int, int, int]) -> None:
    n, size, trips = inputs
    passes = "buffer-deallocation-pipeline,convert-bufferization-to-memref"
    module = parse_module(UNITS)
    planned = _after(module, f"plan-static-memory{{remarks=false}},{passes}")
    argument = np.arange(size, dtype=np.float32)
    result, memory = _run(planned, "f", argument, n, trips)
    expected, _ = _run(_after(module, passes), "f", argument, n, trips)
    assert np.array_equal(result, expected)
    # In a branch, the buffer of %n elements stays allocated.
    assert memory.allocations == 2 + (n > 0)
    assert memory.frees == memory.allocations - 1


CALLS = (
    """
func.func private @step(%r: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %t = memref.alloc() : memref<5xf32>
  linalg.fill ins(%one : f32) outs(%t : memref<5xf32>)
"""
    + UNITS[UNITS.index("    %e = memref.dim") : UNITS.index("  }\n  %l =")]
    + """
  func.return
}

func.func @f(%x: memref<?xf32>, %n: index, %k: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %r = memref.alloc(%d) : memref<?xf32>
  memref.copy %x, %r : memref<?xf32> to memref<?xf32>
  scf.for %i = %c0 to %k step %c1 {
    %own = memref.alloc(%d) : memref<?xf32>
    memref.copy %r, %own : memref<?xf32> to memref<?xf32>
    func.call @step(%r, %n) : (memref<?xf32>, index) -> ()
    func.call @step(%own, %d) : (memref<?xf32>, index) -> ()
    memref.copy %own, %r : memref<?xf32> to memref<?xf32>
  }
  func.return %r : memref<?xf32>
}
"""
)


@pytest.mark.parametrize("inputs", INPUTS, ids=str)
def test_callers_allocate_what_depends_on_what_they_give(
    inputs: tuple[int, int, int],
) -> None:
    n, size, trips = inputs
    passes = "buffer-deallocation-pipeline,convert-bufferization-to-memref"
    plan = "plan-static-memory{arena-as-argument allocate-in-public-functions}"
    module = parse_module(CALLS)
    argument = np.arange(size, dtype=np.float32)
    result, memory = _run(_after(module, f"{plan},{passes}"), "f", argument, n, trips)
    expected, _ = _run(_after(module, passes), "f", argument, n, trips)
    assert np.array_equal(result, expected)
    assert (memory.allocations, memory.frees) == (2, 1)


TWO = """
func.func @f(%x: memref<?xf32>, %n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %d = memref.dim %x, %c0 : memref<?xf32>
  %r = memref.alloc(%d) : memref<?xf32>
  %a = memref.alloc(%d) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<?xf32>)
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  %l = memref.load %b[%c0] : memref<?xf32>
  memref.store %l, %r[%c0] : memref<?xf32>
  func.return %r : memref<?xf32>
}
"""


def test_a_public_function_allocates_one_arena_of_several_units() -> None:
    passes = "buffer-deallocation-pipeline,convert-bufferization-to-memref"
    module = _after(parse_module(TWO), f"plan-static-memory,{passes}")
    result, memory = _run(module, "f", np.arange(5, dtype=np.float32), 7)
    assert [*result] == [1, 1, 2, 3, 4]
    assert (memory.allocations, memory.frees) == (2, 1)


SLICED = """
func.func @f(%x: memref<?x64xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %big = arith.constant 1000000000 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?x64xf32>
  %a = memref.alloc(%n) : memref<?x64xf32>
  linalg.exp ins(%x : memref<?x64xf32>) outs(%a : memref<?x64xf32>)
  %lo = arith.minsi %n, %big : index
  %m = arith.maxsi %lo, %c0 : index
  %b = memref.alloc(%m) : memref<?x64xf32>
  linalg.exp ins(%a : memref<?x64xf32>) outs(%b : memref<?x64xf32>)
  %m1 = arith.addi %m, %c1 : index
  %half = arith.floordivsi %m1, %c2 : index
  %c = memref.alloc(%half) : memref<?x64xf32>
  %top = memref.subview %b[0, 0] [%half, 64] [1, 1]
      : memref<?x64xf32> to memref<?x64xf32, strided<[64, 1]>>
  linalg.exp ins(%top : memref<?x64xf32, strided<[64, 1]>>) outs(%c : memref<?x64xf32>)
  %d = memref.alloc(%half) : memref<?x64xf32>
  linalg.exp ins(%c : memref<?x64xf32>) outs(%d : memref<?x64xf32>)
  %r = memref.alloc(%half) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%r : memref<?xf32>)
  linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%d : memref<?x64xf32>) outs(%r : memref<?xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  }
  func.return %r : memref<?xf32>
}
"""


SPACES = """
func.func @f(%x: memref<?xf32>, %n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %r = memref.alloc(%d) : memref<?xf32>
  %a = memref.alloc(%d) : memref<?xf32, 1>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32, 1>
  %s = memref.alloc() : memref<3xf32, 1>
  %b = memref.alloc(%d) : memref<?xf32>
  memref.copy %a, %b : memref<?xf32, 1> to memref<?xf32>
  memref.copy %b, %r : memref<?xf32> to memref<?xf32>
  func.return %r : memref<?xf32>
}
"""


@pytest.mark.parametrize(
    "program", [TWO, CALLS, CALLS.replace(" private", ""), SPACES, SLICED]
)
def test_a_function_computes_the_size_of_a_callers_arena(program: str) -> None:
    """The check gives each arena the size that the function computes, and no byte more."""
    passes = "buffer-deallocation-pipeline,convert-bufferization-to-memref"
    module = _after(
        parse_module(program), f"plan-static-memory{{arena-as-argument}},{passes}"
    )
    assert "bufferize.arena_size = @f_arena_size" in str(module)
    report = check(parse_module(program), module, CheckOptions(runs=5))
    assert report.problem is None
    # The result of @f.
    assert max(function.after.allocations for function in report.functions) == 1


@pytest.mark.parametrize("batch", [1, 3, 8])
def test_quotients_and_clamps_are_computed_before_one_arena(batch: int) -> None:
    passes = "buffer-deallocation-pipeline,convert-bufferization-to-memref"
    module = parse_module(SLICED)
    argument = np.arange(batch * 64, dtype=np.float32).reshape(batch, 64) / 100 / batch
    result, memory = _run(
        _after(module, f"plan-static-memory{{remarks=false}},{passes}"), "f", argument
    )
    expected, before = _run(
        _after(module, f"{passes},optimize-allocation-liveness"), "f", argument
    )
    assert np.array_equal(result, expected)
    assert (memory.allocations, memory.frees) == (2, 1)
    assert memory.peak_bytes <= 1.1 * before.peak_bytes


_ON_BUFFERS = {"memref", "linalg", "scf"}


@pytest.mark.parametrize("layout", ["", _LAYOUT])
@pytest.mark.parametrize("length", [12, None])
@pytest.mark.parametrize("name", [*TEXTS, "steps"])
def test_networks_get_what_their_static_twins_get(
    name: str, length: int | None, layout: str
) -> None:
    """The same copies, allocations and loops, except for what computes sizes."""
    found = [
        Counter(
            op_name(op)
            for op in _after(parse_module(text), f"bufferize{{{layout}}}").walk()
            if op_name(op).partition(".")[0] in _ON_BUFFERS
            and op_name(op) != "memref.dim"
        )
        for text in (text_of(name, 8), text_of(name, None, length))
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize("name", one_in(4, BATCHED))
def test_built_networks_copy_and_allocate_as_for_a_known_batch(name: str) -> None:
    module = _batched(name)
    text = re.sub(
        r'"tensor.empty"\(%[\w.]+\) : \(index\)',
        '"tensor.empty"() : ()',
        print_generic(module).replace("<?x", "<8x"),
    )
    found = [
        Counter(
            op_name(op)
            for op in _after(module, "bufferize").walk()
            if op_name(op) in ("memref.alloc", "memref.copy")
        )
        for module in (parse_module(text), module)
    ]
    assert found[0] == found[1]


def test_the_check_finds_no_difference() -> None:
    module = _batched("fire")
    report = check(module.clone(), _after(module, PLANNED), CheckOptions(runs=2))
    assert report.problem is None
