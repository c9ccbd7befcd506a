"""Calling the `xdsl-opt` of this environment as a user does."""

import subprocess
import sys
from pathlib import Path

BUFFERIZE = (
    "one-shot-bufferize{bufferize-function-boundaries=true "
    "function-boundary-type-conversion=identity-layout-map}"
)
"""The pass as a program's author uses it who wants plain memrefs at the boundary."""


def run_xdsl_opt(*arguments: str | Path, text: str | None = None) -> str:
    """
    What `xdsl-opt` prints, given `text` on its standard input.

    Raises `AssertionError` with what it said if it fails.
    """
    run = subprocess.run(
        [Path(sys.executable).with_name("xdsl-opt"), *arguments],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout
