"""What CONTRIBUTING.md says is what happens, and where it says that things are, they are."""

import re
from pathlib import Path

import pytest

from tests.documents import Command, Document, prepare, run
from tests.environments import PROJECT

CONTRIBUTING = Document(PROJECT / "CONTRIBUTING.md")
SESSIONS = [c for c in CONTRIBUTING.commands if c.printed is not None]
NEW = {"xdsl_bufferization/models/blas.py", "tests/filecheck/models/blas/saxpy.mlir"}
"""Files that the reader is to write."""


@pytest.mark.parametrize("command", SESSIONS, ids=[c.text for c in SESSIONS])
def test_command_prints_what_is_shown(command: Command, tmp_path: Path):
    prepare(CONTRIBUTING, tmp_path)
    assert run(command.text, tmp_path).stdout == command.printed


def test_the_example_runs():
    assert [command.text for command in SESSIONS] == ["python try_saxpy.py"]


def test_a_model_takes_ten_lines():
    lines = [line for line in CONTRIBUTING.files["saxpy.py"].splitlines() if line]
    assert len(lines) <= 10


def test_commands_of_make_exist():
    makefile = (PROJECT / "Makefile").read_text()
    targets = set(re.findall(r"(?:^    |`)make ([a-z-]+)", CONTRIBUTING.text, re.M))
    assert {"test", "lint", "format", "fuzz", "bench"} <= targets
    assert {t for t in targets if not re.search(rf"^{t}:", makefile, re.M)} == set()


def test_files_and_folders_exist():
    named = set(re.findall(r"`((?:[\w.-]+/)+[\w.-]*)`", CONTRIBUTING.text))
    named |= set(CONTRIBUTING.links)
    # Folders of the package are also named alone.
    found = {
        name
        for name in named
        if (PROJECT / name).exists() or (PROJECT / "xdsl_bufferization" / name).exists()
    }
    assert named - found == NEW
