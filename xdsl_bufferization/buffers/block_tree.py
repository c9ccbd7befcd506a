"""
Blocks of a function, each below the one that dominates it most closely, and the loops that
branches make of them.

The entry block of a region is below the block that holds the region's op, so that one tree
holds all blocks of a function that can be reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from xdsl.ir import Block, Operation, Region

from xdsl_bufferization.support.dominance import BlockLoop, block_loops, dominators
from xdsl_bufferization.support.walk import blocks_in_order


class BlockTree:
    """The blocks of a function, or of another op with regions, and of all within it."""

    def __init__(self, function: Operation):
        self._loops: dict[Block, BlockLoop] = {}
        self._dominators: dict[Block, Block] = {}
        """In its region, the closest one; not of entry blocks."""
        self._interval: dict[Block, tuple[int, int]] = {}
        """By these numbers, the blocks below one, and itself, are an interval."""
        below: dict[Block, list[Block]] = {}
        pending = [*function.regions]
        while pending:
            region = pending.pop()
            blocks = blocks_in_order(region)
            self._dominators.update(dominators(blocks))
            self._loops.update(block_loops(blocks))
            for block in blocks:
                if (above := self._above(block)) is not None:
                    below.setdefault(above, []).append(block)
                for op in block.ops:
                    pending.extend(op.regions)
        self._number(function, below)

    def above(self, block: Block) -> Block:
        """
        The block that dominates it most closely: of an entry block, which must not be that
        of the function, the one that its op is in.
        """
        above = self._above(block)
        assert above is not None
        return above

    def is_entry(self, block: Block) -> bool:
        """Whether its region begins with it."""
        return block not in self._dominators

    def loop(self, block: Block) -> BlockLoop | None:
        """The innermost loop of blocks of the same region that it is in."""
        return self._loops.get(block)

    def hull(self, blocks: Iterable[Block]) -> tuple[int, int]:
        """What `covers` takes for these blocks, of which there is one at least."""
        numbers = [self._interval[block][0] for block in blocks]
        return min(numbers), max(numbers)

    def covers(self, block: Block, hull: tuple[int, int]) -> bool:
        """Whether it dominates, or is, each of the blocks of that `hull`."""
        first, last = self._interval[block]
        return first <= hull[0] and hull[1] <= last

    def _above(self, block: Block) -> Block | None:
        if (dominator := self._dominators.get(block)) is not None:
            return dominator
        op = block.parent_op()
        return None if op is None else op.parent

    def _number(
        self, function: Operation, below: Mapping[Block, Sequence[Block]]
    ) -> None:
        first: dict[Block, int] = {}
        pending = [b for r in function.regions if (b := r.blocks.first) is not None]
        while pending:
            block = pending.pop()
            if block in first:
                self._interval[block] = first[block], len(first) - 1
            else:
                first[block] = len(first)
                pending.append(block)
                pending.extend(below.get(block, ()))


def region_of(block: Block) -> Region:
    """The region that the block is in."""
    region = block.parent
    assert region is not None
    return region
