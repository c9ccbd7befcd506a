"""
Where tensors, and memrefs given out of them, are used, and in which blocks of a region those are
live that several of them use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.utils.disjoint_set import IntDisjointSet

from xdsl_bufferization.memrefs.buffers.memrefs_of_tensors import MemrefsOfTensors
from xdsl_bufferization.support.regions import (
    ancestor_in,
    block_of,
    blocks_in_order,
    region_of,
    successors,
    walk,
)
from xdsl_bufferization.verification.problems import State
from xdsl_bufferization.verification.sources import Sources


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
        """The part of the state about tensors that may still be used when the block is entered."""
        if not self._intervals:
            return state
        position = self.position[block]
        return {
            value: facts
            for value, facts in state.items()
            if (interval := self._intervals.get(value)) is None or position in interval
        }

    def after_region(self, state: State) -> State:
        """The part of the state about tensors that may be used after the region."""
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


class Uses:
    """
    The uses of the tensors in the ops of `scope`, and of memrefs given out of them; each
    memref is used by all ops that read or write one of its group.
    """

    order: Mapping[Operation, int]
    """The position of each op in the text."""
    last_uses: Mapping[Operation, Sequence[SSAValue]]
    """
    By op, the values that nothing after it uses in its block; a value that is used in
    another block than its own has no last use.
    """
    around: set[Operation]
    """The ops in whose regions there are uses."""

    def __init__(self, scope: Sequence[Operation], sources: Sources):
        self.order = {op: position for position, op in enumerate(walk(scope))}
        self._last_uses: dict[Operation, list[SSAValue]] = {}
        self.last_uses = self._last_uses
        self.around = set()
        self._elsewhere: dict[Region, dict[SSAValue, Sequence[Block]]] = {}
        """By region: tensors used in other blocks of it than their own, and these blocks."""
        self._live_blocks: dict[Region, LiveBlocks] = {}
        self._add_memrefs(sources.memrefs)
        given_out = {m for group in sources.memrefs.groups for m, _ in group}
        for value in sources.of:
            if value not in given_out:
                self._add_tensor(value)

    def live_blocks(self, region: Region) -> LiveBlocks:
        """In which blocks of the region the tensors are live that several of them use."""
        if region not in self._live_blocks:
            self._live_blocks[region] = LiveBlocks(region, self._elsewhere.get(region))
        return self._live_blocks[region]

    def _add_tensor(self, value: SSAValue) -> None:
        users = [use.operation for use in value.uses]
        self._add_around(users)
        block = block_of(value)
        if (last := self._last_in_block(block, users)) is not None:
            self._last_uses.setdefault(last, []).append(value)
        elif users:
            region = region_of(block)
            ancestors = (ancestor_in(region, user) for user in users)
            blocks = [op.parent for op in ancestors if op is not None and op.parent]
            self._elsewhere.setdefault(region, {})[value] = blocks

    def _add_memrefs(self, memrefs: MemrefsOfTensors) -> None:
        users_of: list[list[Operation]] = [[] for _ in memrefs.groups]
        for op, uses in memrefs.uses.items():
            for use in uses:
                users_of[use.group].append(op)
        for group, users in zip(memrefs.groups, users_of, strict=True):
            self._add_around(users)
            last_in: dict[Block, Operation | None] = {}
            for memref, _ in group:
                block = block_of(memref)
                if block not in last_in:
                    last_in[block] = self._last_in_block(block, users)
                if (last := last_in[block]) is not None:
                    self._last_uses.setdefault(last, []).append(memref)

    def _add_around(self, users: Sequence[Operation]) -> None:
        for user in users:
            parent = user.parent_op()
            while parent is not None and parent not in self.around:
                self.around.add(parent)
                parent = parent.parent_op()

    def _last_in_block(
        self, block: Block, users: Sequence[Operation]
    ) -> Operation | None:
        """The last of the ops in the block in which the users are, if all are in it."""
        last: Operation | None = None
        for user in users:
            ancestor = block.find_ancestor_op_in_block(user)
            if ancestor is None:
                return None
            if last is None or self.order.get(ancestor, 0) > self.order.get(last, 0):
                last = ancestor
        return last
