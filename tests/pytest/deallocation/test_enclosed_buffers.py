"""Buffers that one block encloses: which these are, and that ownership frees them alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pytest
from xdsl.ir import Operation

from tests.executed_lines import executed_lines
from tests.fuzzing.elimination import random_module
from tests.fuzzing.trials import apply
from tests.peer.runner import parse_module
from tests.slow import slow
from xdsl_bufferization.deallocation.enclosed_buffers import enclosed_buffers
from xdsl_bufferization.deallocation.enclosed_deallocs import enclosed_functions
from xdsl_bufferization.deallocation.parts import hides_parts
from xdsl_bufferization.support.call_graph import CallGraph, functions_in
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.transforms import ownership_based_buffer_deallocation

M = "memref<4xf32>"
STRIDED = "memref<4xf32, strided<[2], offset: 4>>"

ENCLOSED = {
    "used in its block": f"""
        %m = memref.alloc() : {M}
        memref.store %f, %m[%i] : {M}""",
    "used in regions": f"""
        %m = memref.alloc() : {M}
        scf.for %k = %i to %i step %i {{
          scf.if %c {{ memref.store %f, %m[%k] : {M} }}
        }}""",
    "allocated in a region": f"""
        scf.for %k = %i to %i step %i {{
          %m = memref.alloc() : {M}
          memref.store %f, %m[%k] : {M}
        }}""",
    "views": f"""
        %m = memref.alloc() : {M}
        %v = memref.cast %m : {M} to memref<?xf32>
        %w = memref.cast %v : memref<?xf32> to {M}
        memref.store %f, %w[%i] : {M}""",
    "a choice between memrefs of others": f"""
        %m = memref.alloc() : {M}
        %s = arith.select %c, %a, %a : {M}
        "memref.copy"(%s, %m) : ({M}, {M}) -> ()""",
    "a block of several": f"""
        cf.br ^bb1
      ^bb1:
        %m = memref.alloc() : {M}
        memref.store %f, %m[%i] : {M}
        cf.cond_br %c, ^bb1, ^bb2
      ^bb2:""",
    "a choice": f"""
        %m = memref.alloc() : {M}
        %s = arith.select %c, %m, %a : {M}
        memref.store %f, %s[%i] : {M}""",
    "carried by a loop": f"""
        %m = memref.alloc() : {M}
        %r = scf.for %k = %i to %i step %i iter_args(%x = %m) -> ({M}) {{
          scf.yield %x : {M}
        }}""",
    "forwarded to a block": f"""
        %m = memref.alloc() : {M}
        cf.br ^bb1(%m : {M})
      ^bb1(%x : {M}):
        memref.store %f, %x[%i] : {M}""",
    "given to a call": f"""
        %m = memref.alloc() : {M}
        func.call @g(%m) : ({M}) -> {M}""",
    "returned by a call": f"""
        %m = func.call @g(%a) : ({M}) -> {M}
        memref.store %f, %m[%i] : {M}""",
    "a choice among choices": f"""
        %m = memref.alloc() : {M}
        %n = memref.alloc() : {M}
        %o = memref.alloc() : {M}
        %s = arith.select %c, %m, %n : {M}
        %t = arith.select %c, %s, %o : {M}
        memref.store %f, %t[%i] : {M}
        memref.store %f, %s[%i] : {M}
        memref.store %f, %n[%i] : {M}
        scf.if %c {{
          %u = arith.select %c, %t, %a : {M}
          memref.store %f, %u[%i] : {M}
        }}""",
    "carried by a loop and used after it": f"""
        %m = memref.alloc() : {M}
        %r = scf.for %k = %i to %i step %i iter_args(%x = %m) -> ({M}) {{
          memref.store %f, %x[%i] : {M}
          scf.yield %x : {M}
        }}
        memref.store %f, %r[%i] : {M}
        memref.store %f, %m[%i] : {M}""",
    "carried by a loop as a part": f"""
        %m = memref.alloc() : memref<8xf32>
        %v = memref.subview %m[0][4][1] : memref<8xf32> to {M}
        %r = scf.for %k = %i to %i step %i iter_args(%x = %v) -> ({M}) {{
          memref.store %f, %x[%i] : {M}
          scf.yield %x : {M}
        }}
        memref.store %f, %r[%i] : {M}""",
    "carried by a loop as a cast": f"""
        %m = memref.alloc() : {M}
        %v = memref.cast %m : {M} to memref<?xf32>
        %r = scf.for %k = %i to %i step %i iter_args(%x = %v) -> (memref<?xf32>) {{
          scf.yield %x : memref<?xf32>
        }}""",
    "a new buffer in each iteration": f"""
        %m = memref.alloc() : {M}
        %r = scf.for %k = %i to %i step %i iter_args(%x = %m) -> ({M}) {{
          %n = memref.alloc() : {M}
          memref.store %f, %x[%i] : {M}
          memref.store %f, %n[%i] : {M}
          scf.yield %n : {M}
        }}
        memref.store %f, %r[%i] : {M}""",
    "swapped by a loop": f"""
        %m = memref.alloc() : {M}
        %n = memref.alloc() : {M}
        %r, %s = scf.for %k = %i to %i step %i iter_args(%x = %m, %y = %n) -> ({M}, {M}) {{
          memref.store %f, %y[%i] : {M}
          scf.yield %y, %x : {M}, {M}
        }}
        memref.store %f, %r[%i] : {M}""",
    "memory of others in a loop": f"""
        %m = memref.alloc() : {M}
        %r = scf.for %k = %i to %i step %i iter_args(%x = %a) -> ({M}) {{
          memref.store %f, %x[%i] : {M}
          scf.yield %x : {M}
        }}
        "memref.copy"(%r, %m) : ({M}, {M}) -> ()""",
    "loops in a loop": f"""
        %m = memref.alloc() : {M}
        %r = scf.for %k = %i to %i step %i iter_args(%x = %m) -> ({M}) {{
          %s = scf.for %l = %i to %i step %i iter_args(%y = %x) -> ({M}) {{
            %n = memref.alloc() : {M}
            %v = scf.for %o = %i to %i step %i iter_args(%w = %n) -> ({M}) {{
              memref.store %f, %w[%i] : {M}
              memref.store %f, %y[%i] : {M}
              scf.yield %w : {M}
            }}
            scf.yield %v : {M}
          }}
          scf.yield %s : {M}
        }}""",
    "a loop with a condition": f"""
        %m = memref.alloc() : {M}
        %r = scf.while (%x = %m) : ({M}) -> ({M}) {{
          memref.store %f, %x[%i] : {M}
          scf.condition(%c) %x : {M}
        }} do {{
        ^bb0(%y : {M}):
          %n = memref.alloc() : {M}
          "memref.copy"(%y, %n) : ({M}, {M}) -> ()
          scf.yield %n : {M}
        }}
        memref.store %f, %r[%i] : {M}""",
    "a loop that carries what it does not use": f"""
        %m = memref.alloc() : {M}
        %r = scf.while (%x = %m) : ({M}) -> ({M}) {{
          scf.condition(%c) %x : {M}
        }} do {{
        ^bb0(%y : {M}):
          %n = memref.alloc() : {M}
          scf.yield %n : {M}
        }}""",
    "a new buffer either way": f"""
        %r = scf.if %c -> ({M}) {{
          %m = memref.alloc() : {M}
          scf.yield %m : {M}
        }} else {{
          %m = memref.alloc() : {M}
          memref.store %f, %m[%i] : {M}
          scf.yield %m : {M}
        }}
        memref.store %f, %r[%i] : {M}""",
    "a part of a new buffer": f"""
        %p, %q = scf.if %c -> (memref<?xf32>, memref<4xf32, strided<[1], offset: 4>>) {{
          %m = memref.alloc() : {M}
          %v = memref.cast %m : {M} to memref<?xf32>
          %n = memref.alloc() : memref<8xf32>
          %w = memref.subview %n[4][4][1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
          scf.yield %v, %w : memref<?xf32>, memref<4xf32, strided<[1], offset: 4>>
        }} else {{
          %m = memref.alloc() : {M}
          %v = memref.cast %m : {M} to memref<?xf32>
          %n = memref.alloc() : memref<8xf32>
          %w = memref.subview %n[4][4][1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
          scf.yield %v, %w : memref<?xf32>, memref<4xf32, strided<[1], offset: 4>>
        }}
        memref.store %f, %p[%i] : memref<?xf32>
        memref.store %f, %q[%i] : memref<4xf32, strided<[1], offset: 4>>""",
    "a hidden part": f"""
        %p = scf.if %c -> ({M}) {{
          %m = memref.alloc() : memref<64xi8>
          %v = "memref.view"(%m, %i) : (memref<64xi8>, index) -> {M}
          scf.yield %v : {M}
        }} else {{
          %m = memref.alloc() : {M}
          scf.yield %m : {M}
        }}
        memref.store %f, %p[%i] : {M}""",
    "one of two buffers": f"""
        %m = memref.alloc() : {M}
        %n = memref.alloc() : {M}
        %r = scf.if %c -> ({M}) {{
          scf.yield %m : {M}
        }} else {{
          scf.yield %n : {M}
        }}
        memref.store %f, %n[%i] : {M}
        memref.store %f, %r[%i] : {M}""",
    "one of many buffers": f"""
        %m = memref.alloc() : {M}
        %n = memref.alloc() : {M}
        %o = memref.alloc() : {M}
        %r = "scf.index_switch"(%i) <{{cases = array<i64: 1, 2>}}> ({{
          scf.yield %m : {M}
        }}, {{
          scf.yield %n : {M}
        }}, {{
          scf.yield %o : {M}
        }}) : (index) -> {M}
        memref.store %f, %r[%i] : {M}""",
    "a loop in a block of several": f"""
        cf.br ^bb1
      ^bb1:
        %m = memref.alloc() : {M}
        %r = scf.for %k = %i to %i step %i iter_args(%x = %m) -> ({M}) {{
          scf.yield %x : {M}
        }}
        memref.store %f, %r[%i] : {M}
        cf.cond_br %c, ^bb1, ^bb2
      ^bb2:""",
    "forwarded by a loop of blocks": f"""
        %m = memref.alloc() : {M}
        cf.br ^bb1(%m : {M})
      ^bb1(%x : {M}):
        memref.store %f, %x[%i] : {M}
        %n = memref.alloc() : {M}
        cf.br ^bb2(%n : {M})
      ^bb2(%y : {M}):
        memref.store %f, %y[%i] : {M}
        cf.cond_br %c, ^bb3, ^bb4
      ^bb3:
        %o = memref.alloc() : {M}
        cf.br ^bb1(%o : {M})
      ^bb4:""",
    "forwarded, and not used": f"""
        %m = memref.alloc() : {M}
        %n = memref.alloc() : {M}
        cf.br ^bb1(%m, %n : {M}, {M})
      ^bb1(%x : {M}, %y : {M}):""",
    "memory of others, forwarded": f"""
        cf.cond_br %c, ^bb1(%a : {M}), ^bb2(%a : {M})
      ^bb1(%x : {M}):
        memref.store %f, %x[%i] : {M}
        cf.br ^bb2(%x : {M})
      ^bb2(%y : {M}):
        memref.store %f, %y[%i] : {M}""",
    "buffers around blocks": f"""
        %m = memref.alloc() : {M}
        scf.execute_region {{
          cf.br ^bb1(%m : {M})
        ^bb1(%x : {M}):
          memref.store %f, %x[%i] : {M}
          cf.cond_br %c, ^bb1(%x : {M}), ^bb2
        ^bb2:
          scf.yield
        }}""",
    "carried, and a choice, too": f"""
        %m = memref.alloc() : {M}
        %n = arith.select %c, %m, %a : {M}
        %r, %s = scf.for %k = %i to %i step %i iter_args(%x = %m, %y = %n) -> ({M}, {M}) {{
          scf.yield %x, %y : {M}, {M}
        }}""",
    "carried and returned by a call": f"""
        %m = func.call @g(%a) : ({M}) -> {M}
        %r = scf.for %k = %i to %i step %i iter_args(%x = %m) -> ({M}) {{
          %n = func.call @g(%x) : ({M}) -> {M}
          scf.yield %n : {M}
        }}""",
}

NOT_ENCLOSED = {
    "carried, and a choice that is not used, too": f"""
        %m = memref.alloc() : {M}
        %n = arith.select %c, %m, %a : {M}
        %r, %s = scf.for %k = %i to %i step %i iter_args(%x = %m, %y = %n) -> ({M}, {M}) {{
          scf.yield %x, %a : {M}, {M}
        }}""",
    "a loop with another buffer after the first iteration": f"""
        %m = memref.alloc() : {M}
        %n = memref.alloc() : {M}
        %r = scf.for %k = %i to %i step %i iter_args(%x = %m) -> ({M}) {{
          scf.yield %n : {M}
        }}
        memref.store %f, %m[%i] : {M}
        memref.store %f, %n[%i] : {M}""",
    "a loop with memory of others in the first iteration": f"""
        %r = scf.for %k = %i to %i step %i iter_args(%x = %a) -> ({M}) {{
          %n = memref.alloc() : {M}
          scf.yield %n : {M}
        }}""",
    "carried twice": f"""
        %m = memref.alloc() : {M}
        %r, %s = scf.for %k = %i to %i step %i iter_args(%x = %m, %y = %m) -> ({M}, {M}) {{
          scf.yield %x, %y : {M}, {M}
        }}""",
    "yielded twice": f"""
        %r, %s = scf.if %c -> ({M}, {M}) {{
          %m = memref.alloc() : {M}
          scf.yield %m, %m : {M}, {M}
        }} else {{
          %m = memref.alloc() : {M}
          %n = memref.alloc() : {M}
          scf.yield %m, %n : {M}, {M}
        }}""",
    "a choice that is yielded": f"""
        %r = scf.if %c -> ({M}) {{
          %m = memref.alloc() : {M}
          %s = arith.select %c, %m, %a : {M}
          scf.yield %s : {M}
        }} else {{
          scf.yield %a : {M}
        }}""",
    "a choice that is returned in a loop": f"""
        %m = memref.alloc() : {M}
        %n = memref.alloc() : {M}
        %s = arith.select %c, %m, %n : {M}
        cf.br ^bb1(%s : {M})
      ^bb1(%x : {M}):
        memref.store %f, %x[%i] : {M}""",
    "forwarded on one of two edges": f"""
        %m = memref.alloc() : {M}
        cf.cond_br %c, ^bb1(%m : {M}), ^bb2
      ^bb1(%x : {M}):
        cf.br ^bb2
      ^bb2:""",
    "a new buffer or memory of others, forwarded": f"""
        cf.cond_br %c, ^bb1, ^bb2(%a : {M})
      ^bb1:
        %m = memref.alloc() : {M}
        cf.br ^bb2(%m : {M})
      ^bb2(%x : {M}):
        memref.store %f, %x[%i] : {M}""",
    "several results of a call": f"""
        %r:2 = func.call @h() : () -> ({M}, {M})""",
    "a block that cannot be reached": f"""
        %m = memref.alloc() : {M}
        cf.br ^bb2
      ^bb1:
        memref.store %f, %m[%i] : {M}
        cf.br ^bb2
      ^bb2:""",
    "yielded": f"""
        %r = scf.if %c -> ({M}) {{
          %m = memref.alloc() : {M}
          scf.yield %m : {M}
        }} else {{
          scf.yield %a : {M}
        }}""",
    "used in another block": f"""
        %m = memref.alloc() : {M}
        cf.br ^bb1
      ^bb1:
        memref.store %f, %m[%i] : {M}""",
    "freed by the program": f"""
        %m = memref.alloc() : {M}
        memref.dealloc %m : {M}""",
    "reallocated": f"""
        %m = memref.alloc() : {M}
        %r = memref.realloc %m : {M} to memref<8xf32>""",
    "left by an attribute": f"""
        %m = memref.alloc() {{bufferization.manual_deallocation}} : {M}
        memref.store %f, %m[%i] : {M}""",
    "stored in memory": f"""
        %m = memref.alloc() : {M}
        %p = memref.alloca() : memref<1x{M}>
        memref.store %m, %p[%i] : memref<1x{M}>""",
    "its address": f"""
        %m = memref.alloc() : {M}
        %p = "memref.extract_aligned_pointer_as_index"(%m) : ({M}) -> index
        "test.use"(%p) : (index) -> ()""",
    "a pointer": f"""
        %m = memref.alloc() : {M}
        %p = "test.pointer"() : () -> !llvm.ptr
        memref.store %f, %m[%i] : {M}""",
    "copied while the program goes on": f"""
        %m = memref.alloc() : {M}
        %t = memref.alloc() : memref<1xi32>
        "memref.dma_start"(%a, %i, %m, %i, %i, %t, %i)
          : ({M}, index, {M}, index, index, memref<1xi32>, index) -> ()""",
    "an unknown op": f"""
        %m = memref.alloc() : {M}
        "test.use"(%m) : ({M}) -> ()""",
    "a tensor of it": f"""
        %m = memref.alloc() : {M}
        %t = bufferization.to_tensor %m : {M} to tensor<4xf32>""",
    "another op that allocates": f"""
        %m = bufferization.clone %a : {M} to {M}
        memref.store %f, %m[%i] : {M}""",
    "a layout of its own": """
        %m = memref.alloc() : memref<4xf32, strided<[2]>>
        memref.store %f, %m[%i] : memref<4xf32, strided<[2]>>""",
    "a region that nothing is known of": f"""
        %m = memref.alloc() : {M}
        "test.region"() ({{
          memref.store %f, %m[%i] : {M}
          "test.end"() : () -> ()
        }}) : () -> ()""",
    "a nested function": f"""
        %m = memref.alloc() : {M}
        func.func @nested() {{ func.return }}""",
}


def program(body: str, *returned: str) -> str:
    types = ", ".join(M for _ in returned)
    values = f"{', '.join(returned)} : {types}" if returned else ""
    return f"""
      func.func private @g({M}) -> {M}
      func.func private @h() -> ({M}, {M})
      func.func @f(%a : {M}, %f : f32, %i : index, %c : i1) -> ({types}) {{
        {body}
        func.return {values}
      }}"""


def is_enclosed(text: str, *, returns_flags: bool = False) -> bool:
    """Whether all buffers of the function `@f` are enclosed."""
    module = parse_module(text)
    function = functions_in(module)[-1]
    return function in enclosed_functions(
        CallGraph(module), {function} if returns_flags else ()
    )


@pytest.mark.parametrize("body", ENCLOSED.values(), ids=ENCLOSED)
def test_enclosed(body: str, monkeypatch: pytest.MonkeyPatch):
    assert is_enclosed(program(body))
    assert_freed_alike(program(body), monkeypatch)


@pytest.mark.parametrize("body", NOT_ENCLOSED.values(), ids=NOT_ENCLOSED)
def test_not_enclosed(body: str):
    assert not is_enclosed(program(body))


def test_returned(monkeypatch: pytest.MonkeyPatch):
    body = f"%m = memref.alloc() : {M}\n%n = memref.alloc() : {M}"
    view = f"%x = memref.cast %m : {M} to memref<?xf32>\n%v = memref.cast %x : memref<?xf32> to {M}"
    for text, enclosed in (
        (program(body, "%m", "%a", "%n", "%a"), True),
        (program(f"{body}\n{view}", "%v"), True),
        (program(body, "%m", "%m"), False),
    ):
        assert is_enclosed(text) == enclosed
        assert not is_enclosed(text, returns_flags=True)
        assert_freed_alike(text, monkeypatch)


CALLS = {
    "of a function that returns a buffer": (
        True,
        f"""
      func.func @f(%a : {M}) -> {M} {{
        %m = func.call @callee(%a) : ({M}) -> {M}
        %n = func.call @callee(%m) : ({M}) -> {M}
        func.return %n : {M}
      }}
      func.func private @callee(%a : {M}) -> {M} {{
        %m = memref.alloc() : {M}
        "memref.copy"(%a, %m) : ({M}, {M}) -> ()
        func.return %m : {M}
      }}""",
    ),
    "of a function that returns its argument": (
        True,
        f"""
      func.func @callee(%a : {M}) -> {M} {{
        func.return %a : {M}
      }}
      func.func @f(%a : {M}) -> {M} {{
        %m = func.call @callee(%a) : ({M}) -> {M}
        func.return %m : {M}
      }}""",
    ),
    "of a function that frees its argument": (
        False,
        f"""
      func.func @callee(%a : {M}) {{
        memref.dealloc %a {{bufferization.manual_deallocation}} : {M}
        func.return
      }}
      func.func @f() {{
        %m = memref.alloc() : {M}
        func.call @callee(%m) : ({M}) -> ()
        func.return
      }}""",
    ),
    "of a recursive function": (
        False,
        f"""
      func.func @f(%a : {M}, %c : i1) -> {M} {{
        %r = scf.if %c -> ({M}) {{
          %m = func.call @f(%a, %c) : ({M}, i1) -> {M}
          scf.yield %m : {M}
        }} else {{
          %m = memref.alloc() : {M}
          scf.yield %m : {M}
        }}
        func.return %r : {M}
      }}""",
    ),
    "of a function with a donated argument": (
        False,
        f"""
      func.func @callee(%a : {M} {{bufferize.aliasing_result = 0 : i64}}) -> {M} {{
        func.return %a : {M}
      }}
      func.func @f() -> {M} {{
        %m = memref.alloc() : {M}
        %n = func.call @callee(%m) : ({M}) -> {M}
        func.return %n : {M}
      }}""",
    ),
    "of a function with several results": (
        True,
        f"""
      func.func @callee(%a : {M}) -> ({M}, {M}) {{
        %m = memref.alloc() : {M}
        func.return %a, %m : {M}, {M}
      }}
      func.func @f(%a : {M}) -> {M} {{
        %m:2 = func.call @callee(%a) : ({M}) -> ({M}, {M})
        func.return %m#1 : {M}
      }}""",
    ),
}


@pytest.mark.parametrize("enclosed, text", CALLS.values(), ids=CALLS)
def test_calls(enclosed: bool, text: str, monkeypatch: pytest.MonkeyPatch):
    graph = CallGraph(parse_module(text))

    found = enclosed_functions(graph, ())

    assert [f in found for f in graph.functions if f.sym_name.data == "f"] == [enclosed]
    assert_freed_alike(text, monkeypatch)


def test_too_few_values_handed_over_are_refused():
    text = program(f"""
        %r = "scf.if"(%c) ({{
          %m = memref.alloc() : {M}
          "scf.yield"(%m) : ({M}) -> ()
        }}, {{
          "scf.yield"() : () -> ()
        }}) : (i1) -> {M}""")

    assert not is_enclosed(text)


def test_parts_that_are_only_freed_are_not_hidden():
    body = f"""
        %m = func.call @v() : () -> {STRIDED}"""
    text = f"func.func private @v() -> {STRIDED}\n{program(body)}"

    assert "extract_strided_metadata" in freed(text, PASSES[1])
    module = parse_module(text)
    apply(PASSES[1], module)
    assert not hides_parts(module)


def test_the_last_of_several_that_die_at_an_op_is_freed_first():
    text = program(f"""
        %m = memref.alloc() : {M}
        %n = memref.alloc() : {M}
        "memref.copy"(%m, %n) : ({M}, {M}) -> ()""")

    lines = freed(text, "buffer-deallocation-pipeline").splitlines()

    assert [line.split()[1] for line in lines if "dealloc" in line] == ["%n", "%m"]


BUFFERIZE = "one-shot-bufferize{bufferize-function-boundaries=true}"
PASSES = (
    "ownership-based-buffer-deallocation",
    "buffer-deallocation-pipeline",
    "buffer-deallocation-pipeline{private-function-dynamic-ownership=true}",
)


def freed(text: str, passes: str) -> str:
    module = parse_module(text)
    try:
        apply(passes, module)
    except BufferizationError as error:
        return str(error)
    return str(module)


def _none_enclosed(graph: object, dynamic: object) -> Mapping[Operation, object]:
    """In place of `enclosed_functions`: all functions are analysed."""
    return {}


def assert_freed_alike(
    text: str, monkeypatch: pytest.MonkeyPatch, all_passes: Sequence[str] = PASSES
):
    """Assert that functions with enclosed buffers get what ownership makes of them."""
    for passes in all_passes:
        found = freed(text, passes)
        with monkeypatch.context() as patch:
            patch.setattr(
                ownership_based_buffer_deallocation,
                "enclosed_functions",
                _none_enclosed,
            )
            expected = freed(text, passes)
        assert found == expected


@pytest.mark.parametrize("seeds", [range(2), *slow([range(2, 30), range(30, 60)])])
def test_random_programs_are_freed_alike(seeds: range, monkeypatch: pytest.MonkeyPatch):
    compared = 0
    for seed in seeds:
        module = random_module(seed)[1]
        try:
            apply(BUFFERIZE, module)
        except BufferizationError:
            continue
        compared += 1
        assert_freed_alike(str(module), monkeypatch, PASSES[:2])
    assert compared


def _in_a_row(n: int) -> str:
    return program(
        "".join(
            f"""
        %m{k} = memref.alloc() : {M}
        memref.store %f, %m{k}[%i] : {M}"""
            for k in range(n)
        )
    )


def _selected(n: int) -> str:
    """Each buffer, or the choice before it: the last choice may be any of them."""
    lines = [f"%s0 = memref.alloc() : {M}"]
    for k in range(n):
        lines += (
            f"%m{k} = memref.alloc() : {M}",
            f"%s{k + 1} = arith.select %c, %s{k}, %m{k} : {M}",
            f"memref.store %f, %s{k + 1}[%i] : {M}",
        )
    return program("\n".join(lines))


def _loops_in_a_row(n: int) -> str:
    """Each loop carries the result of the one before it, and a buffer that stays."""
    lines = [f"%r0 = memref.alloc() : {M}", f"%m = memref.alloc() : {M}"]
    for k in range(n):
        lines += (
            f"%r{k + 1}, %s{k} = scf.for %k{k} = %i to %i step %i"
            f" iter_args(%x{k} = %r{k}, %y{k} = %m) -> ({M}, {M}) {{",
            f"scf.yield %x{k}, %y{k} : {M}, {M}",
            "}",
        )
    return program("\n".join(lines))


def _nested(n: int) -> str:
    """Each buffer is used at each depth within its own."""
    lines = (
        f"%m{k} = memref.alloc() : {M}\nscf.for %k{k} = %i to %i step %i {{"
        for k in range(n)
    )
    uses = (f"memref.store %f, %m{k}[%i] : {M}" for k in range(n))
    return program("\n".join((*lines, *uses, "}" * n)))


@pytest.mark.parametrize("shape", [_in_a_row, _nested, _selected, _loops_in_a_row])
def test_work_is_linear(shape: Callable[[int], str]):
    functions = [functions_in(parse_module(shape(n)))[-1] for n in (2, 10, 40)]
    _, small, large = (
        executed_lines(partial(enclosed_buffers, function, returns_flags=False))
        for function in functions
    )
    assert large < 4.2 * small
