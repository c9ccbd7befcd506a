"""
Runs tests with older releases of xDSL: those of the IR, and with the oldest one those of the Python
code that call the passes. The rest is about the peer, packaging and documents, or takes long.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from tests.environments import PROJECT
from tests.releases.environments import environment

RELEASES = "0.62.0", "0.66.0", "0.70.0", "0.75.0"
"""
The oldest and the newest that are tested, and two in between. The release that is installed is
left out: `make test` runs the same tests with it.
"""

PYTHON_TESTS = (
    "dialects",
    "former",
    "interfaces",
    "models",
    "one_shot",
    "support",
    "transforms",
)
"""The folders of `tests/pytest` that are run."""


def main() -> int:
    failed = [
        release
        for release in RELEASES
        if release != version("xdsl") and not _passes(release, environment(release))
    ]
    for release in failed:
        print(f"tests fail with xDSL {release}")
    return 1 if failed else 0


def _passes(release: str, directory: Path) -> bool:
    print(f"xDSL {release}", flush=True)
    lit = "lit", "-q", "--timeout=600", f"--param=xdsl={directory}", "tests/filecheck"
    passed = subprocess.run(lit, cwd=PROJECT, check=False).returncode == 0
    if release != RELEASES[0]:
        return passed
    folders = (f"tests/pytest/{folder}" for folder in PYTHON_TESTS)
    pytest = "-q", "--numprocesses=auto", "--dist=worksteal", "-m", "not slow", *folders
    bin = directory / "bin"
    path = os.pathsep.join((str(bin), os.environ["PATH"]))
    run = subprocess.run(
        (bin / "python", "-m", "pytest", *pytest),
        cwd=PROJECT,
        env={**os.environ, "PATH": path},
        check=False,
    )
    return passed and run.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
