"""
The programs from JAX and ONNX that docs/jax.md makes, and the files that it keeps of them.

They are made again where the packages are installed that the page names.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from tests.documents import Command, Document
from tests.environments import PROJECT
from xdsl_bufferization.semantics.checking.check import CheckOptions, check_pipeline
from xdsl_bufferization.support.reading import context_of_all_dialects, read_module

DOCUMENT = Document(PROJECT / "docs" / "jax.md")
(INSTALLED,) = re.findall(r"^    pip install (.*)$", DOCUMENT.text, re.M)
KEPT = sorted(
    path
    for name in ("jax", "onnx")
    for path in (PROJECT / "examples" / name).glob("*.mlir")
)
CONTEXT = context_of_all_dialects()


def lacks_packages() -> str:
    """The packages that are not installed as the page says."""
    lacking: list[str] = []
    for requirement in INSTALLED.split():
        package, _, release = requirement.partition("==")
        try:
            if version(package) != release:
                lacking.append(requirement)
        except PackageNotFoundError:
            lacking.append(requirement)
    return " ".join(lacking)


def makes(command: Command) -> bool:
    """Whether the command makes a file, without this package."""
    return not re.match(r"pip|xdsl-opt|grep|bufferization-check", command.text) and (
        command.printed is None
    )


@pytest.mark.skipif(bool(lacks_packages()), reason=f"needs {lacks_packages()}")
def test_commands_of_the_page_make_the_files_that_are_kept(tmp_path: Path):
    shutil.copytree(PROJECT / "examples", tmp_path / "examples")
    for command in filter(makes, DOCUMENT.commands):
        text = re.sub(r"^python ", f"{sys.executable} ", command.text)
        subprocess.run(text, shell=True, cwd=tmp_path, check=True)
    for path in KEPT:
        assert (tmp_path / path.name).read_text() == path.read_text()


@pytest.mark.parametrize("path", KEPT, ids=[path.stem for path in KEPT])
def test_kept_programs_compute_the_same_and_all_of_them_runs(path: Path):
    options = CheckOptions(runs=2, required_coverage=100)
    pipeline = "bufferize{function-boundary-type-conversion=identity-layout-map}"
    report = check_pipeline(CONTEXT, read_module(CONTEXT, path), pipeline, options)
    assert report.ok, report
