"""The two routes of docs/running.md run each program that it and the README show."""

import re
from pathlib import Path

import pytest

from tests.documents import Document, prepare, run
from tests.environments import PROJECT
from tests.peer import MlirTools

RUNNING = Document(PROJECT / "docs" / "running.md")
SHOWN = "scaled.mlir"
"""The program of the page."""
PROGRAMS = [
    SHOWN,
    *sorted(
        {*re.findall(r"examples/[\w/]+\.mlir", Document(PROJECT / "README.md").text)}
    ),
]


def commands(tool: str) -> list[str]:
    """The commands of the page that call the tool."""
    return [c.text for c in RUNNING.commands if re.match(rf"{tool}\b", c.text)]


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    prepare(RUNNING, tmp_path)
    return tmp_path


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_interpreter_tells_what_it_computes(program: str, directory: Path):
    (command,) = commands("bufferization-check")
    command = command.replace(SHOWN, program).partition(" | ")[0]
    # Of the other programs, all functions are called.
    command = command if program == SHOWN else command.replace("--function main", "")
    done = run(command, directory)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("result 0: ") == done.stdout.count("inputs\n")
    assert done.stdout.endswith("before and after compute the same")


@pytest.mark.parametrize("program", PROGRAMS)
def test_mlir_opt_compiles_it(program: str, directory: Path, mlir_tools: MlirTools):
    for command in (*commands("xdsl-opt"), *commands("mlir-opt")):
        done = run(command.replace(SHOWN, program), directory)
        assert done.returncode == 0, done.stdout
    ops = re.findall(r"= \"?([a-z]+)\.", (directory / "llvm.mlir").read_text())
    assert {*ops} == {"llvm"}
