"""
The blocks that an allocation may be hoisted to.

An allocation may be executed earlier if that leaves its number of executions. It may also be
hoisted out of a loop if no iteration accesses the memory of an earlier one: if no value forwarded
from one iteration to the next, an argument of a block in the loop, may alias it. Iterations that
may overlap in time need memory of their own, and so does memory that escapes.

Source: the passes `buffer-hoisting` and `buffer-loop-hoisting`,
https://mlir.llvm.org/docs/Passes/
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from enum import Enum, auto

from xdsl.ir import Block, Region

from xdsl_bufferization.buffers.allocation_uses import Allocation
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.support.call_graph import is_function
from xdsl_bufferization.support.dominance import BlockLoops, DominatorTree
from xdsl_bufferization.support.regions import block_of, parent_of, region_of


class Execution(Enum):
    """How often a region is executed for each execution of its op."""

    ONCE = auto()
    """At most once."""
    REPEATEDLY = auto()
    """Several times, one after the other."""
    UNKNOWN = auto()
    """Unknown, or several times that may overlap in time."""


def execution_of_region(block: Block) -> Execution:
    """How often the region of the block is executed."""
    region = region_of(block)
    op = region.parent_op()
    if op is None or is_function(op):
        return Execution.UNKNOWN
    model = RegionBranchOpInterface.of(op)
    index = op.get_region_index(region)
    if model is None or model.is_parallel(op, index):
        return Execution.UNKNOWN
    return Execution.REPEATEDLY if model.is_repetitive(op, index) else Execution.ONCE


def below_common_dominator(allocation: Allocation, tree: DominatorTree) -> Block:
    """
    The block to allocate in so that the allocation dominates all of its aliases, or more of
    them than now; the allocation's own block if there is none.
    """
    hull = tree.hull(allocation.blocks)
    needed = allocation.needed
    block = best = start = allocation.block
    while not tree.covers(best, hull) and block not in needed:
        is_entry = tree.is_entry(block)
        if is_entry and (
            execution_of_region(block) is not Execution.ONCE or tree.loop(start)
        ):
            break
        block = tree.immediate_dominator(block)
        if is_entry:
            start = block
        # In another loop, or outside of its loop, it would be executed more or less often.
        if tree.loop(block) is tree.loop(start):
            best = block
    return best


def outside_of_loops(allocation: Allocation, tree: DominatorTree) -> Block:
    """
    The block to allocate in so that the allocation is in as few loops as possible; its own
    block if it cannot leave any.

    It leaves regions that may not be executed, such as branches, only if its size is static:
    a dynamic size may make sense only in the branch.
    """
    if allocation.is_cloned or allocation.escapes:
        return allocation.block
    return outermost_block(
        allocation.block,
        tree,
        allocation.entered,
        allocation.joined,
        allocation.needed,
    )


def outermost_block(
    start: Block,
    tree: DominatorTree,
    entered: AbstractSet[Region],
    joined: AbstractSet[Region],
    needed: AbstractSet[Block] = frozenset(),
) -> Block:
    """
    The block in as few loops as possible to which an allocation in `start` may be moved, which
    does not escape, and whose size is computed in the blocks `needed`. Regions have aliases among
    the arguments of their first block if they are `entered`, and of others if they are `joined`.
    """
    block = best = start
    while True:
        region = region_of(block)
        if (loop := tree.loop(block)) is not None:
            if region in entered or region in joined:
                return best
            while block in loop.blocks:
                if block in needed:
                    return best
                block = tree.immediate_dominator(block)
            best = block
            continue
        if any(needed_block.parent is region for needed_block in needed):
            return best
        match execution_of_region(block):
            case Execution.ONCE if not needed:
                block = block_of(parent_of(block))
            case Execution.REPEATEDLY if region not in entered:
                block = best = block_of(parent_of(block))
            case _:
                return best


def executed_at_most_once(block: Block, loops: BlockLoops) -> bool:
    """Whether each execution of the function executes the block at most once."""
    while loops.loop(block) is None:
        op = block.parent_op()
        if op is None or is_function(op):
            return True
        if execution_of_region(block) is not Execution.ONCE:
            return False
        block = block_of(op)
    return False
