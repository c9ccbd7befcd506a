"""`xdsl-opt -t bufferization-report` as a user calls it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.environments import PROJECT
from tests.terminal import run_on_terminal
from tests.xdsl_opt import run_xdsl_opt

EXAMPLE = "examples/in_place.mlir"
XDSL_OPT = Path(sys.executable).with_name("xdsl-opt")


@pytest.fixture(autouse=True)
def in_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT)


def report(options: str = "", *arguments: str) -> str:
    return run_xdsl_opt("-t", f"bufferization-report{options}", EXAMPLE, *arguments)


def test_json():
    read = json.loads(report("{format=json}"))

    assert read["source"] == EXAMPLE
    _, exchange = read["functions"]
    assert exchange["kind"] == "tensors"
    assert exchange["name"] == "exchange"
    assert (exchange["in_place"], exchange["out_of_place"]) == (2, 1)
    (copy,) = exchange["copies"]
    assert copy["value"] == "%t"
    assert copy["size"] == 32
    assert (copy["place"]["line"], copy["place"]["column"]) == (9, 32)
    assert "tensor.extract (line 10) still reads it" in copy["reason"]


def test_json_of_memrefs():
    read = json.loads(report("{format=json}", "-p", "bufferize"))

    assert read["source"] == ""
    assert [function["kind"] for function in read["functions"]] == ["memrefs"] * 2


def test_one_function():
    assert "@exchange" not in report("{function=set}")
    assert "@set" not in report("{function=exchange}")


def test_options_of_the_pass():
    assert "ask for a copy" in report("{function=set copy-before-write}")
    assert "ask for a copy" not in report("{function=set}")


def test_the_program_is_that_of_the_file_until_passes_change_it():
    assert f"{EXAMPLE}:8:1" in report()
    assert "as xdsl-opt prints it" in report("", "-p", "bufferize")


@pytest.mark.parametrize(
    "options, environment, to_file, colored",
    [
        ("", {}, False, True),
        ("", {"NO_COLOR": "1"}, False, False),
        ("", {}, True, False),
        ("{color=never}", {}, False, False),
        ("{color=always}", {"NO_COLOR": "1"}, True, True),
    ],
)
def test_color_on_a_terminal(
    options: str,
    environment: dict[str, str],
    to_file: bool,
    colored: bool,
    tmp_path: Path,
):
    output = tmp_path / "report.txt"
    arguments = ["-t", f"bufferization-report{options}", EXAMPLE]
    if to_file:
        arguments += ["-o", str(output)]
    clean = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    text = run_on_terminal([XDSL_OPT, *arguments], {**clean, **environment})
    if to_file:
        text = output.read_text()

    assert "copy of %t" in text
    assert ("\033[" in text) == colored


def test_no_color_in_a_pipe():
    assert "\033[" not in report()
    assert "\033[" in report("{color=always}")
