"""The examples about copies: how many there are, and how many have to be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from tests.environments import PROJECT
from tests.peer.runner import parse_module
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.semantics.checking.check import (
    CheckOptions,
    check,
    parse_pipeline,
)
from xdsl_bufferization.verification.copy_bound.bound import copy_bounds

EXAMPLES = sorted((PROJECT / "examples" / "copies").glob("*.mlir"))

TOLD = re.compile(
    r"// Copies: (\d+) with one-shot-bufferize, (\d+) with bufferize; (\d+) forced\.\n"
)


def copies(module: ModuleOp) -> int:
    return sum(CopyOpInterface.of(op) is not None for op in module.walk())


def bufferized(module: ModuleOp, passes: str) -> ModuleOp:
    clone = module.clone()
    parse_pipeline(passes).apply(Context(), clone)
    clone.verify()
    return clone


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_copies_are_as_many_as_the_example_says(path: Path):
    text = path.read_text()
    told = TOLD.match(text)
    assert told is not None
    before = parse_module(text)
    simple = bufferized(before, "one-shot-bufferize{bufferize-function-boundaries}")
    after = bufferized(before, "bufferize")
    (bound,) = copy_bounds(before).values()
    forced = len(bound.copies)
    assert [*map(int, told.groups())] == [copies(simple), copies(after), forced]
    report = check(before, after, CheckOptions(runs=2))
    assert report.ok, report


def test_there_are_examples():
    assert len(EXAMPLES) > 6
