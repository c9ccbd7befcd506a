"""
The programs of the FileCheck tests, and what must hold of each, whatever its own test asks: it is
refused with a diagnosis, or it computes the same afterwards, and what it leaks is remarked upon.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from contextlib import redirect_stderr
from dataclasses import dataclass
from functools import cache
from io import StringIO
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import (
    DiagnosticException,
    ParseError,
    VerifyException,
)

from tests.fuzzing.trials import is_remarked
from tests.users import check_users
from xdsl_bufferization.report.html import to_html
from xdsl_bufferization.report.report import report_on
from xdsl_bufferization.report.target import to_remarks, to_sarif
from xdsl_bufferization.report.text import to_json, to_text
from xdsl_bufferization.semantics.checking.check import (
    CheckOptions,
    InputError,
    NothingToCheckError,
    check,
    parse_pipeline,
)
from xdsl_bufferization.semantics.checking.report import ProblemKind
from xdsl_bufferization.support.donation import keep_arguments
from xdsl_bufferization.support.failures import verified_module
from xdsl_bufferization.support.reading import context_of_all_dialects, parse_module

PROGRAMS = Path(__file__).parents[1] / "filecheck"

PIPELINES = (
    "bufferize",
    "bufferize{function-boundary-type-conversion=identity-layout-map}",
    "bufferize{arena}",
    "bufferize{arena=static}",
    "bufferize{arguments=read-only}",
    "bufferize{copy-before-write}",
    "split-at-peak,bufferize",
)
"""What each program is bufferized by."""

REPORT = "bufferization-report"

TRIALS = (*PIPELINES, REPORT)
"""What is tried on each program; the report in all formats."""

CANNOT_RUN = (ProblemKind.MISSING, ProblemKind.NO_INPUT)
"""Problems of the program before: it has no semantics, or no meaning on the inputs tried."""

OPTIONS = CheckOptions(runs=1, searches=0, max_steps=5_000, leaks=True)
"""Each function is run on one input: there are many. Some loop for ever."""


@dataclass(frozen=True)
class Program:
    """A part of a file, as `// -----` splits it, or all of it."""

    path: str
    number: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.number}" if self.number else self.path


FILES = sorted(
    str(path.relative_to(PROGRAMS))
    for path in PROGRAMS.rglob("*.mlir")
    if "Output" not in path.parts  # what lit leaves behind
)


def programs_in(file: str) -> Iterator[Program]:
    """The programs of one of `FILES`, in their order."""
    parts = re.split(r"^// -----.*\n", (PROGRAMS / file).read_text(), flags=re.M)
    for number, text in enumerate(parts):
        if text.strip():
            yield Program(file, number, text)


@cache
def _context() -> Context:
    return context_of_all_dialects(allow_unregistered=True)


def read(program: Program) -> ModuleOp | None:
    """The program; `None` if it is not valid, as some are on purpose."""
    try:
        # Some of xDSL's verifiers raise no more than an Exception.
        module = verified_module(
            "read", parse_module(_context(), program.text, str(program))
        )
    except (DiagnosticException, ParseError, VerifyException):
        return None
    return module


def wrong(module: ModuleOp, trial: str) -> str | None:
    """What does not hold after one of `TRIALS`, if anything."""
    try:
        with redirect_stderr(StringIO()) as remarks:
            if trial == REPORT:
                _report(module)
                return None
            return _wrong_after(module, trial, remarks)
    except (DiagnosticException, VerifyException, InputError, NothingToCheckError):
        return (
            None  # It is refused, xDSL finds it invalid, or nothing in it can be run.
        )
    except Exception:  # whatever is wrong with what is tested
        return traceback.format_exc()


def _report(module: ModuleOp) -> None:
    # Reasons that speak of lines in files are those of remarks and SARIF.
    report = report_on(_context(), module, in_files=True)
    for written in (to_text(report), to_json(report), to_html(report)):
        assert written
    to_remarks(report)
    assert to_sarif(report)


def _wrong_after(module: ModuleOp, pipeline: str, remarks: StringIO) -> str | None:
    after, passes = module.clone(), parse_pipeline(pipeline)
    try:
        passes.apply(_context(), after)
    finally:
        check_users(after)
    try:
        after.verify()
    except VerifyException as error:
        return f"invalid: {error}"
    if "read-only" in pipeline:
        module = module.clone()
        keep_arguments(module)
    problem = check(module, after, OPTIONS).problem
    if (
        problem is None
        or problem.kind in CANNOT_RUN
        or is_remarked(problem, remarks.getvalue())
    ):
        return None
    return str(problem)
