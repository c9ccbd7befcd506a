"""
The commands of this environment without their start-up, for tests that call many.

Most of what a call of `xdsl-opt` on a small program takes is Python's start and imports. A
fork server imports what the commands import once; forks of it answer the calls, one call each
unless calls cannot see one another ([server.py](server.py)). `start` returns a directory of
commands that go first in `PATH`: each hands its arguments, directory, environment and streams to
the server, and ends as the fork does, or says that its call has. So a call is a process to
whoever calls it, in pipes as elsewhere, and no call sees what another did.

What stands between this and the real commands is how they are installed and found, and
which imports they need: for that, some tests call the real ones.
"""

import atexit
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

COMMANDS = "bufferization-check", "filecheck", "xdsl-opt"
"""Console scripts of an environment that a server can run."""

HERE = Path(__file__).parent

_servers: list[subprocess.Popen[bytes]] = []
"""Those that this process started."""


@atexit.register
def _stop() -> None:
    """
    Wait for the servers to end, so that their time counts as this process's, and no directory
    is left.
    """
    for server in _servers:
        assert server.stdin is not None
        server.stdin.close()
        server.wait()


def start(
    environment: Mapping[str, str] = os.environ,
    *,
    commands: Sequence[str] = COMMANDS,
    python: str | Path = sys.executable,
) -> Path:
    """
    The directory of the commands of a new server, which runs as long as this process.

    `commands` are console scripts of the environment that `python` is the interpreter of, or
    `name=module:function` for others. `environment` is what most calls will have. One in
    which Python itself would start in another way, with another `PYTHONPATH` or locale, is a
    new process after all.
    """
    directory = Path(tempfile.mkdtemp(prefix="forkserver-"))
    client = (HERE / "client.py").read_text()
    for name in commands:
        command = directory / name.partition("=")[0]
        # Python alone, without the environment's packages, starts in a few milliseconds.
        command.write_text(f"#!{sys.executable} -IS\n{client}")
        command.chmod(0o755)
    with socket.socket(socket.AF_UNIX) as listener:
        # Calls wait from here on, until the server has imported what they need.
        listener.bind(str(directory / "socket"))
        listener.listen(socket.SOMAXCONN)
        server = subprocess.Popen(
            [python, HERE / "server.py", str(listener.fileno()), *commands],
            stdin=subprocess.PIPE,  # closed when this process ends, however it does
            pass_fds=[listener.fileno()],
            # A fork has only one thread, whatever the server has.
            env={**environment, "OPENBLAS_NUM_THREADS": "1"},
        )
    _servers.append(server)
    return directory
