"""
In which blocks of a region a tensor may still be used that is used in several of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from xdsl.ir import Block, Region, SSAValue
from xdsl.utils.disjoint_set import IntDisjointSet

from xdsl_bufferization.support.regions import block_of
from xdsl_bufferization.support.walk import blocks_in_order, successors
from xdsl_bufferization.verification.facts import State


class LiveBlocks:
    """
    For tensors that are used in other blocks than their own: the interval of blocks, in
    reverse post-order, in which each may be live.

    The interval starts after the block that defines the tensor, which dominates all its
    uses, and ends with the last use, or with the last branch back from which that is reached
    without the definition. So the time is near-linear in the blocks and uses.
    """

    def __init__(
        self, region: Region, users: Mapping[SSAValue, Iterable[Block]] | None = None
    ):
        """`users` has the blocks of the region in which each tensor is used."""
        self.blocks: Sequence[Block] = blocks_in_order(region)
        self.position = {block: index for index, block in enumerate(self.blocks)}
        self._intervals: dict[SSAValue, range] = {}
        self._defined_at: dict[int, list[SSAValue]] = {}
        self._last_at: dict[int, list[SSAValue]] = {}
        if users:
            self._find_intervals(users)

    def at_entry_of(self, block: Block, state: State) -> State:
        """What the state says of tensors that may still be used when the block is entered."""
        if not self._intervals:
            return state
        position = self.position[block]
        return {
            value: facts
            for value, facts in state.items()
            if (interval := self._intervals.get(value)) is None or position in interval
        }

    def after_region(self, state: State) -> State:
        """What the state says of tensors that may be used after the region."""
        if not self._intervals:
            return state
        return {v: facts for v, facts in state.items() if v not in self._intervals}

    def defined_at(self, position: int) -> Sequence[SSAValue]:
        """The tensors that are defined in the block at the position."""
        return self._defined_at.get(position, ())

    def last_at(self, position: int) -> Sequence[SSAValue]:
        """The tensors that are not live in any block after that at the position."""
        return self._last_at.get(position, ())

    def _find_intervals(self, users: Mapping[SSAValue, Iterable[Block]]) -> None:
        for value in users:
            if (position := self.position.get(block_of(value))) is not None:
                self._defined_at.setdefault(position, []).append(value)
        branches_back: dict[int, list[int]] = {}
        for source, block in enumerate(self.blocks):
            for target in map(self.position.__getitem__, successors(block)):
                if target <= source:
                    branches_back.setdefault(target, []).append(source)
        # The last definition comes first, so that the branches back to what is after it are
        # those that are known. The blocks between the ends of such a branch are in one class.
        classes = _Intervals(len(self.blocks))
        for definition in reversed(range(len(self.blocks))):
            for value in self.defined_at(definition):
                last = max(self._used_at(users[value]), default=definition)
                if last > definition:
                    last = classes.last(last)
                self._intervals[value] = range(definition + 1, last + 1)
                self._last_at.setdefault(last, []).append(value)
            for source in branches_back.get(definition, ()):
                classes.unite(definition, source)

    def _used_at(self, blocks: Iterable[Block]) -> Iterator[int]:
        for block in blocks:
            if (position := self.position.get(block)) is not None:
                yield position


class _Intervals:
    """Disjoint intervals of numbers that grow together."""

    def __init__(self, size: int):
        self._classes = IntDisjointSet(size=size)
        self._last = [*range(size)]

    def last(self, number: int) -> int:
        """The last number of the interval that the number is in."""
        return self._last[self._classes[number]]

    def unite(self, first: int, last: int) -> None:
        """Make one interval of all that contain a number from the first to the last."""
        while (end := self.last(first)) < last:
            following = self.last(end + 1)
            self._classes.union(first, end + 1)
            self._last[self._classes[first]] = following
