"""
Points between the ops of a function without loops of blocks, and the nearest common
post-dominator of two points.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from xdsl.ir import Block, Operation, Region

from xdsl_bufferization.buffers.buffer_flow import BufferFlow
from xdsl_bufferization.support.dominance import PostDominatorTree
from xdsl_bufferization.support.regions import block_of, parent_of, region_of
from xdsl_bufferization.support.walk import walk

START = -1
"""The point of a block before all its ops."""


@dataclass(frozen=True, slots=True)
class BlockPoint:
    """A point in a block, between ops."""

    region: Region
    block: Block | None
    """`None` stands for the end of the region, after all its blocks."""
    at: int = START
    """An even number is before the op at half of it, an odd one after that op."""


class BlockPoints:
    """The points between the ops of a function whose blocks form no loops."""

    def __init__(self, flow: BufferFlow):
        self._flow = flow
        self._numbers: dict[Operation, int] = {}
        """The ops in the order of a walk, parents first."""
        self._ends: dict[Region, int] = {}
        self._starts: dict[Region, tuple[list[int], list[Block]]] = {}
        """By region: the numbers at which its blocks start, and the blocks, if there are any."""
        for number, op in enumerate(walk([flow.function])):
            self._numbers[op] = number
        for op in reversed(self._numbers):
            self._note_end(op)
        regions: dict[Region, list[Block]] = {}
        for block in flow.ops:
            regions.setdefault(region_of(block), []).append(block)
        for region, blocks in regions.items():
            filled = [b for b in blocks if flow.ops[b]]
            numbers = [self._numbers[flow.ops[b][0]] for b in filled]
            self._starts[region] = numbers, filled
        self.post_dominators = PostDominatorTree(regions.values())

    def after(self, op: Operation) -> BlockPoint:
        """The point after an op."""
        return self._point(op, 1)

    def before(self, op: Operation) -> BlockPoint:
        """The point before an op."""
        return self._point(op, 0)

    @staticmethod
    def start(block: Block) -> BlockPoint:
        """The point at the start of a block."""
        return BlockPoint(region_of(block), block)

    def end_number(self, op: Operation) -> int:
        """The number of the last op nested in the op, or its own: its results come after it."""
        last = [self._ends[r] for r in op.regions if r in self._ends]
        return max(last, default=self._numbers[op])

    def start_number(self, block: Block) -> int:
        """The number of the op after which the arguments of the block come."""
        ops = self._flow.ops[block]
        return self._numbers[ops[0]] - 1 if ops else self._numbers[parent_of(block)]

    def common(self, a: BlockPoint, b: BlockPoint) -> BlockPoint:
        """The first point that all paths from both of them pass."""
        if a.region is not b.region:
            region = a.region
            while not self._contains(region, b.region):
                region = region_of(parent_of(region))
            a, b = self._within(a, region), self._within(b, region)
        if a.block is b.block:
            return a if a.at >= b.at else b
        block = self.post_dominators.nearest_common(a.block, b.block)
        if block is a.block:
            return a
        if block is b.block:
            return b
        return BlockPoint(a.region, block)

    def _point(self, op: Operation, after: int) -> BlockPoint:
        at = 2 * self._flow.position[op] + after
        return BlockPoint(region_of(op), block_of(op), at)

    def _note_end(self, op: Operation) -> None:
        end = self.end_number(op)
        region = op.parent_region()
        if region is not None:
            self._ends[region] = max(self._ends.get(region, 0), end)

    def _contains(self, region: Region, other: Region) -> bool:
        if region is other:
            return True
        parent = other.parent
        starts, _ = self._starts[region]
        if parent is None or not starts:
            return False
        return starts[0] <= self._numbers[parent] <= self._ends[region]

    def _within(self, point: BlockPoint, region: Region) -> BlockPoint:
        """The point, or the one after the op whose region it is in."""
        if point.region is region:
            return point
        number = self._numbers[parent_of(point.region)]
        starts, blocks = self._starts[region]
        block = blocks[bisect_right(starts, number) - 1]
        ops = self._flow.ops[block]
        index = bisect_right(ops, number, key=lambda op: self._numbers[op]) - 1
        return BlockPoint(region, block, 2 * index + 1)
