"""Environments as `pip install` leaves them, made without a network."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
"""The checkout that is tested."""


def make_environment(directory: Path, *distributions: str) -> Path:
    """
    The Python interpreter of a new virtual environment in `directory`, which holds
    `distributions` and what they need, linked from the environment that runs this.

    Raises `importlib.metadata.PackageNotFoundError` if one of them is not installed.
    """
    venv.create(directory, symlinks=True)
    (site_packages,) = directory.glob("lib/python*/site-packages")
    for installed in _with_requirements(distributions):
        files = installed.files or ()
        for name in {file.parts[0] for file in files} - {"..", "__pycache__"}:
            link = site_packages / name
            if not link.exists():
                link.symlink_to(Path(str(installed.locate_file(name))))
    return directory / "bin" / "python"


def install(python: Path, package: Path) -> None:
    """
    Install `package`, a wheel or a source tree, into the environment of `python` as it
    is, without what it requires.

    Raises `subprocess.CalledProcessError` if pip fails.
    """
    (site_packages,) = python.parents[1].glob("lib/python*/site-packages")
    pip(
        "install",
        "--no-deps",
        "--no-build-isolation",
        "--target",
        site_packages,
        package,
    )


def pip(*arguments: str | Path) -> None:
    """Run the pip of this environment, quietly; it asks no package index."""
    subprocess.run(
        [sys.executable, "-m", "pip", *arguments, "--no-index", "--quiet"], check=True
    )


def copy_sources(directory: Path) -> Path:
    """
    A copy of what the package is built from in the new `directory`, so that building
    leaves nothing in the checkout.
    """
    directory.mkdir()
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(PROJECT / file, directory)
    shutil.copytree(
        PROJECT / "xdsl_bufferization",
        directory / "xdsl_bufferization",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    return directory


def _with_requirements(names: tuple[str, ...]) -> Iterator[Distribution]:
    """The distributions, and those that they require without any extra, each once."""
    waiting = list(names)
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        found = distribution(name)
        yield found
        for requirement in found.requires or ():
            if ";" not in requirement:
                match = re.match(r"[\w.-]+", requirement)
                assert match is not None
                waiting.append(match[0])
