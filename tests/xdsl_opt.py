"""Calling the `xdsl-opt` of this environment, as a fork of a process that imported it."""

import subprocess
from functools import cache
from pathlib import Path

from tests import forkserver

BUFFERIZE = (
    "one-shot-bufferize{bufferize-function-boundaries=true "
    "function-boundary-type-conversion=identity-layout-map}"
)
"""The pass as a program's author uses it who wants plain memrefs at the boundary."""


@cache
def forked_commands() -> Path:
    """The directory of the commands of the fork server of this process."""
    return forkserver.start()


def run_xdsl_opt(*arguments: str | Path, text: str | None = None) -> str:
    """
    What `xdsl-opt` prints, given `text` on its standard input.

    Raises `AssertionError` with what it said if it fails.
    """
    run = subprocess.run(
        [forked_commands() / "xdsl-opt", *arguments],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout
