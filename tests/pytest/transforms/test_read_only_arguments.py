"""`bufferize` with `arguments=read-only`: what callers give is as it was."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from tests.fuzzing.trials import read
from tests.peer import MlirTools
from tests.peer.runner import parse_module
from tests.programs import generate_program
from tests.programs.donation import donate
from tests.slow import exhaustive, slow
from xdsl_bufferization import BufferizePass, bufferize
from xdsl_bufferization.report.model import TensorFunction
from xdsl_bufferization.report.report import report_on
from xdsl_bufferization.semantics.checking.check import CheckOptions, check_pipeline
from xdsl_bufferization.semantics.checking.execution import Program
from xdsl_bufferization.semantics.checking.report import ProblemKind
from xdsl_bufferization.semantics.memory import Garbage
from xdsl_bufferization.semantics.values import Array, Value
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.options import ArgumentAccess

READ_ONLY = BufferizePass(arguments=ArgumentAccess.READ_ONLY)
PIPELINE = "bufferize{arguments=read-only}"

CALLS = """
func.func private @set(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %i = arith.constant 1 : index
  %r = tensor.insert %x into %t[%i] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func @kept(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %r = func.call @set(%t, %x) : (tensor<4xf32>, f32) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func @donated(%t: tensor<4xf32> {bufferize.aliasing_result = 0 : i64}, %x: f32)
    -> tensor<4xf32> {
  %r = func.call @set(%t, %x) : (tensor<4xf32>, f32) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
"""


def after_a_call(module: ModuleOp, name: str, inputs: Sequence[Value]) -> Array:
    """The first argument of the function, a memref, after a call of it."""
    run = Program(module, (), max_steps=1000).run(name, inputs, Garbage())
    return run.memory.read(run.arguments[0], run.function)


@pytest.mark.parametrize("eliminate_copies", [True, False])
@pytest.mark.parametrize("copy_before_write", [True, False])
def test_arguments_are_as_they_were_unless_they_are_donated(
    eliminate_copies: bool, copy_before_write: bool
):
    module = parse_module(CALLS)
    options = BufferizePass(
        arguments=ArgumentAccess.READ_ONLY,
        eliminate_copies=eliminate_copies,
        copy_before_write=copy_before_write,
    )
    bufferize(Context(), module, options)
    module.verify()
    ones = np.ones(4, np.float32)
    changed = np.array([1, 5, 1, 1], np.float32)
    five = np.float32(5)
    assert np.array_equal(after_a_call(module, "kept", [ones, five]), ones)
    assert np.array_equal(after_a_call(module, "donated", [ones, five]), changed)


def test_by_default_arguments_are_overwritten():
    assert BufferizePass().arguments is ArgumentAccess.WRITABLE
    module = parse_module(CALLS)
    bufferize(Context(), module)
    ones = np.ones(4, np.float32)
    assert after_a_call(module, "kept", [ones, np.float32(5)])[1] == 5


def test_a_program_that_is_refused_is_as_it_was():
    program = """
    func.func @f(%s: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
      %r = bufferization.materialize_in_destination %s in %d
          : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      func.return %r : tensor<4xf32>
    }
    """
    for options in (
        READ_ONLY,
        BufferizePass(arguments=ArgumentAccess.READ_ONLY, test_analysis_only=True),
    ):
        module = parse_module(program)
        before = str(module)
        with pytest.raises(
            BufferizationError,
            match=r"if callers do not need argument #1 as it was, donate it",
        ):
            options.apply(Context(), module)
        assert str(module) == before


def test_the_report_says_what_is_forced_and_leaves_the_module_as_it_is():
    module = parse_module(CALLS.replace("private @set", "@set"))
    before = str(module)
    forced: dict[str, int] = {}
    for options in (BufferizePass(), READ_ONLY):
        report = report_on(Context(), module, options, "set")
        (function,) = report.functions
        assert isinstance(function, TensorFunction)
        forced[options.arguments] = function.forced
    # All but the element that is overwritten.
    assert forced == {"writable": 0, "read-only": 12}
    assert str(module) == before


def test_the_check_finds_an_argument_that_is_overwritten(
    monkeypatch: pytest.MonkeyPatch,
):
    def leave(*_: object, **__: object) -> None:
        pass

    module = parse_module(CALLS)
    assert check_pipeline(Context(), module, PIPELINE).problem is None
    before = str(module)
    monkeypatch.setattr(f"{BufferizePass.__module__}.keep_arguments", leave)
    assert check_pipeline(Context(), module, "bufferize").problem is None
    problem = check_pipeline(Context(), module, PIPELINE).problem
    assert problem is not None
    assert problem.kind is ProblemKind.MEMORY
    assert "the argument's buffer is not writable" in problem.message
    assert str(module) == before


FAMILIES = ("mutual", "loops", "regions", "blocks")


@pytest.mark.parametrize("options", ["", " eliminate-copies=false"])
@pytest.mark.parametrize(
    "seeds", [range(1), *slow([range(1, 8)]), *exhaustive([range(8, 20)])]
)
def test_random_programs_leave_what_is_not_donated(
    mlir_tools: MlirTools, seeds: range, options: str
):
    checked = 0
    for seed in seeds:
        families = ["calls", FAMILIES[seed % len(FAMILIES)]]
        module = read(generate_program(seed, families).text, mlir_tools)
        if seed % 2:
            donate(module, Random(seed))
        pipeline = f"bufferize{{arguments=read-only{options}}}"
        try:
            report = check_pipeline(Context(), module, pipeline, CheckOptions(runs=2))
        except BufferizationError:
            continue
        if report.problem is not None:
            assert report.problem.kind is ProblemKind.NO_INPUT, report
        checked += 1
    assert checked
