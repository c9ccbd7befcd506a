"""Buffers that one block encloses: which these are, and that ownership frees them alike."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from xdsl.ir import Operation

from tests.executed_lines import executed_lines
from tests.fuzzing.elimination import random_module
from tests.fuzzing.trials import apply
from tests.peer.runner import parse_module
from tests.slow import slow
from xdsl_bufferization.deallocation.enclosed_buffers import enclosed_buffers
from xdsl_bufferization.support.call_graph import functions_in
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.transforms import ownership_based_buffer_deallocation

M = "memref<4xf32>"

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
}

NOT_ENCLOSED = {
    "a choice": f"""
        %m = memref.alloc() : {M}
        %s = arith.select %c, %m, %a : {M}
        memref.store %f, %s[%i] : {M}""",
    "yielded": f"""
        %r = scf.if %c -> ({M}) {{
          %m = memref.alloc() : {M}
          scf.yield %m : {M}
        }} else {{
          scf.yield %a : {M}
        }}""",
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
    "given to a call": f"""
        %m = memref.alloc() : {M}
        func.call @g(%m) : ({M}) -> {M}""",
    "returned by a call": f"""
        %m = func.call @g(%a) : ({M}) -> {M}
        memref.store %f, %m[%i] : {M}""",
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
      func.func @f(%a : {M}, %f : f32, %i : index, %c : i1) -> ({types}) {{
        {body}
        func.return {values}
      }}"""


def is_enclosed(text: str, *, returns_flags: bool = False) -> bool:
    """Whether all buffers of the function `@f` are enclosed."""
    function = functions_in(parse_module(text))[1]
    return enclosed_buffers(function, returns_flags=returns_flags) is not None


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


def test_the_last_of_several_that_die_at_an_op_is_freed_first():
    text = program(f"""
        %m = memref.alloc() : {M}
        %n = memref.alloc() : {M}
        "memref.copy"(%m, %n) : ({M}, {M}) -> ()""")

    lines = freed(text, "buffer-deallocation-pipeline").splitlines()

    assert [line.split()[1] for line in lines if "dealloc" in line] == ["%n", "%m"]


BUFFERIZE = "one-shot-bufferize{bufferize-function-boundaries=true}"
PASSES = "ownership-based-buffer-deallocation", "buffer-deallocation-pipeline"


def freed(text: str, passes: str) -> str:
    module = parse_module(text)
    try:
        apply(passes, module)
    except BufferizationError as error:
        return str(error)
    return str(module)


def _none_enclosed(function: Operation, *, returns_flags: bool) -> None:
    """In place of `enclosed_buffers`: all functions are analysed."""


def assert_freed_alike(text: str, monkeypatch: pytest.MonkeyPatch):
    """Assert that functions with enclosed buffers get what ownership makes of them."""
    for passes in PASSES:
        found = freed(text, passes)
        with monkeypatch.context() as patch:
            patch.setattr(
                ownership_based_buffer_deallocation,
                "enclosed_buffers",
                _none_enclosed,
            )
            expected = freed(text, passes)
        assert found == expected


@pytest.mark.parametrize("seeds", [range(20), *slow([range(20, 300)])])
def test_random_programs_are_freed_alike(seeds: range, monkeypatch: pytest.MonkeyPatch):
    compared = 0
    for seed in seeds:
        module = random_module(seed)[1]
        try:
            apply(BUFFERIZE, module)
        except BufferizationError:
            continue
        compared += 1
        assert_freed_alike(str(module), monkeypatch)
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


def _nested(n: int) -> str:
    """Each buffer is used at each depth within its own."""
    lines = (
        f"%m{k} = memref.alloc() : {M}\nscf.for %k{k} = %i to %i step %i {{"
        for k in range(n)
    )
    uses = (f"memref.store %f, %m{k}[%i] : {M}" for k in range(n))
    return program("\n".join((*lines, *uses, "}" * n)))


@pytest.mark.parametrize("shape", [_in_a_row, _nested])
def test_work_is_linear(shape: Callable[[int], str]):
    functions = [functions_in(parse_module(shape(n)))[1] for n in (2, 10, 40)]
    _, small, large = (
        executed_lines(partial(enclosed_buffers, function, returns_flags=False))
        for function in functions
    )
    assert large < 4.2 * small
