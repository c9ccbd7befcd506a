"""The check says which ops never ran, and looks for inputs that run them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from xdsl_bufferization.semantics.checking.check import (
    CheckOptions,
    InputError,
    check,
    check_pipeline,
)
from xdsl_bufferization.semantics.checking.command import main
from xdsl_bufferization.semantics.checking.inputs import InputOptions
from xdsl_bufferization.semantics.checking.report import Report
from xdsl_bufferization.support.reading import context_of_all_dialects, parse_module

CONTEXT = context_of_all_dialects()

LOOP_OF_NO_ITERATIONS = """
func.func @f(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c1 to %c0 step %c1 iter_args(%a = %t) -> (tensor<4xf32>) {
    %b = tensor.insert %x into %a[%i] : tensor<4xf32>
    %c = scf.for %j = %c0 to %c1 step %c1 iter_args(%d = %b) -> (tensor<4xf32>) {
      scf.yield %d : tensor<4xf32>
    }
    scf.yield %c : tensor<4xf32>
  }
  %filled = linalg.fill ins(%x : f32) outs(%r : tensor<4xf32>) -> tensor<4xf32>
  func.return %filled : tensor<4xf32>
}
func.func @other() { func.return }
"""

RARE_BRANCHES = """
func.func @f(%t: tensor<4xf32>, %x: f32, %k: i32, %n: i64) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %limit = arith.constant 1000 : i64
  %rare = arith.cmpi eq, %n, %limit : i64
  %a = scf.if %rare -> (tensor<4xf32>) {
    %b = tensor.insert %x into %t[%c0] : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  %minus_ten = arith.constant -10.0 : f32
  %low = arith.cmpf olt, %x, %minus_ten : f32
  %d = scf.if %low -> (tensor<4xf32>) {
    %b = func.call @set(%a, %x) : (tensor<4xf32>, f32) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  } else {
    scf.yield %a : tensor<4xf32>
  }
  func.return %d : tensor<4xf32>
}
func.func private @set(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %b = tensor.insert %x into %t[%c0] : tensor<4xf32>
  func.return %b : tensor<4xf32>
}
"""

WRONG_IN_A_RARE_BRANCH = """
func.func @f(%n: i64) -> i64 {
  %limit = arith.constant 1000 : i64
  %rare = arith.cmpi eq, %n, %limit : i64
  %a = scf.if %rare -> (i64) {
    scf.yield SOMETHING : i64
  } else {
    scf.yield %n : i64
  }
  func.return %a : i64
}
"""


def report(program: str, options: CheckOptions | None = None) -> Report:
    module = parse_module(CONTEXT, program, "f.mlir")
    return check_pipeline(CONTEXT, module, "bufferize", options or CheckOptions())


def test_ops_that_never_ran_are_named():
    found = report(LOOP_OF_NO_ITERATIONS)
    assert found.ok
    assert found.before is not None
    # The regions of linalg ops are computed with the ops.
    assert (found.before.ops - found.before.ran, len(found.before.never_run)) == (4, 1)
    assert "ops that never ran: 4 of 11 before, " in str(found)
    assert "\n  f.mlir:6:10: 4 ops in scf.for" in str(found)


def test_programs_of_which_all_ran_say_nothing_of_it():
    found = report(RARE_BRANCHES)
    assert found.before is not None
    assert found.before.percent == 100
    assert found.functions[0].searched in (1, 2)
    assert f"{found.functions[0].searched} more that run other ops" in str(found)
    assert str(found).endswith("before and after compute the same")


def test_what_is_wrong_in_a_rare_branch_is_found():
    before, after = (
        parse_module(CONTEXT, WRONG_IN_A_RARE_BRANCH.replace("SOMETHING", value), "f")
        for value in ("%n", "%limit")
    )
    assert check(before, after).ok
    after = parse_module(
        CONTEXT,
        WRONG_IN_A_RARE_BRANCH.replace("SOMETHING", "%m").replace(
            "scf.yield %m", "%m = arith.addi %n, %n : i64 scf.yield %m"
        ),
        "f",
    )
    problem = check(before, after).problem
    assert problem is not None
    assert problem.message == "result 0 is 1000 before, 2000 after"


def test_functions_that_nobody_calls_do_not_count():
    found = report(LOOP_OF_NO_ITERATIONS, CheckOptions(functions=["other"]))
    assert found.before is not None
    assert (found.before.ops, found.before.ran) == (1, 1)


def test_a_share_can_be_required(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "f.mlir"
    path.write_text(LOOP_OF_NO_ITERATIONS)
    assert main([str(path), "--require-coverage", "63"]) == 0
    assert main([str(path), "--require-coverage=64%"]) == 1
    *_, last = capsys.readouterr().out.strip().split("\n")
    assert last.startswith("63% of the ops of the program before ran, and 64% are")
    assert main([str(path), "--json", "--require-coverage=64"]) == 1
    printed = json.loads(capsys.readouterr().out)
    assert not printed["ok"]
    assert printed["coverage"]["before"]["never_run"][0]["in"] == "scf.for"


@pytest.mark.parametrize("share", ["101", "-1", "all"])
def test_shares_are_percent(share: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as exit:
        main(["f.mlir", f"--require-coverage={share}"])
    assert exit.value.code == 2
    with pytest.raises(ValueError, match="percent"):
        CheckOptions(required_coverage=101)


ELEMENT = """
func.func @f(%t: tensor<?x2xTYPE>, %i: index) -> TYPE {
  %x = tensor.extract %t[%i, %i] : tensor<?x2xTYPE>
  func.return %x : TYPE
}
"""


@pytest.mark.parametrize(
    "type, given",
    [
        ("f32", np.array([[1.5, 2], [3, 4]], np.float32)),
        ("bf16", np.array([[1.5, 2], [3, 4]])),
        ("i8", np.array([[1, 2], [3, -4]])),
        ("i1", np.array([[True, False]])),
    ],
)
def test_arguments_from_files(
    type: str,
    given: np.ndarray[tuple[int, ...], np.dtype[np.float32]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
):
    path, elements = tmp_path / "f.mlir", tmp_path / "elements.npy"
    path.write_text(ELEMENT.replace("TYPE", type))
    np.save(elements, given)
    arguments = [str(path), "--arg", f"0={elements}", "--arg", "1=0"]
    assert main(arguments) == 0
    assert "compute the same" in capsys.readouterr().out


@pytest.mark.parametrize(
    "type, given, message",
    [
        ("i8", np.array([[1, 1000]]), "not all elements are of the type"),
        ("i8", np.array([[1, 0.5]]), "not all elements are of the type"),
        (
            "f32",
            np.zeros((2, 3)),
            r"cannot be an array of float64 with sizes \[2, 3\]",
        ),
        ("f32", np.zeros(2), "cannot be an array"),
    ],
)
def test_arrays_that_an_argument_can_not_be(
    type: str, given: np.ndarray[tuple[int, ...], np.dtype[np.float64]], message: str
):
    options = CheckOptions(inputs=InputOptions(arrays={0: given}))
    with pytest.raises(InputError, match=message):
        report(ELEMENT.replace("TYPE", type), options)


def test_a_scalar_is_no_array():
    options = CheckOptions(inputs=InputOptions(arrays={1: np.zeros(2)}))
    with pytest.raises(InputError, match="is no tensor or memref"):
        report(ELEMENT.replace("TYPE", "f32"), options)


def test_files_that_are_no_arrays(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path, other = tmp_path / "f.mlir", tmp_path / "other.npy"
    path.write_text(ELEMENT.replace("TYPE", "f32"))
    for content in (b"", b"text"):
        other.write_bytes(content)
        assert main([str(path), "--arg", f"0={other}"]) == 2
    assert main([str(path), "--arg", "0=missing.npy"]) == 2
    assert "--arg 0=missing.npy: No such file" in capsys.readouterr().err


def test_numbers_are_the_largest_of_all_inputs():
    """The first input has sizes of 4, later ones have others, up to 12."""
    program = """
      func.func @f(%t: tensor<?xf32>) -> tensor<?xf32> {
        %x = arith.constant 1.0 : f32
        %zero = arith.constant 0 : index
        %n = tensor.dim %t, %zero : tensor<?xf32>
        %e = tensor.empty(%n) : tensor<?xf32>
        %r = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
        func.return %r : tensor<?xf32>
      }
    """
    few, many = (report(program, CheckOptions(runs=runs)) for runs in (1, 12))
    assert many.functions[0].after.peak_bytes > few.functions[0].after.peak_bytes
