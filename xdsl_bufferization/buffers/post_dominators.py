"""
Which blocks each way from here passes, and the place that is behind several others.

Blocks are those of functions without branches back: in such a region, what all ways from a
block pass is what all ways from each of its successors pass.

Source: Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", 2001; common
ancestors are found by jump pointers, Myers, "An Applicative Random-Access Stack", 1983
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass

from xdsl.ir import Block, Operation, Region

from xdsl_bufferization.buffers.buffer_flow import BufferFlow
from xdsl_bufferization.support.walk import blocks_in_order, walk

START = -1
"""Of a block, the place in front of all its ops."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a block between ops."""

    region: Region
    block: Block | None
    """`None` is the end of the region, where its blocks have nothing in common."""
    at: int = START
    """An even number is in front of the op at half of it, an odd one behind that op."""


class PostDominators:
    """
    The blocks of a function that can be reached, each below the one of its region that
    all ways from it pass first.
    """

    def __init__(self, flow: BufferFlow):
        self._flow = flow
        self._above: dict[Block, Block | None] = {}
        self._jump: dict[Block, Block | None] = {}
        self._depth: dict[Block | None, int] = {None: 0}
        self._numbers: dict[Operation, int] = {}
        """Ops, parents first."""
        self._ends: dict[Region, int] = {}
        self._starts: dict[Region, tuple[list[int], list[Block]]] = {}
        """Where the blocks of each region start, those with ops in them."""
        for number, op in enumerate(walk([flow.function])):
            self._numbers[op] = number
        for op in reversed(self._numbers):
            self._note_end(op)
        for block in reversed(flow.ops):
            if block not in self._above:
                self._add_region(block)

    def behind(self, op: Operation) -> Place:
        """The place behind an op."""
        return self._place(op, 1)

    def before(self, op: Operation) -> Place:
        """The place in front of an op."""
        return self._place(op, 0)

    @staticmethod
    def start(block: Block) -> Place:
        """The place at the start of a block."""
        assert block.parent is not None
        return Place(block.parent, block)

    def end_number(self, op: Operation) -> int:
        """The number of the last op within it, which runs before its results are there."""
        last = [self._ends[r] for r in op.regions if r in self._ends]
        return max(last, default=self._numbers[op])

    def start_number(self, block: Block) -> int:
        """A number as `end_number` has them, for the arguments of a block."""
        ops = self._flow.ops[block]
        if ops:
            return self._numbers[ops[0]] - 1
        parent = block.parent_op()
        assert parent is not None
        return self._numbers[parent]

    def common(self, a: Place, b: Place) -> Place:
        """The first place that all ways from both of them pass."""
        if a.region is not b.region:
            region = a.region
            while not self._contains(region, b.region):
                parent = region.parent_region()
                assert parent is not None
                region = parent
            a, b = self._within(a, region), self._within(b, region)
        if a.block is b.block:
            return a if a.at >= b.at else b
        block = self._common_block(a.block, b.block)
        if block is a.block:
            return a
        if block is b.block:
            return b
        return Place(a.region, block)

    def last(self, block: Block, is_good: Callable[[Block], bool]) -> Block:
        """
        The last block that all ways from a good one pass and that is good; those behind
        one that is not must not be, either.
        """
        while True:
            for following in (self._jump[block], self._above[block]):
                if following is not None and is_good(following):
                    block = following
                    break
            else:
                return block

    def _place(self, op: Operation, behind: int) -> Place:
        block = op.parent
        assert block is not None
        assert block.parent is not None
        return Place(block.parent, block, 2 * self._flow.position[op] + behind)

    def _note_end(self, op: Operation) -> None:
        end = self.end_number(op)
        region = op.parent_region()
        if region is not None:
            self._ends[region] = max(self._ends.get(region, 0), end)

    def _add_region(self, block: Block) -> None:
        region = block.parent
        assert region is not None
        blocks = blocks_in_order(region)
        filled = [b for b in blocks if self._flow.ops[b]]
        numbers = [self._numbers[self._flow.ops[b][0]] for b in filled]
        self._starts[region] = numbers, filled
        for block in reversed(blocks):
            ops = self._flow.ops[block]
            successors = ops[-1].successors if ops else ()
            above = successors[0] if successors else None
            for other in successors:
                above = self._common_block(above, other)
            self._add(block, above)

    def _add(self, block: Block, above: Block | None) -> None:
        self._above[block] = above
        self._depth[block] = self._depth[above] + 1
        jump = self._jump[above] if above is not None else None
        further = self._jump[jump] if jump is not None else None
        depths = [self._depth[b] for b in (above, jump, further)]
        is_even = depths[0] - depths[1] == depths[1] - depths[2]
        self._jump[block] = further if is_even and above is not None else above

    def _common_block(self, a: Block | None, b: Block | None) -> Block | None:
        depth = self._depth
        while a is not b:
            if depth[a] < depth[b]:
                a, b = b, a
            assert a is not None
            if depth[a] == depth[b]:
                assert b is not None
                if self._jump[a] is not self._jump[b]:
                    a, b = self._jump[a], self._jump[b]
                else:
                    a, b = self._above[a], self._above[b]
            else:
                jump = self._jump[a]
                a = jump if depth[jump] >= depth[b] else self._above[a]
        return a

    def _contains(self, region: Region, other: Region) -> bool:
        if region is other:
            return True
        parent = other.parent
        starts, _ = self._starts[region]
        if parent is None or not starts:
            return False
        return starts[0] <= self._numbers[parent] <= self._ends[region]

    def _within(self, place: Place, region: Region) -> Place:
        """The place, or the one behind the op of the region that it is in."""
        if place.region is region:
            return place
        parent = place.region.parent
        assert parent is not None
        number = self._numbers[parent]
        starts, blocks = self._starts[region]
        block = blocks[bisect_right(starts, number) - 1]
        ops = self._flow.ops[block]
        index = bisect_right(ops, number, key=lambda op: self._numbers[op]) - 1
        return Place(region, block, 2 * index + 1)
