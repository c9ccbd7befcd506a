"""Environments for xDSL's tests, without this package, and the package beside them."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tests.environments import PROJECT
from tests.releases.environments import cached_environment

_TOOLS = (
    *("filecheck", "lit", "psutil", "pytest", "pytest-asyncio", "pytest-xdist"),
    # What xDSL's extras `gui` and `llvm` need.
    *("llvmlite", "pyclip", "textual"),
)


def environment(release: str) -> Path:
    """The directory of an environment with that release of xDSL and what its tests need."""
    return cached_environment(f"xdsl-suite-{release}", release, _TOOLS)


def plugin(directory: Path) -> Path:
    """The new directory, from which Python imports this checkout, and discovers it."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    metadata = directory / "xdsl_bufferization-0.dist-info"
    metadata.mkdir(parents=True)
    name = f"Name: {project['name']}\nVersion: {project['version']}\n"
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\n{name}")
    lines = [
        line
        for group, entries in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{k} = {v}" for k, v in entries.items()))
    ]
    (metadata / "entry_points.txt").write_text("\n".join(lines))
    package = "xdsl_bufferization"
    (directory / package).symlink_to(PROJECT / package)
    return directory
