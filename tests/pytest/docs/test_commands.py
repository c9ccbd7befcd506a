"""Every command of the documentation does what the text says."""

import ast
import re
import shutil
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.documents import (
    RUN_ELSEWHERE,
    Command,
    Document,
    File,
    documents,
    prepare,
    run,
)
from tests.environments import PROJECT
from tests.peer import NEEDED_CLANG, find_mlir_tools, why_no_mlir_tools

PROGRAMS = {
    "./call",
    "./filter",
    "bufferization-check",
    "cat",
    "clang",
    "env",
    "grep",
    "iree-import-onnx",
    "iree-opt",
    "make",
    "mlir-opt",
    "mlir-runner",
    "mlir-translate",
    "onnxsim",
    "pip",
    "python",
    "sed",
    "xdsl-opt",
}
"""What commands begin with: a line that begins otherwise is taken for no command."""

DOCUMENTS = documents()


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_commands(document: Document, tmp_path: Path, subtests: pytest.Subtests):
    prepare(document, tmp_path)
    missing = dict(missing_programs())
    for step in document.steps:
        if isinstance(step, File):
            step.write(tmp_path)
            missing.pop(step.name, None)
        elif step.text not in RUN_ELSEWHERE:
            with subtests.test(line=step.line):
                skip_without_inputs(step, missing)
                check(step, tmp_path)


def missing_programs() -> Iterator[tuple[str, str]]:
    """Programs that commands need and that are not installed, each with what it needs."""
    tools = find_mlir_tools()
    if not tools:
        for tool in ("mlir-opt", "mlir-runner", "mlir-translate"):
            yield tool, why_no_mlir_tools()
    if not tools or tools.clang is None:
        # What it would have made is missing, too.
        for program in ("clang", "./filter"):
            yield program, f"needs {NEEDED_CLANG}"
    for tool in ("iree-import-onnx", "iree-opt"):
        if shutil.which(tool) is None:
            yield tool, "needs iree-base-compiler"
    for package in ("jax", "onnx"):
        if find_spec(package) is None:
            for program in (PROJECT / "examples" / package).glob("*.py"):
                yield program.relative_to(PROJECT).as_posix(), f"needs {package}"


def skip_without_inputs(command: Command, missing: dict[str, str]) -> None:
    """
    Skip the command if it needs something of `missing`: a program, or a file that a skipped
    command would have written. Its own outputs are missing then, and are there otherwise.
    """
    reasons = [missing[word] for word in command.inputs if word in missing]
    for output in command.outputs:
        missing.pop(output, None)
    if reasons:
        missing.update(dict.fromkeys(command.outputs, reasons[0]))
        pytest.skip(reasons[0])


def check(command: Command, directory: Path) -> None:
    """The command prints what is shown, or, if nothing is shown, does not fail."""
    done = run(command.text, directory)
    if command.printed is not None:
        assert done.stdout == command.printed
    if not command.printed:
        assert done.returncode == 0, done.stdout


def test_what_is_run_elsewhere_is_a_command_and_is_run_there():
    commands = {command.text for document in DOCUMENTS for command in document.commands}
    assert RUN_ELSEWHERE.keys() <= commands
    assert all((PROJECT / place).exists() for place in RUN_ELSEWHERE.values())


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_commands_are_where_they_are_looked_for(document: Document):
    """
    Commands are in `console` blocks or indented; code in another language says which.
    """
    shells = {"", "bash", "sh", "shell", "shell-session", "zsh"}
    assert [block for block in document.languages if block[1] in shells] == []
    for command in document.commands:
        program = re.split(r"\s", command.text)[0]
        assert program in PROGRAMS, (
            f"{document}:{command.line}: no command, or a new one"
        )
        # Also of commands that are skipped, as their programs are not installed.
        assert "Traceback" not in (command.printed or "")


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_no_command_fails_by_mistake(document: Document):
    """Also of commands that are skipped here, since something is not installed."""
    for command in document.commands:
        assert "Traceback" not in (command.printed or ""), f"{document}:{command.line}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_python_is_python_and_imports_what_there_is(document: Document):
    for block in document.blocks("python"):
        for statement in ast.parse(block).body:
            match statement:
                case ast.ImportFrom(level=0, module=str(module), names=names):
                    imported = import_module(module)
                    assert all(
                        hasattr(imported, alias.name)
                        # A module that nothing has imported yet.
                        or find_spec(f"{module}.{alias.name}")
                        for alias in names
                    )
                case _:
                    pass


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_links_lead_to_files(document: Document):
    targets = [(document.path.parent / link).resolve() for link in document.links]
    assert [target for target in targets if not target.exists()] == []
    if document.path.is_relative_to(PROJECT / "docs"):
        # Other files are not on the site.
        assert all(target.is_relative_to(PROJECT / "docs") for target in targets)
