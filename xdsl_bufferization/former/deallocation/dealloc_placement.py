"""
Where the memory that a function has to free is freed.

It is freed behind its last use: in the nearest common post-dominator of its definition and its
uses. If the definition does not dominate that block, or the function returns the memory on
some paths only, it is freed on each path where control leaves the blocks that the definition
dominates.

Source: "Placement of Deallocs" in the documentation of MLIR's pass `buffer-deallocation`,
https://mlir.llvm.org/docs/Bufferization/ as of LLVM 12, which knows the first case only
"""

from __future__ import annotations

from typing import NamedTuple

from xdsl.ir import Block, Operation, OpResult, SSAValue

from xdsl_bufferization.former.copies.block_points import BlockPoint, BlockPoints
from xdsl_bufferization.former.deallocation.critical_aliases import CriticalAliases
from xdsl_bufferization.former.deallocation.last_uses import LastUses
from xdsl_bufferization.former.deallocation.partial_frees import check_partial_frees
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.regions import block_of


class EdgeFree(NamedTuple):
    """Memory that is freed on the edge from a block to a successor."""

    owner: SSAValue
    branch: Operation
    successor: int


class DeallocPlacement:
    """
    Where each owner is freed.

    Raises `BufferizationError` as `check_partial_frees` does, and if a terminator uses memory
    that it does not forward: nothing can be freed behind it.
    """

    def __init__(self, aliases: CriticalAliases):
        self.aliases = aliases
        self.in_blocks: list[tuple[SSAValue, BlockPoint]] = []
        """Owners and where they are freed, some on each of several paths."""
        self.on_edges: list[EdgeFree] = []
        self._points = BlockPoints(aliases.flow)
        check_partial_frees(aliases, self._points)
        last_uses = LastUses(aliases, self._points)
        for owner in aliases.owners():
            point = last_uses.point_behind(owner)
            block = block_of(owner)
            if point.block is None or not aliases.tree.dominates(block, point.block):
                self._free_on_each_path(owner, block)
            elif not self._is_returned(owner, point):
                self.in_blocks.append((owner, point))

    def _is_returned(self, owner: SSAValue, point: BlockPoint) -> bool:
        """Whether the last use is to return the memory to the caller."""
        assert point.block is not None
        ops = self.aliases.flow.ops[point.block]
        if point.at != 2 * len(ops) - 1:
            return False
        op = ops[-1]
        if op.regions or op not in self.aliases.flow.edges:
            return False
        if owner not in self.aliases.returned.get(op, ()):
            raise BufferizationError(
                op,
                "uses memory when control leaves the block, so that it can not be freed",
                related=[("it is allocated", _definition(owner))],
                hint="use it in an op in front of this one",
            )
        return True

    def _free_on_each_path(self, owner: SSAValue, start: Block) -> None:
        dominates = self.aliases.tree.dominates
        pending, seen = [start], set[Block]()
        while pending:
            block = self._points.post_dominators.last(
                pending.pop(), lambda b: dominates(start, b)
            )
            if block in seen:
                continue
            seen.add(block)
            last = self.aliases.flow.ops[block][-1]
            within = [dominates(start, b) for b in last.successors]
            if not any(within):
                if owner not in self.aliases.returned.get(last, ()):
                    self.in_blocks.append((owner, self._points.before(last)))
                continue
            for index, successor in enumerate(last.successors):
                if within[index]:
                    pending.append(successor)
                else:
                    self.on_edges.append(EdgeFree(owner, last, index))


def _definition(value: SSAValue) -> Operation | None:
    return value.op if isinstance(value, OpResult) else None
