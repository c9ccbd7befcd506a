"""
The ops that need contents of a tensor's memory, and which of them overlap a part of it.

    %x = tensor.extract %t[%i]                  // reads within %t, and within no known slice of it
    %s = tensor.extract_slice %t[0] [4] [1]
    %y = linalg.exp ins(%s) outs(%e)            // needs all of the place %t[0] [4], within %t

By place, the last readers first; of one place no more than `MAX_LATER_READERS`.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from xdsl.ir import SSAValue

from xdsl_bufferization.support.limits import MAX_LATER_READERS
from xdsl_bufferization.verification.access_paths import AccessPath
from xdsl_bufferization.verification.copy_bound.links import Operand
from xdsl_bufferization.verification.copy_bound.places import Place


@dataclass(frozen=True, slots=True)
class Reader:
    """An op that needs contents, in whatever place."""

    operand: Operand
    size: int
    """The bytes that it needs."""
    operands: tuple[Operand, ...]
    """The operands of the links between the root and what it reads."""


class Readers:
    """The readers of all places of a program, which are added in the order of the text."""

    def __init__(self) -> None:
        last = partial[deque[Reader]](deque, maxlen=MAX_LATER_READERS)
        self._at: dict[Place, deque[Reader]] = defaultdict(last)
        self._within: dict[Place, deque[Reader]] = defaultdict(last)

    def add(self, place: Place, reader: Reader, *, needs_all: bool) -> None:
        """Add an op that needs all contents of the place, or some of them."""
        if needs_all:
            self._at[place].append(reader)
        for length in range(len(place.path) + 1):
            self._within[Place(place.root, place.path[:length])].append(reader)

    def overlapping(self, root: SSAValue, path: AccessPath) -> Iterator[Reader]:
        """
        Readers of what is within the place, or of all that is around it; the last ones
        first.
        """
        yield from reversed(self._within.get(Place(root, path), ()))
        for length in reversed(range(len(path))):
            yield from reversed(self._at.get(Place(root, path[:length]), ()))
