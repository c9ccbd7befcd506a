"""New processes of Python, for tests of what a process does to itself."""

from __future__ import annotations

import os
import subprocess
import sys

XDSL_OPT = "from xdsl.tools.xdsl_opt import main; main()\n"
"""The command, as its console script calls it."""


def run_python(
    code: str, *arguments: str, text: str = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    """
    Run the code in a new process, with the text as its standard input and these variables
    added to its environment.
    """
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        input=text,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
