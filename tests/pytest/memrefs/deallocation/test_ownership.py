"""Who owns memory: where that is known before the program runs, nothing asks for it then."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from xdsl.dialects.builtin import ModuleOp

from tests.executed_lines import executed_lines
from tests.fuzzing.trials import apply
from tests.peer.runner import parse_module
from xdsl_bufferization.dialects.bufferization import DeallocOp
from xdsl_bufferization.memrefs.deallocation.ownership import hides_parts
from xdsl_bufferization.support.attributes import constant_integer
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.transforms.ownership_based_buffer_deallocation import (
    insert_deallocs,
)

M = "memref<4xf32>"
STRIDED = "memref<4xf32, strided<[2], offset: 4>>"

ALWAYS = {
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
    "carried twice": f"""
        %m = memref.alloc() : {M}
        %r, %s = scf.for %k = %i to %i step %i iter_args(%x = %m, %y = %m) -> ({M}, {M}) {{
          scf.yield %x, %y : {M}, {M}
        }}""",
    "forwarded on one of two edges": f"""
        %m = memref.alloc() : {M}
        cf.cond_br %c, ^bb1(%m : {M}), ^bb2
      ^bb1(%x : {M}):
        cf.br ^bb2
      ^bb2:""",
    "used in another block": f"""
        %m = memref.alloc() : {M}
        cf.br ^bb1
      ^bb1:
        memref.store %f, %m[%i] : {M}""",
    "swapped with memory of others": f"""
        %m = memref.alloc() : {M}
        %r, %s = scf.for %k = %i to %i step %i iter_args(%x = %a, %y = %m) -> ({M}, {M}) {{
          memref.store %f, %y[%i] : {M}
          scf.yield %y, %x : {M}, {M}
        }}
        memref.store %f, %r[%i] : {M}""",
    "swapped with memory of others, in a loop in a loop": f"""
        %m = memref.alloc() : {M}
        %p, %q = scf.for %k = %i to %i step %i iter_args(%v = %a, %w = %m) -> ({M}, {M}) {{
          %r, %s = scf.for %l = %i to %i step %i iter_args(%x = %v, %y = %w) -> ({M}, {M}) {{
            memref.store %f, %y[%i] : {M}
            scf.yield %y, %x : {M}, {M}
          }}
          scf.yield %r, %s : {M}, {M}
        }}
        memref.store %f, %p[%i] : {M}""",
    "swapped as a cast": f"""
        %m = memref.alloc() : {M}
        %b = memref.cast %a : {M} to memref<?xf32>
        %n = memref.cast %m : {M} to memref<?xf32>
        %r, %s = scf.for %k = %i to %i step %i iter_args(%x = %b, %y = %n)
            -> (memref<?xf32>, memref<?xf32>) {{
          %v = memref.cast %x : memref<?xf32> to {M}
          %w = memref.cast %v : {M} to memref<?xf32>
          scf.yield %y, %w : memref<?xf32>, memref<?xf32>
        }}
        memref.store %f, %r[%i] : memref<?xf32>""",
}
"""Programs whose memory is freed without a decision at run time."""

AT_RUN_TIME = {
    "a loop with memory of others in the first iteration": f"""
        %r = scf.for %k = %i to %i step %i iter_args(%x = %a) -> ({M}) {{
          %n = memref.alloc() : {M}
          scf.yield %n : {M}
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
    "a new buffer or memory of others, forwarded": f"""
        cf.cond_br %c, ^bb1, ^bb2(%a : {M})
      ^bb1:
        %m = memref.alloc() : {M}
        cf.br ^bb2(%m : {M})
      ^bb2(%x : {M}):
        memref.store %f, %x[%i] : {M}""",
    "several results of a call": f"""
        %r:2 = func.call @h() : () -> ({M}, {M})""",
    "yielded": f"""
        %r = scf.if %c -> ({M}) {{
          %m = memref.alloc() : {M}
          scf.yield %m : {M}
        }} else {{
          scf.yield %a : {M}
        }}""",
    "two swapped with memory of others": f"""
        %m = memref.alloc() : {M}
        %n = memref.alloc() : {M}
        %r:3 = scf.for %k = %i to %i step %i iter_args(%x = %a, %y = %m, %z = %n)
            -> ({M}, {M}, {M}) {{
          memref.store %f, %z[%i] : {M}
          scf.yield %z, %x, %y : {M}, {M}, {M}
        }}
        memref.store %f, %r#0[%i] : {M}""",
    "swapped, and a new buffer in each iteration": f"""
        %m = memref.alloc() : {M}
        %r, %s = scf.for %k = %i to %i step %i iter_args(%x = %a, %y = %m) -> ({M}, {M}) {{
          %n = memref.alloc() : {M}
          memref.store %f, %n[%i] : {M}
          scf.yield %y, %n : {M}, {M}
        }}
        memref.store %f, %r[%i] : {M}""",
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


def freed(text: str, passes: str = "buffer-deallocation-pipeline") -> ModuleOp:
    module = parse_module(text)
    apply(passes, module)
    return module


def is_known(text: str) -> bool:
    """Whether all memory is owned always or never, and nothing is compared."""
    deallocs = [
        op
        for op in freed(text, "ownership-based-buffer-deallocation").walk()
        if isinstance(op, DeallocOp)
    ]
    return not any(
        op.retained or constant_integer(condition) in (None, 0)
        for op in deallocs
        for condition in op.conditions
    )


@pytest.mark.parametrize("body", ALWAYS.values(), ids=ALWAYS)
def test_known_before_the_program_runs(body: str):
    assert is_known(program(body))
    # The lowering has nothing to decide, either.
    names = [op.name for op in freed(program(body)).walk()]
    assert "memref.dealloc" in names or "memref.alloc" not in names
    assert not {"arith.cmpi", "arith.andi", "arith.xori"} & {*names}
    assert names.count("scf.if") <= body.count("scf.if")


@pytest.mark.parametrize("body", AT_RUN_TIME.values(), ids=AT_RUN_TIME)
def test_known_at_run_time(body: str):
    assert not is_known(program(body))


CALLS = {
    "of a function that returns a buffer": f"""
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
    "of a function that returns its argument": f"""
      func.func @callee(%a : {M}) -> {M} {{
        func.return %a : {M}
      }}
      func.func @f(%a : {M}) -> {M} {{
        %m = func.call @callee(%a) : ({M}) -> {M}
        func.return %m : {M}
      }}""",
    "of a function that frees its argument": f"""
      func.func @callee(%a : {M}) {{
        memref.dealloc %a {{bufferization.manual_deallocation}} : {M}
        func.return
      }}
      func.func @f() {{
        %m = memref.alloc() : {M}
        func.call @callee(%m) : ({M}) -> ()
        func.return
      }}""",
    "of a recursive function": f"""
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
    "of a function with a donated argument": f"""
      func.func @callee(%a : {M} {{bufferize.aliasing_result = 0 : i64}}) -> {M} {{
        func.return %a : {M}
      }}
      func.func @f() -> {M} {{
        %m = memref.alloc() : {M}
        %n = func.call @callee(%m) : ({M}) -> {M}
        func.return %n : {M}
      }}""",
    "of a function with several results": f"""
      func.func @callee(%a : {M}) -> ({M}, {M}) {{
        %m = memref.alloc() : {M}
        func.return %a, %m : {M}, {M}
      }}
      func.func @f(%a : {M}) -> {M} {{
        %m:2 = func.call @callee(%a) : ({M}) -> ({M}, {M})
        func.return %m#1 : {M}
      }}""",
}


@pytest.mark.parametrize("text", CALLS.values(), ids=CALLS)
def test_known_results_of_calls(text: str):
    assert is_known(text)


def test_returned():
    body = f"%m = memref.alloc() : {M}\n%n = memref.alloc() : {M}"
    view = f"%x = memref.cast %m : {M} to memref<?xf32>\n%v = memref.cast %x : memref<?xf32> to {M}"
    for text, clones in (
        (program(body, "%m", "%a", "%n", "%a"), 2),
        (program(f"{body}\n{view}", "%v"), 0),
    ):
        assert is_known(text)
        names = [op.name for op in freed(text).walk()]
        assert names.count("bufferization.clone") == clones


def test_too_few_values_handed_over_are_refused():
    text = program(f"""
        %r = "scf.if"(%c) ({{
          %m = memref.alloc() : {M}
          "scf.yield"(%m) : ({M}) -> ()
        }}, {{
          "scf.yield"() : () -> ()
        }}) : (i1) -> {M}""")

    with pytest.raises(BufferizationError):
        insert_deallocs(parse_module(text))


def test_parts_that_are_only_freed_are_not_hidden():
    body = f"""
        %m = func.call @v() : () -> {STRIDED}"""
    text = f"func.func private @v() -> {STRIDED}\n{program(body)}"

    module = freed(text)

    assert "extract_strided_metadata" in str(module)
    assert not hides_parts(module)


def test_the_last_of_several_that_die_at_an_op_is_freed_first():
    text = program(f"""
        %m = memref.alloc() : {M}
        %n = memref.alloc() : {M}
        "memref.copy"(%m, %n) : ({M}, {M}) -> ()""")

    lines = str(freed(text)).splitlines()

    assert [line.split()[1] for line in lines if "dealloc" in line] == ["%n", "%m"]


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
    _, small, large = (
        executed_lines(partial(insert_deallocs, parse_module(shape(n))))
        for n in (2, 10, 40)
    )
    assert large < 4.2 * small
