"""
Imports what commands need, then forks for each call of one.

    python server.py LISTENER COMMAND...

`LISTENER` is the descriptor of the socket that clients connect to, a `COMMAND` the name of
a console script, or `name=module:function`. The server ends when its standard input does,
and removes the directory that the socket is in.

Most of what a fork takes is the first use of what it shares with the server: pages of memory
are copied, and caches filled. So a fork that has ended a call of `filecheck`, or one that calls
this package, stays and answers the next such call; none of them changes what another finds,
as in a process of Python that bufferizes one program after the other. All other calls, those
to which a repaired xDSL would make a difference, are the first and the last of their fork.
"""

from __future__ import annotations

import fcntl
import gc
import marshal
import os
import re
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
from itertools import chain, pairwise
from pathlib import Path
from pkgutil import resolve_name, walk_packages
from typing import NamedTuple, cast

BIN = Path(sys.executable).parent
"""Where the real commands are."""

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
"""Programs to read before a fork is made."""

STREAMS = 0, 1, 2

READ_AT_START = "PYTHON", "LANG", "LC_"
"""How the names of the variables begin that Python reads when it starts."""

HEADER = 8
"""How many bytes the length of a request is sent in, with the descriptors."""

NOT_FLUSHED = 120
"""The exit status of Python that could not write what was printed."""

NO_REPAIRS = "XDSL_BUFFERIZATION_NO_REPAIRS"
"""The variable with which calls leave xDSL as it is."""

ALWAYS = "XDSL_BUFFERIZATION_ALWAYS"
"""The variable with which each call is one of this package."""

Command = Callable[[], int | str | None]
"""A console script; what it returns is the exit status, a message or nothing."""


def main() -> None:
    """Serve until standard input ends."""
    listener = socket.socket(fileno=int(sys.argv[1]))
    # There is little garbage to collect in what stays: a fifth of the time of imports.
    gc.disable()
    commands = load(sys.argv[2:])
    check_passes()
    warm()
    # A fork does not touch what the collector does not look at, so it is not copied.
    gc.freeze()
    gc.enable()
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


class Request(NamedTuple):
    """What a client asks for."""

    name: str
    arguments: Sequence[str]
    directory: str
    environment: Mapping[str, str]

    def started_alike(self) -> bool:
        """Whether Python would start as it has here."""
        return read_at_start(os.environ) == read_at_start(self.environment)

    def may_follow(self, ours: frozenset[str]) -> bool:
        """
        Whether the call may be one of several of a process, which has repaired xDSL's classes.
        Of this package's passes and targets, `ours`, each call repairs them, unless it may not.
        """
        if NO_REPAIRS in self.environment or not self.started_alike():
            return False
        options = pairwise(self.arguments)
        named = (value for option, value in options if option in ("-p", "-t"))
        return self.name == "filecheck" or (
            self.name == "xdsl-opt"
            and (
                ALWAYS in self.environment
                or any(
                    ours.intersection(re.findall(r"[\w-]+", value)) for value in named
                )
            )
        )


def serve(listener: socket.socket, commands: Mapping[str, Command]) -> None:
    """Let a fork answer each connection, until standard input ends."""
    ours = names_of_ours()
    forks: dict[int, socket.socket] = {}
    """The forks that stay, by descriptor; each says when it can take a call."""
    idle: list[int] = []
    events = select.poll()
    events.register(listener, select.POLLIN)
    events.register(sys.stdin, select.POLLIN)
    while sys.stdin.fileno() not in (ready := {file for file, _ in events.poll()}):
        for file in ready & forks.keys():
            if forks[file].recv(1):
                idle.append(file)
            else:
                events.unregister(file)
                forks.pop(file).close()
                idle = [other for other in idle if other != file]
        if listener.fileno() in ready:
            client, _ = listener.accept()
            received = receive(client, len(STREAMS))
            if received is None:
                client.close()
                continue
            payload, streams = received
            descriptors = [client.detach(), *streams]
            stays = Request(*marshal.loads(payload)).may_follow(ours)
            if stays and idle:
                fork = forks[idle.pop()]
                # It may have been killed since; then the client is told so by the end of its call.
                with suppress(OSError):
                    send(fork, payload, descriptors)
            else:
                here, there = socket.socketpair()
                if os.fork() == 0:
                    try:
                        for inherited in (listener, here, *forks.values()):
                            inherited.close()
                        stay(there if stays else None, payload, descriptors, commands)
                    except BaseException as error:
                        sys.excepthook(type(error), error, error.__traceback__)
                    finally:
                        os._exit(1)
                there.close()
                if stays:
                    events.register(here, select.POLLIN)
                    forks[here.fileno()] = here
                else:
                    here.close()
            for descriptor in descriptors:
                os.close(descriptor)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
    # Their time counts as the server's when it has waited for them.
    for fork in forks.values():
        fork.close()
    with suppress(ChildProcessError):
        while True:
            os.wait()


def names_of_ours() -> frozenset[str]:
    """The names of the passes and targets of this package."""
    from xdsl_bufferization.universe import UNIVERSE

    return frozenset((*UNIVERSE.all_passes, *UNIVERSE.all_targets))


def send(to: socket.socket, payload: bytes, descriptors: Sequence[int]) -> None:
    """Send a request as clients do."""
    socket.send_fds(to, [len(payload).to_bytes(HEADER)], descriptors)
    to.sendall(payload)


def receive(
    connection: socket.socket, descriptors: int
) -> tuple[bytes, Sequence[int]] | None:
    """A request and its descriptors; `None` if whoever would send it has ended."""
    size, received, _, _ = socket.recv_fds(connection, HEADER, descriptors)
    if not size:
        return None
    return connection.recv(int.from_bytes(size), socket.MSG_WAITALL), received


def stay(
    server: socket.socket | None,
    payload: bytes,
    descriptors: Sequence[int],
    commands: Mapping[str, Command],
) -> None:
    """In a fork: answer one call, and then those that the server sends."""
    received: tuple[bytes, Sequence[int]] | None = payload, descriptors
    while received is not None:
        payload, descriptors = received
        is_as_before = answer(Request(*marshal.loads(payload)), descriptors, commands)
        if server is None or not is_as_before:
            return
        forget_resources()
        server.send(b"\0")
        received = receive(server, 1 + len(STREAMS))


def forget_resources() -> None:
    """Let the next program name its resources as it likes: xDSL keeps the names that it reads."""
    from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
    from xdsl.dialects.builtin import Builtin

    resources = Builtin.get_interface(OpAsmDialectInterface)
    # Older releases keep them in the class.
    for holder in (resources, OpAsmDialectInterface):
        for names in vars(holder).values():
            if isinstance(names, dict):
                names.clear()


def answer(
    request: Request, descriptors: Sequence[int], commands: Mapping[str, Command]
) -> bool:
    """
    In a fork: be the process that the client asks for, and tell it how that ended. Whether the
    fork can be another, and has nothing left to print.
    """
    client = socket.socket(fileno=descriptors[0])
    # When the client is killed its end is closed, and the signal of that ends the fork.
    flags = fcntl.fcntl(client, fcntl.F_GETFL)
    fcntl.fcntl(client, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(client, fcntl.F_SETFL, flags | os.O_ASYNC)

    started_alike = request.started_alike()
    for theirs, ours in zip(descriptors[1:], STREAMS, strict=True):
        os.dup2(theirs, ours)
        os.close(theirs)
    os.chdir(request.directory)
    os.environ.clear()
    os.environ.update(request.environment)
    sys.argv = [str(BIN / request.name), *request.arguments]
    sys.path[0] = str(BIN)
    if started_alike:
        status = call(commands[request.name])
    else:
        status = call_process(sys.argv)
    nothing = os.open(os.devnull, os.O_RDWR)
    for ours in STREAMS:
        os.dup2(nothing, ours)
    os.close(nothing)
    fcntl.fcntl(client, fcntl.F_SETFL, flags)
    with client, suppress(OSError):
        client.send(bytes([status & 0xFF]))
    return status != NOT_FLUSHED


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
        status = NOT_FLUSHED
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
