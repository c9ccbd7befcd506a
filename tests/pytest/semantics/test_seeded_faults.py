"""
Wrong bufferizations, made by hand: each is found, and the message names the op to blame.

Each file in `faults` holds the program before and the one after. Its comments say which
kind of problem is to be reported, a part of the message, and by `culprit` which line is to
be named.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from xdsl.dialects.builtin import FileLineColLoc, ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.semantics.checking.check import CheckOptions, check
from xdsl_bufferization.support.reading import context_of_all_dialects, read_module

FAULTS = sorted(Path(__file__).with_name("faults").glob("*.mlir"))


@pytest.mark.parametrize("path", FAULTS, ids=lambda path: path.stem)
def test_fault_is_found(path: Path):
    text = path.read_text()
    leaks = _expectation(text, "leaks")
    options = CheckOptions(leaks=None if leaks is None else leaks == "error")

    report = check(*_before_and_after(path), options)

    problem = report.problem
    assert problem is not None, report
    assert problem.kind == _expectation(text, "kind"), problem
    message = _expectation(text, "message")
    assert message is not None
    assert message in problem.message, problem
    culprits = [
        number
        for number, line in enumerate(text.splitlines(), 1)
        if line.endswith("// culprit")
    ]
    named = {_line(problem.op), *(_line(op) for _, op in problem.related)}
    assert named.issuperset(culprits), problem
    assert all(f"{path}:{number}:" in str(problem) for number in culprits)


@pytest.mark.parametrize("path", FAULTS, ids=lambda path: path.stem)
def test_program_before_is_right(path: Path):
    before, _ = _before_and_after(path)

    report = check(before, before, CheckOptions(leaks=True))

    assert report.ok, report


def _expectation(text: str, key: str) -> str | None:
    match = re.search(rf"^// {key}: (.*)$", text, flags=re.M)
    return None if match is None else match[1]


def _before_and_after(path: Path) -> tuple[ModuleOp, ModuleOp]:
    before, after = read_module(context_of_all_dialects(), path).ops
    assert isinstance(before, ModuleOp)
    assert isinstance(after, ModuleOp)
    return before, after


def _line(op: Operation | None) -> int | None:
    if op is None or not isinstance(op.location, FileLineColLoc):
        return None
    return op.location.line.data
