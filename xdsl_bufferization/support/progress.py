"""Progress of long work: a bar on the terminal, once it has taken some seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

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
