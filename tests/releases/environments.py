"""An environment for each release of xDSL, kept in `.cache`."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from packaging.requirements import Requirement

from tests.environments import PROJECT, make_environment, pip, requirements

_CACHE = PROJECT / ".cache" / "xdsl-releases"

_TESTS = (
    "filecheck",
    "hypothesis",
    "pytest",
    "pytest-timeout",
    "pytest-xdist",
    "setuptools",
)
"""What the tests of Python code need beside the package's requirements."""

_XDSL = "immutabledict", "ordered-set", "typing-extensions"
"""What xDSL needs, in every release."""


def environment(release: str) -> Path:
    """
    The directory of an environment with that release of xDSL, this checkout and what its
    tests need.

    Raises `subprocess.CalledProcessError` if pip fails.
    """
    return cached_environment(release, release, _TESTS, with_checkout=True)


def cached_environment(
    name: str, release: str, tools: Iterable[str], *, with_checkout: bool = False
) -> Path:
    """
    The directory of an environment with that release of xDSL, what this package requires,
    and the tools. It is made once, as long as `pyproject.toml` and this file stay as they
    are; all but xDSL is linked from the environment that runs this.

    Raises `subprocess.CalledProcessError` if pip fails.
    """
    directory = _CACHE / name
    made_for = directory / "made-for"
    sources = PROJECT / "pyproject.toml", Path(__file__)
    state = sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
    if made_for.exists() and made_for.read_text() == state:
        return directory
    shutil.rmtree(directory, ignore_errors=True)
    directory.parent.mkdir(parents=True, exist_ok=True)
    needed = (
        text
        for text in requirements("check", "report")
        if Requirement(text).name != "xdsl"
    )
    python = make_environment(directory, *needed, *_XDSL, *tools)
    pip("--quiet", "--python", python, "install", "--no-deps", f"xdsl=={release}")
    if with_checkout:
        options = "--no-deps", "--no-index", "--no-build-isolation"
        pip("--quiet", "--python", python, "install", *options, "--editable", PROJECT)
    made_for.write_text(state)
    return directory
