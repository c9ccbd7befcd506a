"""
Planning problems that are known to fit, because they are cut out of a packing.

They are of the kind of the MiniMalloc paper's (Moffitt 2023, ASPLOS): some hundred buffers
with lives of all lengths, which fit in about as much memory as is in use at once.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from xdsl_bufferization.planning import Buffer

_UNIT = 1024
"""Sizes are multiples of it, in bytes."""
_UNITS = 1024
"""Of memory, in the packing."""
_DURATION = 1 << 20
_LEAST_SHARE = 1 / 8
"""Of what is cut, for each of the two parts."""


class Packing(NamedTuple):
    """Buffers and where they fit."""

    buffers: Sequence[Buffer]
    offsets: Sequence[int]
    """In bytes."""
    capacity: int
    """In bytes: no buffer ends above it."""


class _Piece(NamedTuple):
    """Part of a rectangle of time and memory."""

    priority: float
    """The smallest is cut next."""
    lower: int
    upper: int
    bottom: int
    top: int
    """In units, like `bottom`."""


def packing(pieces: int, *, gaps: float = 0.0, seed: int = 0) -> Packing:
    """
    A rectangle of time and memory in so many pieces, each of which is a buffer. It is cut
    all across, then one of its parts all across, and so on (guillotine cuts). Without
    `gaps`, all memory is in use all of the time; with gaps, that share of the pieces, on
    average, is left out.
    """
    generator = random.Random(seed)
    waiting = [_Piece(0, 0, _DURATION, 0, _UNITS)]
    while len(waiting) < pieces:
        for part in _cut(heapq.heappop(waiting), generator):
            heapq.heappush(waiting, part)
    kept = [piece for piece in waiting if generator.random() >= gaps]
    return Packing(
        [Buffer(p.lower, p.upper, _UNIT * (p.top - p.bottom)) for p in kept],
        [_UNIT * p.bottom for p in kept],
        _UNIT * _UNITS,
    )


def _cut(piece: _Piece, generator: random.Random) -> Iterator[_Piece]:
    """Two parts, of which large ones are cut before small ones, more or less."""

    def part(lower: int, upper: int, bottom: int, top: int) -> _Piece:
        area = (upper - lower) * (top - bottom) * generator.uniform(0.2, 1)
        return _Piece(-area, lower, upper, bottom, top)

    _, lower, upper, bottom, top = piece
    if top - bottom == 1 or generator.random() < 0.5:
        at = _between(lower, upper, generator)
        yield part(lower, at, bottom, top)
        yield part(at, upper, bottom, top)
    else:
        at = _between(bottom, top, generator)
        yield part(lower, upper, bottom, at)
        yield part(lower, upper, at, top)


def _between(start: int, end: int, generator: random.Random) -> int:
    margin = max(1, int((end - start) * _LEAST_SHARE))
    return generator.randint(start + margin, end - margin)


PACKINGS: Mapping[str, Packing] = {
    "full 50": packing(50),
    "full 100": packing(100, seed=1),
    "full 200": packing(200, seed=2),
    "full 400": packing(400, seed=3),
    "gaps 50": packing(50, gaps=0.1),
    "gaps 100": packing(100, gaps=0.1, seed=1),
    "gaps 200": packing(200, gaps=0.1, seed=2),
    "gaps 400": packing(400, gaps=0.1, seed=3),
}
"""By whether there are gaps, and the number of pieces."""
