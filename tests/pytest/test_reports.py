"""Reported programs are as expected, and those that are not are told (`tests/reports`)."""

import runpy
import sys

import pytest

from tests.environments import PROJECT
from tests.reports import ReportedProgram, reported_programs

FILE = PROJECT / "tests" / "reports" / "programs.mlir"

PROGRAM = """
// id: inserted
// command: {command}
// expect: {expected}
func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {{
  %u = tensor.insert %x into %t[%i] : tensor<4xf32>
  %m = memref.alloc() : memref<4xf32>
  func.return %u : tensor<4xf32>
}}
"""


@pytest.mark.parametrize("program", [*reported_programs(FILE.read_text())], ids=str)
def test_programs_are_as_expected(program: ReportedProgram):
    assert [*program.failures()] == []


@pytest.mark.parametrize(
    "command, expected, failure",
    [
        ("bufferize", "allocs=9 copies<=4", "allocs=9: there are 1"),
        ("bufferize", "accepts output~%u, %m", "output~%u, %m: builtin.module"),
        ("bufferize", "output!~memref<4xf32> copies<=4", "output!~memref<4xf32>: "),
        ("bufferize", "error~is not", "is not refused"),
        ("bufferize{arena=none}", "accepts", "is refused: error: bufferize: 'none'"),
        ("bufferize{arena=none}", "error!~a value error~", "error!~a value: error: "),
        (
            "one-shot-bufferize,buffer-deallocation-pipeline",
            "check",
            "check: @f: leak: 1 buffer of 16 bytes",
        ),
    ],
)
def test_what_is_not_as_expected_is_told(command: str, expected: str, failure: str):
    (program,) = reported_programs(PROGRAM.format(command=command, expected=expected))
    (found,) = program.failures()
    assert found.startswith(failure)


def test_the_command_fails_where_a_program_is_not_as_expected(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(sys, "argv", ["tests.reports", str(FILE)])
    with pytest.raises(SystemExit, match="0"):
        runpy.run_module("tests.reports", run_name="__main__")
    assert capsys.readouterr().out.endswith(": 3 programs, 0 not as expected\n")


@pytest.mark.parametrize("line", ["copies", "copies=", "accepts all", "leaks=0", ""])
def test_other_expectations_are_errors(line: str):
    with pytest.raises(ValueError, match="expect"):
        list(reported_programs(PROGRAM.format(command="bufferize", expected=line)))
