"""Running commands on a terminal, as far as they can tell."""

from __future__ import annotations

import os
import pty
import subprocess
import termios
from collections.abc import Mapping, Sequence
from pathlib import Path


def run_on_terminal(
    arguments: Sequence[str | Path], environment: Mapping[str, str] | None = None
) -> str:
    """
    What the command writes on a terminal of 80 columns, both streams together.

    Raises `subprocess.CalledProcessError` if it fails.
    """
    master, terminal = pty.openpty()
    # Without columns there is no room for a bar.
    termios.tcsetwinsize(master, (24, 80))
    with subprocess.Popen(
        arguments, stdout=terminal, stderr=terminal, env=environment
    ) as process:
        os.close(terminal)
        written = b""
        try:
            while more := os.read(master, 4096):
                written += more
        except OSError:
            # Linux says so at the end.
            pass
    os.close(master)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, arguments, written)
    return written.decode()
