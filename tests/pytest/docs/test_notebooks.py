"""The notebook computes what it says, whichever way its switch is."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from tests.environments import PROJECT

NOTEBOOK = PROJECT / "docs" / "notebooks" / "bufferization.py"


def run(**definitions: object) -> Mapping[str, Any]:
    """The notebook's variables after a run, in which these are what they are set to."""
    pytest.importorskip("marimo", reason="needs marimo, as xdsl-bufferization[dev] has")
    app = runpy.run_path(str(NOTEBOOK))["app"]
    _, variables = app.run(defs=definitions)
    return variables


def assert_same_numbers(variables: Mapping[str, Any]) -> None:
    import numpy as np

    assert {*variables["numbers"]} == {"tensors", "one-shot-bufferize", "bufferize"}
    for numbers in variables["numbers"].values():
        np.testing.assert_allclose(numbers, variables["expected"], rtol=1e-5)


def decisions(variables: Mapping[str, Any], op: str) -> str:
    (found,) = (
        row["operands"] for row in variables["in_place"] if row["operation"] == op
    )
    return found


@pytest.mark.slow
def test_as_it_is_opened():
    variables = run()

    assert "copies: 0" in variables["decisions"]
    # Lines refer to the program that is shown, with numbers, above.
    lines = str(variables["tensors"]).split("\n")
    (line,) = re.findall(r"^@step, line (\d+)$", variables["decisions"], re.M)
    assert "func.func @step" in lines[int(line) - 1]
    shown = variables["show"](variables["tensors"]).text
    assert f"{line} |   func.func @step" in shown
    assert decisions(variables, "tensor.insert_slice") == "in place, in place"
    assert_same_numbers(variables)
    one_shot, freed = (
        variables["runs"][name].statistics
        for name in ("one-shot-bufferize", "bufferize")
    )
    assert (one_shot.copies, freed.copies) == (1, 0)
    assert one_shot.leaked_bytes > freed.leaked_bytes == 0
    # What the report says in advance is what happens.
    assert f"  peak: {freed.peak_bytes:,} bytes" in variables["live_ranges"]


def test_reading_the_old_cache_makes_a_copy_unless_that_is_eliminated():
    variables = run(
        read_old=SimpleNamespace(value=True), first_row=SimpleNamespace(value=4)
    )

    assert "copies: 0" in variables["decisions"]
    assert decisions(variables, "tensor.insert_slice") == "in place, copied"
    assert_same_numbers(variables)
    assert variables["runs"]["one-shot-bufferize"].statistics.copies == 2
    assert variables["runs"]["bufferize"].statistics.copies == 0
    assert variables["runs"]["bufferize"].statistics.leaked_bytes == 0


def test_notebook_is_well_formed():
    pytest.importorskip("marimo", reason="needs marimo, as xdsl-bufferization[dev] has")
    check = subprocess.run(
        [sys.executable, "-m", "marimo", "check", "--strict", NOTEBOOK],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (check.returncode, check.stdout) == (0, ""), check.stderr
