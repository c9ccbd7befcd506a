"""
The edits that may have made a function worse, and the few of them that are left out first.

    allocated:   A 64 bytes (edit a), B 16 bytes (edit b), C 32 bytes; at most 100 are allowed

B is enough: without edit b, 96 bytes are allocated.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple, TypeAlias

from sortedcontainers import SortedList
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.tensors.costs.figures import LiveMemory, alive_above
from xdsl_bufferization.tensors.edits import Edit

OperandPlace: TypeAlias = tuple[Operation, int]
"""An op and the index of one of its operands."""


class BlamedMemory(NamedTuple):
    """Memory that is allocated, and the edits that it may be for, the likeliest first."""

    live: LiveMemory
    edits: Sequence[Edit]


class Blame(NamedTuple):
    """The edits of one function, and those that may have made it worse."""

    edits: Sequence[Edit]
    """All edits."""
    copies: Mapping[OperandPlace, Sequence[Edit]]
    """By operand that is copied: the edits that have to do with it, the likeliest first."""
    memory: Mapping[Attribute, Sequence[BlamedMemory]]
    """By memory space whose peak is too high."""

    def new_copies(self, before: AbstractSet[OperandPlace]) -> Blame:
        """The same without what was copied before."""
        copies = {
            place: edits for place, edits in self.copies.items() if place not in before
        }
        return self._replace(copies=copies)

    def all(self, limits: Mapping[Attribute, int]) -> AbstractSet[Edit]:
        """All of these edits whose memory is alive while the peaks exceed the limits."""
        found = {edit for edits in self.copies.values() for edit in edits}
        for space, memories in self.memory.items():
            above = {*alive_above((m.live for m in memories), limits.get(space, 0))}
            found.update(*(m.edits for m in memories if m.live in above))
        return found

    def smallest(self, limits: Mapping[Attribute, int]) -> AbstractSet[Edit]:
        """
        Few of these edits, which may be to blame for all: the likeliest for each copy, and
        those whose memory makes the peaks exceed the limits.
        """
        found = {edits[0] for edits in self.copies.values() if edits}
        for space, memories in self.memory.items():
            found |= least_memory(memories, limits.get(space, 0))
        return found


def least_memory(memories: Sequence[BlamedMemory], limit: int) -> AbstractSet[Edit]:
    """
    Edits without whose memory no more than the limit is allocated at any time, or as little as
    possible; each memory counts for its likeliest edit. Takes `n log n` time: one sweep over the
    positions, in which each edit is chosen at most once.
    """
    chosen = _Chosen()
    excess = -limit
    for events in _events(memories):
        excess += sum(chosen.change(memory, size) for memory, size in events)
        while excess > 0 and chosen.has_alive():
            excess -= chosen.choose(excess)
    return chosen.edits.keys()


class _Chosen:
    """Chooses edits whose memory is alive, given the changes of the memory that is alive."""

    def __init__(self) -> None:
        self.edits: dict[Edit, None] = {}
        self._alive: dict[Edit, int] = {}
        """By edit that is not chosen: the bytes that are alive, if there are any."""
        self._by_size: SortedList[tuple[int, int]] = SortedList()
        """Bytes that are alive and number of the edit, for each of those edits."""
        self._numbers: dict[Edit, int] = {}
        self._numbered: list[Edit] = []

    def change(self, memory: BlamedMemory, size: int) -> int:
        """
        Note that so many more bytes of the memory are alive; returns the same, or 0 if they are
        not there without the edits that are chosen.
        """
        if not memory.edits:
            return size
        edit = memory.edits[0]
        if edit in self.edits:
            return 0
        self._resize(edit, self._alive.get(edit, 0) + size)
        return size

    def has_alive(self) -> bool:
        """Whether there is an edit to choose."""
        return bool(self._by_size)

    def choose(self, excess: int) -> int:
        """
        Choose the edit with the least memory that is as much as the excess, or else the one with
        the most; returns how much it is.
        """
        index = min(self._by_size.bisect_left((excess, 0)), len(self._by_size) - 1)
        size, number = self._by_size[index]
        edit = self._numbered[number]
        self._resize(edit, 0)
        self.edits[edit] = None
        return size

    def _resize(self, edit: Edit, size: int) -> None:
        number = self._numbers.setdefault(edit, len(self._numbers))
        if number == len(self._numbered):
            self._numbered.append(edit)
        if former := self._alive.pop(edit, 0):
            self._by_size.remove((former, number))
        if size:
            self._alive[edit] = size
            self._by_size.add((size, number))


def _events(
    memories: Sequence[BlamedMemory],
) -> Iterator[Sequence[tuple[BlamedMemory, int]]]:
    """By position, ascending: memory, and how many more bytes of it are alive from there on."""
    events: dict[float, list[tuple[BlamedMemory, int]]] = defaultdict(list)
    for memory in memories:
        events[memory.live.start].append((memory, memory.live.size))
        events[memory.live.end].append((memory, -memory.live.size))
    for _, changed in sorted(events.items(), key=lambda event: event[0]):
        yield changed
