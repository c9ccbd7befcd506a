"""
The blocks that each iteration of a loop executes, if the loops within it run at least once.

    scf.for ... {          // certain
      scf.if %c {          // not certain
        scf.for ... {}     // not certain: it is in the branch
      }
      scf.for ... {}       // certain
    }

In a loop of blocks those are certain that dominate each block that branches back. An answer
takes a step for each region around the block.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block

from xdsl_bufferization.placement.hoisting_targets import (
    Execution,
    execution_of_region,
)
from xdsl_bufferization.support.dominance import BlockLoop, DominatorTree
from xdsl_bufferization.support.regions import block_of, parent_of
from xdsl_bufferization.support.walk import successors


class CertainBlocks:
    """Whether blocks are executed by each iteration of the loops around them."""

    def __init__(self, tree: DominatorTree):
        self._tree = tree
        self._latches: dict[BlockLoop, Sequence[Block]] = {}

    def outermost_branch(self, block: Block, outside: Block) -> Block | None:
        """
        The outermost block around the block, or itself, that is inside of the loops that the
        block `outside` is not in, and that not each of their iterations executes; `None` if
        there is none.
        """
        found = None
        while block is not outside:
            loop = self._tree.loop(block)
            if loop is None and block.parent is outside.parent:
                break
            is_outermost = block.parent is outside.parent
            if not self._is_certain(block, loop, is_outermost=is_outermost):
                found = block
            if is_outermost:
                break
            block = block_of(parent_of(block))
        return found

    def _is_certain(
        self, block: Block, loop: BlockLoop | None, *, is_outermost: bool
    ) -> bool:
        """Whether each execution, or iteration, of the block's region executes it."""
        if loop is not None:
            return (
                is_outermost
                and loop.parent is None
                and all(
                    self._tree.dominates(block, latch)
                    for latch in self._latches_of(loop)
                )
            )
        # Nothing tells of other regions whether they always run.
        return (
            self._tree.is_entry(block)
            and execution_of_region(block) is not Execution.ONCE
        )

    def _latches_of(self, loop: BlockLoop) -> Sequence[Block]:
        """The blocks of the loop that branch back to where it is entered."""
        if (known := self._latches.get(loop)) is None:
            entered = {
                block
                for block in loop.blocks
                if self._tree.is_entry(block)
                or self._tree.immediate_dominator(block) not in loop.blocks
            }
            known = self._latches[loop] = [
                block
                for block in loop.blocks
                if not entered.isdisjoint(successors(block))
            ]
        return known
