"""That a fork of the server does what a process of its own would do."""

import os
import select
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.xdsl_opt import BUFFERIZE, forked_commands

BIN = Path(sys.executable).parent

PROGRAM = """
func.func @f(%t: tensor<2xf32>) -> tensor<2xf32> {
  func.return %t : tensor<2xf32>
}
"""


def run(
    directory: Path,
    name: str,
    *arguments: str,
    text: str = "",
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> tuple[int, str, str]:
    done = subprocess.run(
        [directory / name, *arguments],
        input=text,
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("name", ["bufferization-check", "filecheck", "xdsl-opt"])
def test_commands_tell_their_names(name: str):
    status, printed, said = run(forked_commands(), name, "--help")

    assert (status, said) == (0, "")
    assert name in printed.lower()


@pytest.mark.parametrize(
    "status, arguments",
    [
        pytest.param(0, ["-p", BUFFERIZE], id="success"),
        pytest.param(1, ["-p", "one-shot-bufferize{no-such-option}"], id="message"),
        pytest.param(1, ["-p", "no-such-pass"], id="traceback"),
        pytest.param(2, ["--no-such-option"], id="usage"),
    ],
)
def test_it_ends_and_prints_as_the_real_command(status: int, arguments: Sequence[str]):
    forked = run(forked_commands(), "xdsl-opt", *arguments, text=PROGRAM)

    assert forked[0] == status
    assert last_line(forked) == last_line(
        run(BIN, "xdsl-opt", *arguments, text=PROGRAM)
    )


def last_line(ended: tuple[int, str, str]) -> tuple[int, str, str]:
    """The same without what is above the last line of a traceback, which shows files."""
    status, printed, said = ended
    return status, printed, said.rpartition("Traceback")[2].strip().rpartition("\n")[2]


def test_files_are_those_of_the_directory_of_the_call(tmp_path: Path):
    (tmp_path / "program.mlir").write_text(PROGRAM)

    status, printed, _ = run(
        forked_commands(), "xdsl-opt", "program.mlir", "-o", "out.mlir", cwd=tmp_path
    )

    assert (status, printed) == (0, "")
    assert "@f" in (tmp_path / "out.mlir").read_text()


def test_bytes_that_are_no_text_reach_the_command():
    status, _, said = run(forked_commands(), "filecheck", os.fsdecode(b"\xff.mlir"))

    assert status != 0
    assert "xff" in said or "udcff" in said


@pytest.mark.parametrize("directory", [BIN, None], ids=["process", "fork"])
def test_nobody_reads_what_it_prints(directory: Path | None):
    reader, writer = os.pipe()
    os.close(reader)

    done = subprocess.run(
        [(directory or forked_commands()) / "xdsl-opt"],
        input=PROGRAM,
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )

    os.close(writer)
    assert done.returncode == (1 if "PYTHONUNBUFFERED" in os.environ else 120)
    assert "BrokenPipeError" in done.stderr


def test_a_call_finds_nothing_of_those_before_it():
    # xDSL reads the hexadecimal number wrong unless its classes are repaired, and remembers the
    # name of the resource.
    program = """
    %n = arith.constant dense<0xFF80> : vector<2xbf16>
    %r = arith.constant dense_resource<blob> : tensor<2xi32>
    """
    calls = [(), ("-p", BUFFERIZE)] * 2

    outcomes = [
        run(forked_commands(), "xdsl-opt", *arguments, text=program)
        for arguments in calls
    ]

    assert outcomes[:2] == outcomes[2:]
    assert [
        ("6.553600e+04" in printed, "<blob>" in printed)
        for _, printed, _ in outcomes[:2]
    ] == [(True, True), (False, True)]


def test_what_python_reads_when_it_starts_is_heeded(tmp_path: Path):
    (tmp_path / "sitecustomize.py").write_text("print('started')")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}

    assert run(forked_commands(), "xdsl-opt", "--version", env=environment)[
        1
    ].startswith("started\n")


def test_a_call_that_is_killed_leaves_nothing_running():
    with subprocess.Popen(
        [forked_commands() / "xdsl-opt"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as call:
        assert call.stdin is not None
        assert call.stdout is not None
        # More than fits into a pipe: when this is written, most of it is read.
        call.stdin.write(b"// a comment\n" * 100_000)

        call.kill()

        # Its input is still open, so it has not ended by itself.
        assert select.select([call.stdout], [], [], 30)[0]
        assert call.stdout.read() == b""
