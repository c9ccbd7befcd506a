"""Summaries of functions: what a call does to its operands."""

from __future__ import annotations

import pytest
from xdsl.dialects.func import FuncOp

from tests.peer.runner import parse_module
from xdsl_bufferization.interfaces.bufferizable import FunctionSummary
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.decisions.summaries import summarize
from xdsl_bufferization.one_shot.facts.program import TensorProgram


def summary_of(body: str) -> FunctionSummary:
    """The summary of a function of tensors `%t` and `%u` that returns one."""
    module = parse_module(
        "func.func @f(%t: tensor<8xf32>, %u: tensor<8xf32>, %c: i1, %f: f32, %i: index)"
        f" -> tensor<8xf32> {{\n{body}\n}}"
    )
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    return summarize(function, OneShotAnalysis(TensorProgram([function])))


RETURN = "func.return %{} : tensor<8xf32>"
INSERT = "%r = tensor.insert %f into %t[%i] : tensor<8xf32>\n" + RETURN.format("r")
SELECT = "%s = arith.select %c, %t, %u : tensor<8xf32>\n" + RETURN.format("s")
FILL = (
    "%e = tensor.empty() : tensor<8xf32>\n"
    "%n = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>\n"
    + RETURN.format("n")
)


@pytest.mark.parametrize(
    "body, reads, writes, returns, equivalent",
    [
        (RETURN.format("t"), False, False, [0], 0),
        (INSERT, True, True, [0], 0),
        # One of the two, so that neither is known to be the result.
        (SELECT, False, False, [0], None),
        (FILL, False, False, [], None),
    ],
)
def test_of_the_first_argument(
    body: str, reads: bool, writes: bool, returns: list[int], equivalent: int | None
):
    summary = summary_of(body)
    assert summary.writes[0] == writes
    assert [*summary.returns[0]] == returns
    assert [*summary.equivalent] == [equivalent]
    if reads:
        assert summary.reads[0]


def test_a_declaration_may_do_anything():
    module = parse_module("func.func private @f(tensor<8xf32>) -> tensor<8xf32>")
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    summary = summarize(function, OneShotAnalysis(TensorProgram([function])))
    assert (summary.reads[0], summary.writes[0]) == (True, True)
    assert [*summary.returns[0]] == [0]
