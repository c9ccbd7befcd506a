"""
Imports what commands need, then forks for each call of one.

    python server.py LISTENER COMMAND...

`LISTENER` is the descriptor of the socket that clients connect to, a `COMMAND` the name of
a console script, or `name=module:function`. The server ends when its standard input does,
and removes the directory that the socket is in.
"""

from __future__ import annotations

import fcntl
import gc
import marshal
import os
import select
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module, metadata
from io import TextIOWrapper
from itertools import chain
from pathlib import Path
from pkgutil import resolve_name, walk_packages
from typing import cast

BIN = Path(sys.executable).parent
"""Where the real commands are."""

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
"""Programs to read before a fork is made."""

STREAMS = 0, 1, 2

READ_AT_START = "PYTHON", "LANG", "LC_"
"""How the names of the variables begin that Python reads when it starts."""

Command = Callable[[], int | str | None]
"""A console script; what it returns is the exit status, a message or nothing."""


def main() -> None:
    """Serve until standard input ends."""
    listener = socket.socket(fileno=int(sys.argv[1]))
    commands = load(sys.argv[2:])
    check_passes()
    warm()
    # A fork does not touch what the collector does not look at, so it is not copied.
    gc.freeze()
    try:
        serve(listener, commands)
    finally:
        shutil.rmtree(Path(listener.getsockname()).parent)


def load(names: Iterable[str]) -> Mapping[str, Command]:
    """
    The functions of the console scripts, with all imported that they may import later:
    modules alone, of which none changes what a command does by being imported.
    """
    from xdsl.universe import XDSL_UNIVERSE, Universe

    scripts = {
        script.name: script for script in metadata.entry_points(group="console_scripts")
    }
    for universe in XDSL_UNIVERSE, Universe.get_multiverse():
        for factory in chain(
            universe.all_dialects.values(),
            universe.all_passes.values(),
            universe.all_targets.values(),
        ):
            with suppress(ImportError):  # an optional requirement
                factory()
    package = import_module("xdsl_bufferization")
    for module in walk_packages(package.__path__, f"{package.__name__}."):
        with suppress(ImportError):
            import_module(module.name)
    return {
        name.partition("=")[0]: cast(Command, resolve_name(name.partition("=")[2]))
        if "=" in name
        else cast(Command, scripts[name].load())
        for name in names
    }


def check_passes() -> None:
    """
    Let each pass of this package fail that leaves an op outside of the program as a user of a
    value in it: no output shows that.
    """
    from xdsl.universe import Universe

    sys.path.append(str(ROOT))
    check_after = import_module("tests.users").check_after
    sys.path.remove(str(ROOT))
    passes = {factory() for factory in Universe.get_multiverse().all_passes.values()}
    check_after(p for p in passes if p.__module__.startswith("xdsl_bufferization."))


def warm() -> None:
    """
    Do once what each fork would do again: find what is installed, and fill the caches of
    `isinstance`, by far the most of what reading a small program takes. No command does
    anything else because of that: xDSL reads and prints programs, with its own dialects, and
    this package asks whether xDSL has faults, but mends none.
    """
    from xdsl.context import Context
    from xdsl.dialects import get_all_dialects
    from xdsl.parser import Parser
    from xdsl.utils.exceptions import ParseError, VerifyException

    from xdsl_bufferization.host.repairs import REPAIRS

    metadata.entry_points = cache(metadata.entry_points)
    for path in sorted(EXAMPLES.glob("*.mlir")):
        context = Context()
        for name, factory in get_all_dialects().items():
            context.register_dialect(name, factory)
        # An older xDSL does not read all of them.
        with suppress(ParseError, VerifyException):
            module = Parser(context, path.read_text()).parse_module()
            module.verify()
            str(module)
    for repair in REPAIRS:
        repair.is_broken()


def serve(listener: socket.socket, commands: Mapping[str, Command]) -> None:
    """Fork for each connection, until standard input ends."""
    events = select.poll()
    events.register(listener, select.POLLIN)
    events.register(sys.stdin, select.POLLIN)
    while [ready for ready, _ in events.poll()] == [listener.fileno()]:
        client, _ = listener.accept()
        with client:
            if os.fork() == 0:
                try:
                    listener.close()
                    answer(client, commands)
                except BaseException as error:
                    sys.excepthook(type(error), error, error.__traceback__)
                finally:
                    os._exit(1)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass


def answer(client: socket.socket, commands: Mapping[str, Command]) -> None:
    """In a fork: be the process that the client asks for, and tell it how that ended."""
    size, streams, _, _ = socket.recv_fds(client, 8, len(STREAMS))
    request = client.recv(int.from_bytes(size), socket.MSG_WAITALL)
    name, arguments, directory, environment = marshal.loads(request)
    # When the client is killed its end is closed, and the signal of that ends the fork.
    fcntl.fcntl(client, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(client, fcntl.F_SETFL, fcntl.fcntl(client, fcntl.F_GETFL) | os.O_ASYNC)

    for theirs, ours in zip(streams, STREAMS, strict=True):
        os.dup2(theirs, ours)
        os.close(theirs)
    os.chdir(directory)
    started_alike = read_at_start(os.environ) == read_at_start(environment)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [str(BIN / name), *arguments]
    sys.path[0] = str(BIN)
    status = call(commands[name]) if started_alike else call_process(sys.argv)
    client.send(bytes([status & 0xFF]))


def read_at_start(environment: Mapping[str, str]) -> Mapping[str, str]:
    """Of the variables those that Python reads when it starts, and never again."""
    return {k: v for k, v in environment.items() if k.startswith(READ_AT_START)}


def call(command: Command) -> int:
    """The exit status of a process that does nothing but call the command."""
    open_streams()
    status = 0
    try:
        sys.exit(command())
    except SystemExit as exit:
        if isinstance(exit.code, int):
            status = exit.code
        elif exit.code is not None:
            print(exit.code, file=sys.stderr)
            status = 1
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__)
        status = 1
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        status = 120  # as Python's own
    return status


def open_streams() -> None:
    """Open the standard streams again, as Python does when it starts."""
    unbuffered = cast(TextIOWrapper, sys.stdout).write_through  # PYTHONUNBUFFERED
    sys.stdin = open(0, closefd=False)
    sys.stdout = TextIOWrapper(
        open(1, "wb", 0 if unbuffered else -1, closefd=False),
        line_buffering=os.isatty(1),
        write_through=unbuffered,
    )
    sys.stderr = open(2, "w", 1, errors="backslashreplace", closefd=False)


def call_process(arguments: Sequence[str]) -> int:
    """The exit status of the real command, as a shell has it."""
    status = subprocess.call(arguments)
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    main()
