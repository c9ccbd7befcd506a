"""Progress: on a terminal, once it takes long, and nowhere else."""

import subprocess
import sys

from tests.terminal import run_on_terminal

WORK = """
from xdsl_bufferization.host import commands
commands.DELAY = {delay}
print([*commands.with_progress(range(20), 20, "the work")] == [*range(20)])
"""


def on_a_terminal(delay: float) -> str:
    return run_on_terminal([sys.executable, "-c", WORK.format(delay=delay)])


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
