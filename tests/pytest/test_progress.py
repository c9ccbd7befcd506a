"""Progress: on a terminal, once it takes long, and nowhere else."""

import os
import subprocess
import sys

import pytest

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals")
termios = pytest.importorskip("termios")

WORK = """
from xdsl_bufferization import progress
progress.DELAY = {delay}
print([*progress.with_progress(range(20), 20, "the work")] == [*range(20)])
"""


def on_a_terminal(delay: float) -> str:
    """What the work writes, both streams together."""
    master, terminal = pty.openpty()
    # A terminal without columns has no room for a bar.
    termios.tcsetwinsize(master, (24, 80))
    with subprocess.Popen(
        [sys.executable, "-c", WORK.format(delay=delay)],
        stdout=terminal,
        stderr=terminal,
    ) as process:
        os.close(terminal)
        written = b""
        try:
            while more := os.read(master, 1024):
                written += more
        except OSError:
            # Linux says so at the end.
            pass
    os.close(master)
    assert process.returncode == 0
    return written.decode()


def test_long_work_on_a_terminal_has_a_bar():
    written = on_a_terminal(delay=0)

    assert "the work" in written
    assert "/20" in written
    assert "True" in written


def test_short_work_has_none():
    assert on_a_terminal(delay=100).strip() == "True"


def test_without_a_terminal_there_is_none():
    run = subprocess.run(
        [sys.executable, "-c", WORK.format(delay=0)],
        capture_output=True,
        text=True,
        check=True,
    )

    assert run.stdout.strip() == "True"
    assert run.stderr == ""
