"""
Which tensors are known to be one buffer, or one slice of one: copies between them are not made.

A tensor stands for what it was derived from, by ops in destination-passing style, casts,
reshapes there and back, `scf.for` and `scf.while` loops that yield the buffer that they started
with, and conditionals that yield the same in each region. Each value is noted once, in program
order, or once for each region; answers take constant time.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from xdsl.ir import SSAValue

from xdsl_bufferization.interfaces.reshape import Reshape
from xdsl_bufferization.interfaces.subset import WHOLE
from xdsl_bufferization.tensors.costs.buffer_types import Buffer, NewBuffer


class _Part(NamedTuple):
    """A slice of a buffer, or a reshape of it."""

    container: Hashable
    part: Hashable


class SameMemory:
    """Buffers and slices of a function, each with one that stands for all like it."""

    def __init__(self) -> None:
        self._same: dict[Hashable, Hashable] = {}
        """By value: a buffer, or a `_Part` of one; itself if it has no entry."""
        self._carried: dict[Hashable, Hashable] = {}
        """By result of a loop that only carries a buffer: that buffer, outside of all loops."""

    def note(self, value: SSAValue, source: Buffer, part: Hashable = WHOLE) -> None:
        """Note that a value is the source, a slice of it, or a reshape of it."""
        same = self.of(source)
        if isinstance(part, Reshape):
            same = self.outside_of_loops(source)
            if isinstance(same, _Part) and same.part == part.inverse:
                self._same[value] = same.container
                return
        self._same[value] = same if part is WHOLE else _Part(same, part)

    def note_loop(
        self, result: SSAValue, init: Buffer, argument: SSAValue, yielded: Buffer
    ) -> None:
        """Note what a loop with the result starts with, and yields for its argument."""
        if self.outside_of_loops(yielded) is argument:
            self._carried[result] = self.outside_of_loops(init)

    def note_yielded(self, result: SSAValue, source: Buffer) -> None:
        """Note what a conditional with the result yields for it in one region, after others."""
        same = self.outside_of_loops(source)
        before = self._same.get(result, same)
        self._same[result] = same if before == same else result

    def of(self, buffer: Buffer) -> Hashable:
        """The buffer, or the buffer and slice, that stands for this one."""
        return (
            buffer if isinstance(buffer, NewBuffer) else self._same.get(buffer, buffer)
        )

    def outside_of_loops(self, buffer: Buffer) -> Hashable:
        """The same, before the loops that only carry it."""
        same = self.of(buffer)
        return self._carried.get(same, same)

    def is_part(self, source: Buffer, destination: Buffer, part: Hashable) -> bool:
        """Whether the source is the part of the destination already."""
        same = self.outside_of_loops(source)
        if part is WHOLE:
            container = self.outside_of_loops(destination)
        else:
            container = self.of(destination)
        return same is container or same == _Part(container, part)
