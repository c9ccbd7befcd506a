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
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Protocol

from xdsl.ir import Block, Region

from xdsl_bufferization.buffers.allocation_uses import Allocation
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.support.call_graph import is_function
from xdsl_bufferization.support.dominance import DominatorTree
from xdsl_bufferization.support.regions import block_of, parent_of, region_of


class AliasedMemory(Protocol):
    """The questions of `outside_of_loops` about an allocation: see `Allocation`."""

    @property
    def block(self) -> Block: ...

    @property
    def needed(self) -> AbstractSet[Block]: ...

    @property
    def entered(self) -> AbstractSet[Region]: ...

    @property
    def joined(self) -> AbstractSet[Region]: ...

    @property
    def escapes(self) -> bool: ...

    @property
    def is_cloned(self) -> bool: ...


@dataclass(eq=False, slots=True)
class MemoryAnywhere:
    """Memory whose size can be computed wherever it is allocated."""

    block: Block
    entered: set[Region] = field(default_factory=set[Region])
    joined: set[Region] = field(default_factory=set[Region])
    escapes: bool = False
    is_cloned: bool = False
    needed: frozenset[Block] = frozenset()

    @classmethod
    def of(cls, memory: AliasedMemory) -> MemoryAnywhere:
        """The memory without the block in which its size is computed."""
        return cls(
            memory.block,
            {*memory.entered},
            {*memory.joined},
            memory.escapes,
            memory.is_cloned,
        )


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


def outside_of_loops(allocation: AliasedMemory, tree: DominatorTree) -> Block:
    """
    The block to allocate in so that the allocation is in as few loops as possible; its own
    block if it cannot leave any.

    It leaves regions that may not be executed, such as branches, only if its size is static:
    a dynamic size may make sense only in the branch.
    """
    needed = allocation.needed
    block = best = allocation.block
    while not (allocation.is_cloned or allocation.escapes):
        region = region_of(block)
        if (loop := tree.loop(block)) is not None:
            if region in allocation.entered or region in allocation.joined:
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
            case Execution.REPEATEDLY if region not in allocation.entered:
                block = best = block_of(parent_of(block))
            case _:
                return best
    return best


def executed_at_most_once(block: Block, tree: DominatorTree) -> bool:
    """Whether each execution of the function executes the block at most once."""
    while tree.loop(block) is None:
        op = block.parent_op()
        if op is None or is_function(op):
            return True
        if execution_of_region(block) is not Execution.ONCE:
            return False
        block = block_of(op)
    return False
