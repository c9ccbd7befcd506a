"""
Programs that JAX makes compute the same behind `bufferize`, and copy and need no more than noted.

The programs in `tests/jax` are of kinds that such programs often are: scans, stencils, solvers,
training steps, decode steps, and blocks of networks. Each says in its first lines what it copies
when it runs, and the peak of its heap; and what XLA's optimised program does on a CPU.
"""

from __future__ import annotations

import re
from operator import attrgetter
from pathlib import Path

import pytest

from tests.environments import PROJECT
from tests.slow import one_in
from xdsl_bufferization.semantics.checking.check import CheckOptions, check_pipeline
from xdsl_bufferization.support.reading import context_of_all_dialects, read_module

PROGRAMS = sorted((PROJECT / "tests" / "jax").glob("*.mlir"))
PIPELINE = "bufferize{function-boundary-type-conversion=identity-layout-map}"
LIMITS = re.compile(
    r"^// bufferize: ([\d,]+) copies, ([\d,]+) bytes copied, peak ([\d,]+) bytes$",
    re.MULTILINE,
)


@pytest.mark.parametrize("program", one_in(9, PROGRAMS), ids=attrgetter("stem"))
def test_a_program_computes_the_same_within_its_limits(program: Path):
    found = LIMITS.search(program.read_text())
    assert found is not None
    limits = [int(number.replace(",", "")) for number in found.groups()]
    context = context_of_all_dialects()

    report = check_pipeline(
        context,
        read_module(context, program),
        PIPELINE,
        CheckOptions(runs=1, searches=0),
    )

    assert report.problem is None, report
    (function,) = report.functions
    assert function.runs == 1
    after = function.after
    reached = after.copies, after.copied_bytes, after.peak_bytes
    assert all(n <= limit for n, limit in zip(reached, limits, strict=True)), reached
