"""Sizes are followed through ops, loops, branches and calls, and not where they may differ."""

from __future__ import annotations

import pytest
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from xdsl_bufferization.memrefs.sizes.computation import names_of
from xdsl_bufferization.memrefs.sizes.size_analysis import MAX_TERMS, Sizes
from xdsl_bufferization.support.reading import context_of_all_dialects
from xdsl_bufferization.support.regions import walk

_ARGUMENTS = "%x: tensor<?x64xf32>, %y: tensor<?x?xf32>, %n: index, %c: i1"


def _parsed(text: str) -> ModuleOp:
    return Parser(context_of_all_dialects(), text).parse_module()


def _shown(module: ModuleOp) -> list[str]:
    """The sizes and numbers that the last function returns."""
    function = [op for op in walk([module]) if isinstance(op, func.FuncOp)][-1]
    last = function.body.blocks.last
    assert last is not None
    assert last.last_op is not None
    sizes = Sizes()
    shapes = [
        sizes.shape(value) or [sizes.number(value)] for value in last.last_op.operands
    ]
    return [" by ".join(map(names_of, shape)) for shape in shapes]


def _returned(body: str, values: str, types: str, others: str = "") -> list[str]:
    text = f"""
      {others}
      func.func @f({_ARGUMENTS}) -> ({types}) {{
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c3 = arith.constant 3 : index
        %b = tensor.dim %x, %c0 : tensor<?x64xf32>
        {body}
        func.return {values} : {types}
      }}"""
    return _shown(_parsed(text))


_T = "tensor<?x64xf32>"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("%r = arith.addi %b, %n : index", "%x.0 + %n"),
        ("%r = arith.subi %b, %b : index", "0"),
        ("%r = arith.muli %b, %c3 : index", "3*%x.0"),
        ("%r = arith.shli %n, %c3 : index", "8*%n"),
        (
            "%i = arith.index_cast %n : index to i64\n"
            "%j = arith.addi %i, %i : i64\n"
            "%r = arith.index_cast %j : i64 to index",
            "2*%n",
        ),
        # The number may not fit.
        (
            "%i = arith.index_cast %n : index to i32\n"
            "%r = arith.index_cast %i : i32 to index",
            "%r",
        ),
        (
            "%r = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0 + 1)> (%n)[%b]",
            "2*%n + %x.0 + 1",
        ),
        (
            "%r = affine.apply affine_map<(d0) -> (d0 floordiv 2)> (%n)",
            "%r",
        ),
        ("%r = arith.divui %n, %c3 : index", "%r"),
    ],
)
def test_numbers(body: str, expected: str) -> None:
    assert _returned(body, "%r", "index") == [expected]


@pytest.mark.parametrize(
    ("body", "type", "expected"),
    [
        ("%r = tensor.empty(%n, %b) : tensor<?x4x?xf32>", None, "%n by 4 by %x.0"),
        (f"%r = tensor.cast %y : tensor<?x?xf32> to {_T}", _T, "%y.0 by 64"),
        (
            f"%f = tensor.extract %x[%n, %n] : {_T}\n"
            f"%r = tensor.insert %f into %x[%b, %n] : {_T}",
            _T,
            "%x.0 by 64",
        ),
        (
            f"%r = tensor.extract_slice %x[0, 0] [%n, 64] [1, 1] : {_T} to {_T}",
            _T,
            "%n by 64",
        ),
        (
            "%r = tensor.extract_slice %y[0, 0] [1, %n] [1, 1] : tensor<?x?xf32> to "
            "tensor<?xf32>",
            "tensor<?xf32>",
            "%n",
        ),
        # Which of the two dimensions of size 1 is left out, nothing says.
        (
            "%t = tensor.empty(%n) : tensor<1x1x?xf32>\n"
            "%r = tensor.extract_slice %t[0, 0, 0] [1, 1, %n] [1, 1, 1] : "
            "tensor<1x1x?xf32> to tensor<1x?xf32>",
            "tensor<1x?xf32>",
            "1 by %r.1",
        ),
        (
            "%r = tensor.collapse_shape %y [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>",
            "tensor<?xf32>",
            "%y.0*%y.1",
        ),
        (
            f"%r = tensor.expand_shape %x [[0], [1, 2]] output_shape [%b, 8, 8] : {_T} "
            "into tensor<?x8x8xf32>",
            "tensor<?x8x8xf32>",
            "%x.0 by 8 by 8",
        ),
        (
            f"%e = tensor.empty(%n) : {_T}\n"
            f"%r = tensor.concat dim(0) %x, %e, %x : ({_T}, {_T}, {_T}) -> {_T}",
            _T,
            "2*%x.0 + %n by 64",
        ),
        (
            "%z = arith.constant 0.0 : f32\n"
            "%r = tensor.pad %x low[1, %n] high[2, 0] {\n"
            "^bb0(%i: index, %j: index):\n  tensor.yield %z : f32\n"
            f"}} : {_T} to tensor<?x?xf32>",
            "tensor<?x?xf32>",
            "%x.0 + 3 by %n + 64",
        ),
        (
            "%z = arith.constant 0.0 : f32\n"
            f"%e = tensor.empty(%n) : {_T}\n"
            f"%r = linalg.fill ins(%z : f32) outs(%e : {_T}) -> {_T}",
            _T,
            "%n by 64",
        ),
    ],
)
def test_shapes(body: str, type: str | None, expected: str) -> None:
    assert _returned(body, "%r", type or "tensor<?x4x?xf32>") == [expected]


def test_a_loop_keeps_a_size() -> None:
    body = f"""
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x) -> ({_T}) {{
        %d = tensor.dim %h, %c0 : {_T}
        %e = tensor.empty(%d) : {_T}
        scf.yield %e : {_T}
      }}"""
    assert _returned(body, "%r", _T) == ["%x.0 by 64"]


def test_a_loop_changes_a_size() -> None:
    body = f"""
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x) -> ({_T}) {{
        %d = tensor.dim %h, %c0 : {_T}
        %d1 = arith.addi %d, %c1 : index
        %e = tensor.empty(%d1) : {_T}
        scf.yield %e : {_T}
      }}"""
    assert _returned(body, "%r", _T) == ["%r.0 by 64"]


def test_a_size_that_an_iteration_loads() -> None:
    body = f"""
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x) -> ({_T}) {{
        %e = tensor.empty(%i) : {_T}
        scf.yield %e : {_T}
      }}"""
    assert _returned(body, "%r", _T) == ["%r.0 by 64"]


def test_tensors_that_take_turns() -> None:
    body = f"""
      %e = tensor.empty(%b) : {_T}
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x, %g = %e) -> ({_T}, {_T}) {{
        %q = scf.for %j = %c0 to %n step %c1 iter_args(%k = %h) -> ({_T}) {{
          scf.yield %k : {_T}
        }}
        scf.yield %g, %q : {_T}, {_T}
      }}"""
    assert _returned(body, "%r#0, %r#1", f"{_T}, {_T}") == ["%x.0 by 64"] * 2


def test_tensors_of_two_sizes_that_take_turns() -> None:
    body = f"""
      %e = tensor.empty(%n) : {_T}
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x, %g = %e) -> ({_T}, {_T}) {{
        scf.yield %g, %h : {_T}, {_T}
      }}"""
    assert _returned(body, "%r#0", _T) == ["%r.0 by 64"]


def test_an_inner_loop_with_a_tensor_whose_size_changes() -> None:
    body = f"""
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x) -> ({_T}) {{
        %q = scf.for %j = %c0 to %n step %c1 iter_args(%k = %h) -> ({_T}) {{
          scf.yield %k : {_T}
        }}
        %d = tensor.concat dim(0) %q, %h : ({_T}, {_T}) -> {_T}
        scf.yield %d : {_T}
      }}"""
    module = _parsed(f"""
      func.func @f({_ARGUMENTS}) {{
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        {body}
        func.return
      }}""")
    sizes = Sizes()
    (concat,) = [op for op in walk([module]) if op.name == "tensor.concat"]
    assert names_of((sizes.shape(concat.results[0]) or [])[0]) == "2*%h.0"


def test_while_and_if() -> None:
    body = f"""
      %w = scf.while (%v = %x) : ({_T}) -> {_T} {{
        scf.condition(%c) %v : {_T}
      }} do {{
      ^bb0(%u: {_T}):
        scf.yield %u : {_T}
      }}
      %e = tensor.empty(%b) : {_T}
      %o = tensor.empty(%n) : {_T}
      %r = scf.if %c -> ({_T}) {{
        scf.yield %w : {_T}
      }} else {{
        scf.yield %e : {_T}
      }}
      %q = scf.if %c -> ({_T}) {{
        scf.yield %w : {_T}
      }} else {{
        scf.yield %o : {_T}
      }}"""
    assert _returned(body, "%r, %q", f"{_T}, {_T}") == ["%x.0 by 64", "%q.0 by 64"]


def test_blocks() -> None:
    module = _parsed(f"""
      func.func @f({_ARGUMENTS}) -> ({_T}, {_T}) {{
        %e = tensor.empty(%n) : {_T}
        cf.cond_br %c, ^bb1(%x, %x : {_T}, {_T}), ^bb2(%x, %e : {_T}, {_T})
      ^bb1(%p: {_T}, %q: {_T}):
        cf.br ^bb2(%p, %q : {_T}, {_T})
      ^bb2(%s: {_T}, %t: {_T}):
        func.return %s, %t : {_T}, {_T}
      }}""")
    assert _shown(module) == ["%x.0 by 64", "%t.0 by 64"]


_CALLEE = f"""
  func.func private @g(%p: {_T}, %k: index) -> ({_T}, index) {{
    %c0 = arith.constant 0 : index
    %d = tensor.dim %p, %c0 : {_T}
    %m = arith.muli %d, %k : index
    %e = tensor.empty(%m) : {_T}
    func.return %e, %m : {_T}, index
  }}
  func.func private @unknown({_T}) -> {_T}
  func.func @recursive(%p: {_T}) -> {_T} {{
    %r = func.call @recursive(%p) : ({_T}) -> {_T}
    func.return %r : {_T}
  }}"""


def test_calls() -> None:
    body = f"""
      %r:2 = func.call @g(%x, %n) : ({_T}, index) -> ({_T}, index)
      %s:2 = func.call @g(%r#0, %c3) : ({_T}, index) -> ({_T}, index)
      %u = func.call @unknown(%x) : ({_T}) -> {_T}
      %v = func.call @recursive(%x) : ({_T}) -> {_T}"""
    assert _returned(body, "%s#0, %u, %v", f"{_T}, {_T}, {_T}", _CALLEE) == [
        "3*%n*%x.0 by 64",
        "%u.0 by 64",
        "%v.0 by 64",
    ]


_CLAMPED = """
    %large = arith.constant 2147483647 : index
    %zero = arith.constant 0 : i64"""


def _clamped(size: str, prefix: str) -> str:
    """A slice of ONNX from 0 to the largest number, as torch-mlir writes it: its size is `e`."""
    return f"""
      %{prefix}i = arith.index_cast {size} : index to i64
      %{prefix}j = arith.minsi %{prefix}i, %zero : i64
      %{prefix}o = arith.index_cast %{prefix}j : i64 to index
      %{prefix}m = arith.minsi {size}, %large : index
      %{prefix}d = arith.subi %{prefix}m, %{prefix}o : index
      %{prefix}e = arith.maxsi %{prefix}d, %c0 : index"""


def test_clamps_one_after_the_other() -> None:
    body = _CLAMPED + _clamped("%b", "p") + _clamped("%pe", "q")
    shown = _returned(body, "%po, %pe, %qo, %qe", "index, index, index, index")
    assert shown == ["0", "%pm", "0", "%pm"]


def test_an_integer_that_may_be_negative_is_clamped() -> None:
    body = _CLAMPED + _clamped("%n", "p")
    assert _returned(body, "%po, %pe", "index, index") == ["%pj", "%pe"]


def test_equal_extremes_are_one_symbol() -> None:
    body = """
      %p = arith.minsi %n, %b : index
      %q = arith.minsi %b, %n : index
      %r = arith.maxsi %b, %n : index
      %s = arith.maxsi %p, %b : index"""
    shown = _returned(body, "%p, %q, %r, %s", "index, index, index, index")
    assert shown == ["%p", "%p", "%r", "%x.0"]


def test_long_chains() -> None:
    chain = "\n".join(f"%a{i + 1} = arith.addi %a{i}, %n : index" for i in range(3_000))
    body = f"%a0 = arith.addi %b, %n : index\n{chain}"
    assert _returned(body, "%a3000", "index") == ["%x.0 + 3,001*%n"]


def test_long_chains_of_extremes() -> None:
    chain = "\n".join(
        f"%a{i + 1} = arith.{'min' if i % 2 else 'max'}si %a{i}, %n : index"
        for i in range(3_000)
    )
    body = f"%a0 = arith.minsi %b, %n : index\n{chain}"
    assert _returned(body, "%a3000", "index") == ["%n"]


def test_polynomials_stay_small() -> None:
    arguments = ", ".join(f"%n{i}: index" for i in range(MAX_TERMS + 1))
    sums = "\n".join(
        f"%s{i + 1} = arith.addi %s{i}, %n{i + 1} : index" for i in range(MAX_TERMS)
    )
    module = _parsed(f"""
      func.func @f({arguments}) -> index {{
        %s0 = arith.addi %n0, %n0 : index
        {sums}
        func.return %s{MAX_TERMS} : index
      }}""")
    assert _shown(module) == [f"%s{MAX_TERMS}"]
