"""
The blocks that may run between two points of a region.

Source: the definition of liveness in SSA form; see Boissinot et al., "Fast Liveness
Checking for SSA-Form Programs", CGO 2008.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Region

from xdsl_bufferization.support.regions import blocks_in_order, successors


class ControlFlow:
    """
    The blocks of a region, in an order in which dominators come first, and the interval
    of positions of each; blocks that cannot be reached are left out.

    `set_interval` has to be called for each block before `live_intervals` is.
    """

    def __init__(self, region: Region):
        self.blocks: Sequence[Block] = blocks_in_order(region)
        order = {block: index for index, block in enumerate(self.blocks)}
        self._predecessors: dict[Block, list[Block]] = {b: [] for b in self.blocks}
        self._headers: set[Block] = set()
        self._intervals: dict[Block, tuple[int, int]] = {}
        self._between: dict[
            tuple[Block | None, Block], tuple[Sequence[tuple[int, int]], bool]
        ] = {}
        """By the blocks of a definition and a use: what `_blocks_between` has found."""
        for block in self.blocks:
            for successor in successors(block):
                self._predecessors[successor].append(block)
                if order[successor] <= order[block]:
                    self._headers.add(successor)

    def may_be_entered_again(self, block: Block) -> bool:
        """Whether the block itself, or a later one in the order, branches to it."""
        return block in self._headers

    def set_interval(self, block: Block, first: int, last: int) -> None:
        """The ops of the block have positions between `first` and `last`."""
        self._intervals[block] = first, last

    def interval(self, block: Block) -> tuple[int, int] | None:
        """The positions between which those of the block's ops are, if it can be reached."""
        return self._intervals.get(block)

    def block_around(self, block: Block) -> Block:
        """The block of the region that `block` is, or is nested in."""
        while block not in self._predecessors:
            parent = block.parent_block()
            assert parent is not None
            block = parent
        return block

    def live_intervals(
        self, definition: tuple[Block, int] | None, use: Block, end: int
    ) -> tuple[Sequence[tuple[int, int]], bool]:
        """
        Where a value is live that is used at the position `end` of the block `use`.

        `definition` is the block and the position of its definition, or `None` if it is
        defined outside of the region. Returns the positions on paths from the definition
        to `end`, as disjoint intervals in ascending order, and whether `end` may be
        reached from itself without passing the definition.
        """
        if definition is not None and definition[0] is use and definition[1] <= end:
            return ((definition[1], end),), False
        of_definition = None if definition is None else definition[0]
        whole, repeated = self._blocks_between(of_definition, use)
        intervals = [*whole]
        if not repeated:
            intervals.append((self._intervals[use][0], end))
        if definition is not None:
            intervals.append((definition[1], self._intervals[definition[0]][1]))
        return _merged(intervals), repeated

    def _blocks_between(
        self, definition: Block | None, use: Block
    ) -> tuple[Sequence[tuple[int, int]], bool]:
        """The intervals of the blocks on paths between the two, and if `use` is one."""
        known = self._between.get((definition, use))
        if known is None:
            between: set[Block] = set()
            pending = [*self._predecessors[use]]
            while pending:
                block = pending.pop()
                if block is not definition and block not in between:
                    between.add(block)
                    pending.extend(self._predecessors[block])
            known = _merged([self._intervals[b] for b in between]), use in between
            self._between[definition, use] = known
        return known


def _merged(intervals: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """The intervals in order, neighbours joined, empty ones left out."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(i for i in intervals if i[0] <= i[1]):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return merged
