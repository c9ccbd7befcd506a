"""
Where else a function may allocate what it allocates.

Allocating earlier is the same as long as it happens as often, and memory can be allocated
once for all runs of a loop if no run sees what an earlier one had in it: if none of the
values that runs hand on, arguments of blocks in the loop, may be the memory. Runs that may
overlap need memory each.

Source: the passes `buffer-hoisting` and `buffer-loop-hoisting`,
https://mlir.llvm.org/docs/Passes/
"""

from __future__ import annotations

from enum import Enum, auto

from xdsl.ir import Block

from xdsl_bufferization.buffers.allocation_uses import Allocation, block_of
from xdsl_bufferization.buffers.block_tree import BlockTree, region_of
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.support.call_graph import is_function


class Runs(Enum):
    """How often a region runs, each time that its op does."""

    ONCE = auto()
    """Once at most."""
    REPEATEDLY = auto()
    """One time after the other."""
    UNKNOWN = auto()
    """At the same time, perhaps; or nothing is known."""


def runs_of(block: Block) -> Runs:
    """How often the region runs that the block is in."""
    region = region_of(block)
    op = region.parent_op()
    if op is None or is_function(op):
        return Runs.UNKNOWN
    model = RegionBranchOpInterface.of(op)
    index = op.get_region_index(region)
    if model is None or model.is_parallel(op, index):
        return Runs.UNKNOWN
    return Runs.REPEATEDLY if model.is_repetitive(op, index) else Runs.ONCE


def below_common_dominator(allocation: Allocation, tree: BlockTree) -> Block:
    """
    The block to allocate in, so that it dominates all aliases, or more of them; the one
    that the allocation is in if there is none.
    """
    hull = tree.hull(allocation.blocks)
    needed = _needed(allocation)
    block = best = start = block_of(allocation.memref)
    while not tree.covers(best, hull) and block not in needed:
        is_entry = tree.is_entry(block)
        if is_entry and (runs_of(block) is not Runs.ONCE or tree.loop(start)):
            break
        block = tree.above(block)
        if is_entry:
            start = block
        # Not in a loop that it was not in, nor out of one: that would be more often or less.
        if tree.loop(block) is tree.loop(start):
            best = block
    return best


def outside_of_loops(allocation: Allocation, tree: BlockTree) -> Block:
    """
    The block to allocate in, so that as few loops as may be are around it; the one that the
    allocation is in if there is none.

    A region in a loop that may not run is no obstacle if the size is known; otherwise the
    size may be one only if the region runs.
    """
    needed = _needed(allocation)
    block = best = block_of(allocation.memref)
    while True:
        region = region_of(block)
        if (loop := tree.loop(block)) is not None:
            if region in allocation.entered or region in allocation.joined:
                return best
            while block in loop.blocks:
                if block in needed:
                    return best
                block = tree.above(block)
            best = block
            continue
        if any(needed_block.parent is region for needed_block in needed):
            return best
        match runs_of(block):
            case Runs.ONCE if not needed:
                block = _above_region(block)
            case Runs.REPEATEDLY if region not in allocation.entered:
                block = best = _above_region(block)
            case _:
                return best


def runs_once(block: Block, tree: BlockTree) -> bool:
    """Whether the block runs once at most each time that the function does."""
    while tree.loop(block) is None:
        op = block.parent_op()
        if op is None or is_function(op):
            return True
        if runs_of(block) is not Runs.ONCE:
            return False
        block = _above_region(block)
    return False


def _needed(allocation: Allocation) -> set[Block]:
    """The blocks in which the operands are defined."""
    return {block_of(operand) for operand in allocation.op.operands}


def _above_region(block: Block) -> Block:
    """The block that holds the op whose region the block is in."""
    op = block.parent_op()
    assert op is not None
    assert op.parent is not None
    return op.parent
