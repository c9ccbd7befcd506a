"""The command `xdsl-opt` whose output is not read to the end."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.environments import PROJECT

COMMAND = sys.executable, "-m", "xdsl.tools.xdsl_opt"
PROGRAM = str(PROJECT / "examples" / "filter.mlir")


@pytest.mark.parametrize(
    "arguments",
    [
        ("-p", "bufferize{help}"),
        ("-p", "bufferize", PROGRAM),
        ("-t", "bufferization-report", PROGRAM),
    ],
)
def test_a_reader_that_stops_ends_the_command_without_a_message(
    arguments: tuple[str, ...],
):
    with subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        command.stdout.close()
        assert command.stderr.read() == b""
    assert command.returncode == 1
