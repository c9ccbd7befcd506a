"""Environments as `pip install` leaves them, made without a network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

PROJECT = Path(__file__).resolve().parents[1]
"""The checkout that is tested."""


def requirements(*extras: str) -> Sequence[str]:
    """What the package needs, and what its extras of these names need, too."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    optional = project["optional-dependencies"]
    return [*project["dependencies"], *(r for extra in extras for r in optional[extra])]


def make_environment(
    directory: Path, *requirements: str, interpreter: str | Path = sys.executable
) -> Path:
    """
    The Python of a new virtual environment of `interpreter` in `directory`, which holds
    what is required, and what that needs, linked from the environment that runs this. What
    is not written in Python alone does not work with an interpreter of another version.

    Raises `importlib.metadata.PackageNotFoundError` if one of them is not installed.
    """
    subprocess.run(
        [interpreter, "-m", "venv", "--without-pip", "--symlinks", directory],
        check=True,
    )
    (site_packages,) = directory.glob("lib/python*/site-packages")
    python = directory / "bin" / "python"
    for installed in _with_requirements(requirements):
        files = installed.files or ()
        for name in {file.parts[0] for file in files} - {"..", "__pycache__"}:
            link = site_packages / name
            if not link.exists():
                link.symlink_to(Path(str(installed.locate_file(name))))
        for script in installed.entry_points.select(group="console_scripts"):
            path = python.with_name(script.name)
            path.write_text(
                f"#!{python}\nimport sys\nfrom {script.module} import {script.attr}\n"
                f"sys.exit({script.attr}())\n"
            )
            path.chmod(0o755)
    return python


def install(python: Path, package: Path) -> None:
    """
    Install `package`, a wheel or a source tree, into the environment of `python` as it
    is, without what it requires.

    Raises `subprocess.CalledProcessError` if pip fails.
    """
    with tempfile.TemporaryDirectory() as directory:
        wheel = package
        if package.suffix != ".whl":
            wheel = build_wheel(package, Path(directory))
        pip("--python", python, "install", "--no-deps", "--no-index", wheel)


def build_wheel(package: Path, directory: Path) -> Path:
    """
    The wheel of `package`, a source tree or a source distribution, built in `directory`.

    Raises `subprocess.CalledProcessError` if pip fails.
    """
    options = "--no-deps", "--no-build-isolation", "--no-index"
    pip("wheel", *options, "--wheel-dir", directory, package)
    (wheel,) = directory.glob("*.whl")
    return wheel


def pip(*arguments: str | Path) -> None:
    """Run the pip of this environment, quietly."""
    # What is on this path, pip takes for installed.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    subprocess.run(
        [sys.executable, "-m", "pip", "--quiet", *arguments],
        env=environment,
        check=True,
    )


def copy_sources(directory: Path) -> Path:
    """
    A copy of what the package is built from in the new `directory`, so that building
    leaves nothing in the checkout.
    """
    directory.mkdir()
    for file in (
        "CHANGELOG.md",
        "LICENSE",
        "MANIFEST.in",
        "README.md",
        "pyproject.toml",
    ):
        shutil.copy(PROJECT / file, directory)
    shutil.copytree(
        PROJECT / "xdsl_bufferization",
        directory / "xdsl_bufferization",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    return directory


def _with_requirements(texts: Sequence[str]) -> Iterator[Distribution]:
    """The distributions that are required, and those that they require, each once."""
    waiting = [Requirement(text) for text in texts]
    seen: set[tuple[str, str]] = set()
    while waiting:
        wanted = waiting.pop()
        for extra in ("", *wanted.extras):
            if (wanted.name, extra) in seen:
                continue
            seen.add((wanted.name, extra))
            found = distribution(wanted.name)
            if not extra:
                yield found
            for needed in map(Requirement, found.requires or ()):
                if needed.marker is None or needed.marker.evaluate({"extra": extra}):
                    waiting.append(needed)
