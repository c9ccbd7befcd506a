"""What the report says of the memory of functions on memrefs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from xdsl.context import Context

from benchmarks.memory_use import memory_use
from tests.environments import PROJECT
from tests.peer.runner import parse_module
from tests.programs import generate_program
from tests.slow import one_in
from xdsl_bufferization.report.memory import memory_functions
from xdsl_bufferization.report.model import Buffer, MemoryFunction, Usage
from xdsl_bufferization.report.source import find_source
from xdsl_bufferization.semantics.checking.check import (
    CheckOptions,
    check_pipeline,
    parse_pipeline,
)
from xdsl_bufferization.support.call_graph import functions_in

EXAMPLES = sorted((PROJECT / "examples").glob("*.mlir"))
FAMILIES = ("bodies", "blocks", "loops", "regions", "tiles")
PLANNING = (
    "one-shot-bufferize{bufferize-function-boundaries=true},buffer-hoisting,"
    "plan-static-memory%s,buffer-deallocation-pipeline,convert-bufferization-to-memref"
)


def functions(text: str, passes: str = "") -> Sequence[MemoryFunction]:
    """What the report says of the functions that have bodies, after the passes."""
    module = parse_module(text)
    if passes:
        parse_pipeline(passes).apply(Context(), module)
    source = find_source(module, Context())
    found = memory_functions(module, source)
    return [found[function] for function in functions_in(module) if function in found]


def reported(body: str, passes: str = "") -> MemoryFunction:
    """Of a function with that body and arguments of all sorts."""
    (function,) = functions(
        f"""
        func.func @f(%n: index, %c: i1, %x: f32, %m: memref<4xf32>) {{
          %0 = arith.constant 0 : index
          %1 = arith.constant 1 : index
          {body}
        }}
        func.func private @unknown(memref<4xf32>) -> memref<4xf32>
        """,
        passes,
    )
    return function


def named(function: MemoryFunction, name: str) -> Buffer:
    (buffer,) = [b for b in function.buffers if b.name == name]
    return buffer


def peak(usage: Usage) -> int:
    return usage.peak.live_bytes if usage.peak else 0


def alive(function: MemoryFunction) -> list[str]:
    return [function.buffers[number].name for number in function.heap.alive]


# Beside other ways to know it --------------------------------------------------------


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_the_peak_is_that_of_the_benchmarks(path: Path):
    module = parse_module(path.read_text())
    parse_pipeline("bufferize").apply(Context(), module)
    use = memory_use(module)
    found = functions(path.read_text(), "bufferize")
    assert max(peak(f.heap) for f in found) == use.peak_bytes
    assert sum(len(f.buffers) for f in found) == use.allocations
    assert sum(len(f.copies) for f in found) == use.copies
    assert sum(c.size or 0 for f in found for c in f.copies) == use.copied_bytes


@pytest.mark.parametrize("family", one_in(9, FAMILIES))
def test_a_run_takes_no_more_than_the_peak(family: str):
    seen = 0
    for seed in range(2):
        text = generate_program(seed, [family]).text
        report = check_pipeline(
            Context(), parse_module(text), "bufferize", CheckOptions(runs=1)
        )
        assert report.ok, report
        runs = {f.name: f.after.peak_bytes for f in report.functions if f.runs}
        for function in functions(text, "bufferize"):
            if function.calls or any(b.size is None for b in function.buffers):
                continue
            seen += function.name in runs
            assert peak(function.heap) >= runs.get(function.name, 0)
    assert seen


# Lives -------------------------------------------------------------------------------


def test_memory_is_alive_until_it_is_freed_though_it_is_not_used():
    function = reported("""
      %a = memref.alloc() : memref<8xf32>
      memref.store %x, %a[%0] : memref<8xf32>
      %b = memref.alloc() : memref<4xf32>
      memref.store %x, %b[%0] : memref<4xf32>
      memref.dealloc %a : memref<8xf32>
      memref.dealloc %b : memref<4xf32>
      func.return
    """)
    assert peak(function.heap) == 48
    assert function.heap.needed_bytes == 32
    assert alive(function) == ["%a", "%b"]
    assert [function.buffers[i].name for i in function.heap.idle] == ["%a"]
    assert not function.heap.is_lower_bound
    a = named(function, "%a")
    assert (a.ending, a.kind, a.size, a.op) == ("freed", "heap", 32, "memref.alloc")
    assert a.first_use == a.last_use
    assert a.last_use is not None
    assert a.last_use.text == "memref.store"
    assert a.used is not None
    assert a.used.end < a.taken.end
    assert [free.text for free in a.frees] == ["memref.dealloc"]


def test_places_are_lines_of_the_program():
    function = reported("""
      %a = memref.alloc() : memref<8xf32>
      memref.dealloc %a : memref<8xf32>
      func.return
    """)
    a = named(function, "%a")
    assert a.place is not None
    assert a.place.text.strip().startswith("%a = memref.alloc()")
    assert function.heap.peak is not None
    assert function.heap.peak.note.place == a.place


@pytest.mark.parametrize(
    "body, ending",
    [
        ("func.return", "never freed"),
        ("memref.dealloc %a : memref<4xf32>\nfunc.return", "freed"),
        ("func.return %a : memref<4xf32>", "returned"),
        (
            """
            %s = memref.alloca() : memref<1xmemref<4xf32>>
            memref.store %a, %s[%0] : memref<1xmemref<4xf32>>
            func.return
            """,
            "stored",
        ),
        (
            """
            %v = "memref.cast"(%a) : (memref<4xf32>) -> memref<?xf32>
            memref.dealloc %v : memref<?xf32>
            func.return
            """,
            "freed",
        ),
        (
            """
            scf.if %c {
              memref.dealloc %a : memref<4xf32>
            }
            func.return %a : memref<4xf32>
            """,
            "freed or handed on",
        ),
    ],
)
def test_what_becomes_of_memory(body: str, ending: str):
    function = reported(f"%a = memref.alloc() : memref<4xf32>\n{body}")
    assert named(function, "%a").ending == ending


def test_a_buffer_made_outside_of_a_loop_is_in_use_in_all_of_it():
    function = reported("""
      %a = memref.alloc() : memref<4xf32>
      scf.for %i = %0 to %n step %1 {
        memref.store %x, %a[%i] : memref<4xf32>
        %b = memref.alloc() : memref<16xf32>
        memref.dealloc %b : memref<16xf32>
      }
      memref.dealloc %a : memref<4xf32>
      func.return
    """)
    a, b = named(function, "%a"), named(function, "%b")
    assert a.used is not None
    assert a.used.end >= b.taken.end
    assert (peak(function.heap), function.heap.needed_bytes) == (80, 16)
    assert [loop.text for loop in b.loops] == ["scf.for"]
    assert not a.loops


def test_a_loop_of_branches_is_one():
    function = reported("""
      %a = memref.alloc() : memref<4xf32>
      cf.br ^head(%0 : index)
    ^head(%i: index):
      memref.store %x, %a[%i] : memref<4xf32>
      %b = memref.alloc() : memref<16xf32>
      memref.dealloc %b : memref<16xf32>
      %next = arith.addi %i, %1 : index
      %more = arith.cmpi slt, %next, %n : index
      cf.cond_br %more, ^head(%next : index), ^end
    ^end:
      memref.dealloc %a : memref<4xf32>
      func.return
    """)
    a, b = named(function, "%a"), named(function, "%b")
    assert [loop.text for loop in b.loops] == ["a loop of branches"]
    assert a.used is not None
    assert a.used.end >= b.taken.end


def test_what_a_loop_hands_on_is_there_twice():
    function = reported("""
      %a = memref.alloc() : memref<4xf32>
      %r = scf.for %i = %0 to %n step %1 iter_args(%old = %a) -> (memref<4xf32>) {
        %b = memref.alloc() : memref<4xf32>
        "memref.copy"(%old, %b) : (memref<4xf32>, memref<4xf32>) -> ()
        memref.dealloc %old : memref<4xf32>
        scf.yield %b : memref<4xf32>
      }
      memref.dealloc %r : memref<4xf32>
      func.return
    """)
    b = named(function, "%b")
    assert (b.more_at_once, b.ending, b.piles_up) == (1, "freed", False)
    assert peak(function.heap) >= 32
    (copy,) = function.copies
    assert (copy.source, copy.target, copy.size) == ("%old", "%b", 16)
    assert [loop.text for loop in copy.loops] == ["scf.for"]


def test_what_is_not_freed_in_a_loop_piles_up():
    function = reported("""
      scf.for %i = %0 to %n step %1 {
        %a = memref.alloc() : memref<4xf32>
        %s = memref.alloca() : memref<4xf32>
        scf.yield
      }
      func.return
    """)
    assert named(function, "%a").piles_up
    assert not named(function, "%s").piles_up
    assert function.heap.is_lower_bound
    assert not function.stack.is_lower_bound


def test_runs_at_the_same_time_have_memory_each():
    function = reported("""
      "scf.parallel"(%0, %n, %1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
      ^body(%i: index):
        %a = memref.alloc() : memref<4xf32>
        memref.dealloc %a : memref<4xf32>
        scf.reduce
      }) : (index, index, index) -> ()
      func.return
    """)
    a = named(function, "%a")
    assert a.in_parallel
    assert not a.piles_up
    assert function.heap.is_lower_bound
    assert "at the same time" in a.loops[0].text


def test_peaks_are_formulas_of_sizes_with_names():
    function = reported("""
      %a = memref.alloc(%n) : memref<?xf32>
      %b = memref.alloc() : memref<4xf32>
      memref.dealloc %a : memref<?xf32>
      memref.dealloc %b : memref<4xf32>
      func.return
    """)
    usage = function.heap
    assert usage.peak is not None
    assert usage.peak.bytes.text(str) == "4*%n + 16"
    assert (usage.peak.live_bytes, usage.peak.unknown) == (16, 0)
    assert not usage.is_lower_bound
    assert not usage.other_peaks


def test_which_step_is_the_peak_may_depend_on_sizes():
    function = reported("""
      %a = memref.alloc(%n) : memref<?xf32>
      memref.dealloc %a : memref<?xf32>
      %b = memref.alloc() : memref<4xf32>
      memref.dealloc %b : memref<4xf32>
      func.return
    """)
    usage = function.heap
    assert usage.peak is not None
    assert usage.peak.bytes.text(str) == "4*%n"
    assert [other.bytes.text(str) for other in usage.other_peaks] == ["16"]


def test_unknown_sizes_are_counted_apart():
    function = reported("""
      %a = memref.alloc() : memref<2xvector<[4]xf32>>
      %b = memref.alloc() : memref<4xf32>
      memref.dealloc %a : memref<2xvector<[4]xf32>>
      memref.dealloc %b : memref<4xf32>
      func.return
    """)
    assert named(function, "%a").size is None
    assert function.heap.peak is not None
    assert (function.heap.peak.live_bytes, function.heap.peak.unknown) == (16, 1)
    assert function.heap.is_lower_bound


def test_a_layout_with_gaps_takes_more_than_its_contents():
    function = reported("""
      %a = memref.alloc() : memref<4x2xf32, strided<[8, 1], offset: 1>>
      %b = memref.alloc() : memref<4x2xf32, strided<[2, 1]>>
      %d = memref.alloc(%n) : memref<4xf32, strided<[1], offset: ?>>
      func.return
    """)
    assert [b.size for b in function.buffers] == [(1 + 3 * 8 + 1 + 1) * 4, 32, None]


def test_the_stack_is_freed_at_the_end_of_its_scope():
    function = reported("""
      %a = memref.alloca() : memref<4xf32>
      "memref.alloca_scope"() ({
        %b = memref.alloca() : memref<8xf32>
        "memref.alloca_scope.return"() : () -> ()
      }) : () -> ()
      %c2 = memref.alloca() : memref<2xf32>
      func.return
    """)
    assert peak(function.heap) == 0
    assert function.heap.peak is None
    assert peak(function.stack) == 48
    assert named(function, "%a").ending == "freed with the stack"


# Memory of other ops -----------------------------------------------------------------


def test_memory_that_a_call_returns_is_there_until_it_is_freed():
    function = reported("""
      %a = memref.alloc() : memref<4xf32>
      %r = func.call @unknown(%a) : (memref<4xf32>) -> memref<4xf32>
      memref.dealloc %r : memref<4xf32>
      func.return
    """)
    assert [note.text for note in function.calls] == ["@unknown"]
    r, a = named(function, "%r"), named(function, "%a")
    assert (r.op, r.ending, r.kind) == ("func.call", "freed", "heap")
    assert a.ending == "never freed"
    assert peak(function.heap) == 32


def test_a_call_that_frees_nothing_may_return_what_it_is_given():
    function = reported("""
      %a = memref.alloc() : memref<4xf32>
      %r = func.call @unknown(%a) : (memref<4xf32>) -> memref<4xf32>
      memref.store %x, %r[%0] : memref<4xf32>
      func.return
    """)
    (a,) = function.buffers
    assert a.last_use is not None
    assert a.last_use.text == "memref.store"


def test_a_clone_is_a_buffer_and_a_copy():
    function = reported("""
      %a = bufferization.clone %m : memref<4xf32> to memref<4xf32>
      memref.dealloc %a : memref<4xf32>
      func.return
    """)
    assert [(b.name, b.op, b.ending) for b in function.buffers] == [
        ("%a", "bufferization.clone", "freed")
    ]
    assert [(c.source, c.target, c.size) for c in function.copies] == [("%m", "%a", 16)]


def test_ownership_that_is_decided_in_the_run_frees():
    function = reported("""
      %a = memref.alloc() : memref<4xf32>
      bufferization.dealloc (%a : memref<4xf32>) if (%c)
      func.return
    """)
    assert named(function, "%a").ending == "freed"


# Arenas ------------------------------------------------------------------------------


CHAIN = """
func.func @chain(%x: f32, %t: tensor<64xf32>) -> f32 {
  %i = arith.constant 0 : index
  %e1 = tensor.empty() : tensor<64xf32>
  %a = linalg.fill ins(%x : f32) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %p = tensor.extract %a[%i] : tensor<64xf32>
  %e2 = tensor.empty() : tensor<32xf32>
  %b = linalg.fill ins(%p : f32) outs(%e2 : tensor<32xf32>) -> tensor<32xf32>
  %q = tensor.extract %b[%i] : tensor<32xf32>
  func.return %q : f32
}
"""


def test_views_of_an_arena_are_its_parts():
    (function,) = functions(CHAIN, PLANNING % "")
    (arena,) = function.arenas
    parts = [function.buffers[number] for number in arena.parts]
    assert sorted(part.size or 0 for part in parts) == [128, 256]
    assert {part.offset for part in parts} == {0}
    assert {part.ending for part in parts} == {"part of an arena"}
    assert (arena.name, arena.size, peak(arena.usage)) == ("%arena", 256, 256)
    # The arena itself is a buffer; its parts are not counted again.
    assert peak(function.heap) == 256
    assert named(function, "%arena").ending == "freed"


def test_an_arena_may_be_an_argument():
    (function,) = functions(CHAIN, PLANNING % "{arena-as-argument=true}")
    (arena,) = function.arenas
    assert arena.place is None
    assert (arena.size, len(arena.parts)) == (256, 2)
    assert function.heap.peak is None


def test_views_of_other_memory_are_no_parts():
    function = reported("""
      %bytes = "test.bytes"() : () -> memref<64xi8>
      %v = memref.view %bytes[%0][] : memref<64xi8> to memref<4xf32>
      func.return
    """)
    assert not function.arenas
    assert not function.buffers


def test_the_planner_and_the_report_agree_on_lives():
    planning, *_ = (PLANNING % "").partition(",buffer-deallocation")
    seen = 0
    for seed in range(4):
        text = generate_program(seed, ["tiles", "loops"]).text
        for function in functions(text, planning):
            for arena in function.arenas:
                parts = [function.buffers[n] for n in arena.parts]
                for i, a in enumerate(parts):
                    seen += i
                    assert not any(_overlap(a, b) for b in parts[:i])
    assert seen


def test_one_view_may_be_several_buffers():
    """As after common subexpressions have become one."""
    function = reported("""
      %arena = memref.alloc() : memref<16xi8>
      %a = memref.view %arena[%0][] : memref<16xi8> to memref<4xf32>
      %b = memref.view %arena[%0][] : memref<16xi8> to memref<2xf32>
      memref.store %x, %a[%0] : memref<4xf32>
      memref.store %x, %b[%0] : memref<2xf32>
      %y = memref.load %b[%0] : memref<2xf32>
      memref.store %x, %a[%1] : memref<4xf32>
      memref.dealloc %arena : memref<16xi8>
      func.return
    """)
    (arena,) = function.arenas
    parts = [function.buffers[number] for number in arena.parts]
    assert [part.name for part in parts] == ["%a", "%a", "%b"]
    assert not any(_overlap(a, b) for i, a in enumerate(parts) for b in parts[:i])
    assert peak(arena.usage) == 16


def _overlap(a: Buffer, b: Buffer) -> bool:
    """Whether two parts of an arena share bytes at the same time."""
    assert a.offset is not None
    assert b.offset is not None
    at_once = a.taken.first < b.taken.end and b.taken.first < a.taken.end
    return (
        at_once
        and a.offset < b.offset + (b.size or 0)
        and b.offset < a.offset + (a.size or 0)
    )


# Branches ----------------------------------------------------------------------------


def test_buffers_of_exclusive_regions_are_not_there_at_once():
    function = reported("""
      %r = scf.if %c -> (memref<4xf32>) {
        %a = memref.alloc() : memref<4xf32>
        scf.yield %a : memref<4xf32>
      } else {
        %b = memref.alloc() : memref<4xf32>
        scf.yield %b : memref<4xf32>
      }
      %v = memref.load %r[%0] : memref<4xf32>
      memref.dealloc %r : memref<4xf32>
      func.return
    """)
    # Behind the branches, it is one or the other.
    assert (peak(function.heap), alive(function)) == (16, ["%a"])
    assert function.heap.needed_bytes == 16


def test_buffers_of_exclusive_blocks_are_not_there_at_once():
    function = reported("""
      cf.cond_br %c, ^a, ^b
    ^a:
      %a = memref.alloc(%n) : memref<?xf32>
      cf.br ^join(%a : memref<?xf32>)
    ^b:
      %b = memref.alloc(%n) : memref<?xf32>
      cf.br ^join(%b : memref<?xf32>)
    ^join(%r: memref<?xf32>):
      %v = memref.load %r[%0] : memref<?xf32>
      memref.dealloc %r : memref<?xf32>
      func.return
    """)
    assert function.heap.peak is not None
    assert function.heap.peak.bytes.text(str) == "4*%n"


def test_in_a_loop_branches_may_be_taken_in_turn():
    function = reported("""
      %first = memref.alloc() : memref<1xf32>
      %r = scf.for %i = %0 to %n step %1 iter_args(%old = %first) -> (memref<1xf32>) {
        memref.dealloc %old : memref<1xf32>
        %new = scf.if %c -> (memref<1xf32>) {
          %a = memref.alloc() : memref<1xf32>
          scf.yield %a : memref<1xf32>
        } else {
          %b = memref.alloc() : memref<1xf32>
          scf.yield %b : memref<1xf32>
        }
        scf.yield %new : memref<1xf32>
      }
      memref.dealloc %r : memref<1xf32>
      func.return
    """)
    assert not named(function, "%a").gaps
    assert not named(function, "%b").gaps
