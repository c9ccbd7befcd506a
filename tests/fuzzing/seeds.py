"""Which seeds a campaign tries."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Sequence
from itertools import count


def chosen_first(first: int) -> int:
    """The first seed that was asked for; a random one if that is negative."""
    if first < 0:
        first = secrets.randbelow(1_000_000_000)
    print(f"from seed {first} on", flush=True)
    return first


def batches(
    first: int, number: int, seconds: float | None, size: int
) -> Iterator[Sequence[int]]:
    """
    The seeds from the first one on, so many at a time: a number of them, or as many as are
    asked for in the time.
    """
    started = time.monotonic()
    for start in count(first, size):
        last = start + size
        if seconds is None:
            last = min(last, first + number)
        elif time.monotonic() - started > seconds:
            return
        if last <= start:
            return
        yield range(start, last)
