"""
How commands run: nested programs, output that cannot be written, Python's garbage collector, and
a bar on the terminal, once long work has taken some seconds.
"""

from __future__ import annotations

import errno
import gc
import os
import sys
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

_RECURSION_LIMIT = 5_000
"""Python's while a command runs: 600 nested conditionals, well within 8 MB of stack."""


@contextmanager
def running_command(file: str | None = None) -> Generator[None]:
    """
    Run a command, whose programs may be nested deeply. If its output, to the file or standard
    output, cannot be written, it ends with exit status 1, and a message unless the reader has
    stopped, as in `| head`: https://docs.python.org/3/library/signal.html#note-on-sigpipe
    """
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))
    try:
        if sys.stdout is None and file is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        yield
        print(end="", flush=True)
    except OSError as error:
        name = error.filename or file
        if name is None and sys.stdout is not None:
            # Python would report that it cannot flush the output when it exits.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        message = f"error: {name or 'standard output'}: {error.strerror or error}"
        sys.exit(1 if isinstance(error, BrokenPipeError) else message)
    finally:
        sys.setrecursionlimit(limit)


ALLOCATIONS_BEFORE_GC = 1_000_000
"""Allocations between collections of the youngest generation. Python's default is 700."""


@contextmanager
def reduced_gc() -> Generator[None]:
    """
    Let the garbage collector run more rarely, in the whole process, until the end of the
    `with` statement, or of the function that this decorates.

    An IR is full of references to and fro, and all of it is reachable as long as it is
    read, rewritten or reported on: looking for garbage costs up to a third of the time, more
    the larger the program is, and finds little.
    """
    before = gc.get_threshold()
    if 0 < before[0] < ALLOCATIONS_BEFORE_GC:
        gc.set_threshold(ALLOCATIONS_BEFORE_GC, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


DELAY = 3.0
"""Seconds without a bar."""


def with_progress(items: Iterable[T], total: int | None, what: str) -> Iterable[T]:
    """
    The items, `total` of them if that is known. While they are consumed, a bar on the standard
    error stream, if that is a terminal, shows `what` is being done and how many are done.
    """
    return _with_bar(items, total, what) if sys.stderr.isatty() else items


def _with_bar(items: Iterable[T], total: int | None, what: str) -> Iterator[T]:
    started = time.monotonic()
    bar = None
    try:
        for done, item in enumerate(items, 1):
            yield item
            if bar is not None:
                bar.update()
            elif time.monotonic() - started > DELAY:
                # Loading it takes longer than most of what it could show.
                from tqdm import tqdm

                bar = tqdm(desc=what, total=total, initial=done, leave=False)
    finally:
        if bar is not None:
            bar.close()
