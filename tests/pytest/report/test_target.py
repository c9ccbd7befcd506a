"""`xdsl-opt -t bufferization-report` as a user calls it."""

from __future__ import annotations

import json
import os
from io import StringIO
from pathlib import Path

import pytest

from tests.environments import PROJECT
from tests.terminal import run_on_terminal
from tests.xdsl_opt import forked_commands, run_xdsl_opt
from xdsl_bufferization.report.target import BufferizationReportTarget
from xdsl_bufferization.support.diagnostics import OutputError
from xdsl_bufferization.support.reading import (
    context_of_all_dialects,
    parse_module,
    read_module,
)

EXAMPLE = "examples/in_place.mlir"


@pytest.fixture(autouse=True)
def in_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT)


def report(options: str = "", *arguments: str) -> str:
    return run_xdsl_opt("-t", f"bufferization-report{options}", EXAMPLE, *arguments)


def test_json():
    read = json.loads(report("{format=json eliminate-copies=false}"))

    assert read["source"] == EXAMPLE
    _, exchange = read["functions"]
    assert exchange["kind"] == "tensors"
    assert exchange["name"] == "exchange"
    assert (exchange["in_place"], exchange["out_of_place"]) == (2, 1)
    (copy,) = exchange["copies"]
    assert copy["value"] == "%t"
    assert copy["bytes"] == 32
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
    text = run_on_terminal(
        [forked_commands() / "xdsl-opt", *arguments], {**clean, **environment}
    )
    if to_file:
        text = output.read_text()

    assert "copy of %set" in text
    assert ("\033[" in text) == colored


def test_sarif():
    log = json.loads(report("{format=sarif function=exchange eliminate-copies=false}"))

    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    results = run["results"]
    assert [rules[result["ruleIndex"]] for result in results] == [
        result["ruleId"] for result in results
    ]
    (copy,) = (result for result in results if result["level"] == "warning")
    assert copy["ruleId"] == "avoidable-copy"
    assert copy["message"]["text"].startswith("copied, 32 bytes: tensor.insert would")
    place = {
        "artifactLocation": {"uri": EXAMPLE},
        "region": {"startLine": 9, "startColumn": 32, "endColumn": 34},
    }
    assert copy["locations"] == [{"physicalLocation": place}]
    assert {
        note["physicalLocation"]["region"]["startLine"]
        for note in copy["relatedLocations"]
    } == {8, 10}


def test_a_limit_is_an_error_of_a_library_behind_the_output():
    context = context_of_all_dialects()
    module = read_module(context, Path(EXAMPLE))
    output = StringIO()
    target = BufferizationReportTarget(
        max_bytes_copied=0, function="exchange", eliminate_copies=False
    )
    with pytest.raises(OutputError, match="max-bytes-copied=0: 32 bytes are copied"):
        target.emit(context, module, output)
    assert "copy of %t" in output.getvalue()


def test_a_copy_of_unknown_size_is_a_copy():
    context = context_of_all_dialects()
    text = Path(EXAMPLE).read_text().replace("tensor<8xf32>", "tensor<?xf32>")
    module = parse_module(context, text, EXAMPLE)
    with pytest.raises(OutputError, match=": 1 copy of unknown size is copied"):
        BufferizationReportTarget(max_bytes_copied=0, function="exchange").emit(
            context, module, StringIO()
        )


def test_no_color_in_a_pipe():
    assert "\033[" not in report()
    assert "\033[" in report("{color=always}")
