"""Python's garbage collector, while a program is read, rewritten or reported on."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager

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
