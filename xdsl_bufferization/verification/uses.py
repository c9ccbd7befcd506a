"""
Where tensors, and memrefs given out of them, are used, and in which blocks of a region those are
live that several of them use.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from xdsl.ir import Block, Operation, Region, SSAValue

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
    Liveness, at the entry of each block, of tensors that are used in other blocks than their own.

    Backward over the blocks, until nothing changes: a tensor is live-in where it is used, and
    where it is live-in in a successor, unless the block defines it. Sets of tensors are the bits
    of integers, so that blocks times tensors, divided by the bits of a word, bound the time.
    """

    def __init__(
        self, region: Region, users: Mapping[SSAValue, Iterable[Block]] | None = None
    ):
        """`users` has the blocks of the region in which each tensor is used."""
        self.blocks: Sequence[Block] = blocks_in_order(region)
        self.live_in: dict[Block, int] = defaultdict(int)
        self.defined: dict[Block, int] = defaultdict(int)
        """The tensors that each block defines."""
        self._bits = {value: 1 << i for i, value in enumerate(users or ())}
        self._values = [*self._bits]
        used: dict[Block, int] = defaultdict(int)
        for value, blocks in (users or {}).items():
            self.defined[block_of(value)] |= self._bits[value]
            for block in blocks:
                used[block] |= self._bits[value]
        changed = bool(users)
        while changed:
            changed = False
            for block in reversed(self.blocks):
                live = used[block]
                for successor in successors(block):
                    live |= self.live_in[successor]
                live &= ~self.defined[block]
                changed = changed or live != self.live_in[block]
                self.live_in[block] = live

    def values(self, bits: int) -> Iterator[SSAValue]:
        """The tensors in a set."""
        while bits:
            index = bits.bit_length() - 1
            yield self._values[index]
            bits ^= 1 << index

    def at_entry_of(self, block: Block, state: State) -> State:
        """The part of the state about tensors that may still be used when the block is entered."""
        return self._part_of(state, self.live_in[block])

    def after_region(self, state: State) -> State:
        """The part of the state about tensors that may be used after the region."""
        return self._part_of(state, 0)

    def _part_of(self, state: State, live: int) -> State:
        if not self._bits:
            return state
        return {
            value: facts
            for value, facts in state.items()
            if value not in self._bits or self._bits[value] & live
        }


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
