"""
Where the memory that a function has to free is used last.

The memory of an owner can be freed at the nearest common post-dominator of the definitions
and uses of the owner and its aliases, critical ones excepted. That of each memref is computed
from those of its direct aliases.

Source: "Placement of Deallocs" in the documentation of MLIR's pass `buffer-deallocation`,
https://mlir.llvm.org/docs/Bufferization/ as of LLVM 12
"""

from __future__ import annotations

import heapq

from xdsl.ir import Block, Operation, OpResult, SSAValue

from xdsl_bufferization.buffers.addresses import kept_operands
from xdsl_bufferization.buffers.buffer_flow import EdgeKind
from xdsl_bufferization.buffers.memref_flow_graph import reachable
from xdsl_bufferization.former.copies.block_points import BlockPoint, BlockPoints
from xdsl_bufferization.former.deallocation.critical_aliases import CriticalAliases
from xdsl_bufferization.support.shaped_types import is_memref_type


class LastUses:
    """The point behind all uses of the memory of each owner."""

    def __init__(self, aliases: CriticalAliases, points: BlockPoints):
        self._aliases = aliases
        self._points = points
        self._behind: dict[SSAValue, BlockPoint] = {}
        self._copied = {(slot.op, slot.operand) for slot in aliases.copied}
        self._find()

    def point_behind(self, owner: SSAValue) -> BlockPoint:
        """Where the owner can be freed, if it dominates that point."""
        return self._behind[owner]

    def _find(self) -> None:
        # Most aliases precede what they are aliases of.
        reached = reachable(self._aliases.owners(), self._aliases.aliases)
        values = sorted(reached, key=self._number, reverse=True)
        own = {value: self._own(value) for value in values}
        rank = {value: index for index, value in enumerate(values)}
        pending = [*range(len(values))]
        is_pending = [True] * len(values)
        while pending:
            index = heapq.heappop(pending)
            is_pending[index] = False
            value = values[index]
            point = own[value]
            for alias in self._aliases.aliases(value):
                if alias in self._behind:
                    point = self._points.common(point, self._behind[alias])
            if self._behind.get(value) == point:
                continue
            self._behind[value] = point
            for source in self._aliases.sources(value):
                if source in rank and not is_pending[rank[source]]:
                    is_pending[rank[source]] = True
                    heapq.heappush(pending, rank[source])

    def _number(self, value: SSAValue) -> int:
        if isinstance(value, OpResult):
            return self._points.end_number(value.op)
        assert isinstance(value.owner, Block)
        return self._points.start_number(value.owner)

    def _own(self, value: SSAValue) -> BlockPoint:
        """The point behind the definition and all uses of the memref itself."""
        points, owner = self._points, value.owner
        point = (
            points.start(owner) if isinstance(owner, Block) else points.behind(owner)
        )
        for use in value.uses:
            if use.operation in self._aliases.flow.position:
                used = self._behind_use(use.operation, use.index)
                point = points.common(point, used)
        return point

    def _behind_use(self, op: Operation, operand: int) -> BlockPoint:
        points = self._points
        if (op, operand) in self._copied or self._leaves_with(op, operand):
            return points.before(op)
        is_address = not is_memref_type(op.operands[operand].type)
        if is_address or operand in kept_operands(op):
            # The address may be used up to the end of the block.
            block = op.parent
            assert block is not None
            if (last := block.last_op) is not None:
                return points.before(last)
        return points.behind(op)

    def _leaves_with(self, op: Operation, operand: int) -> bool:
        """Whether the op is a terminator that forwards the operand to an alias."""
        return any(
            forwarded.operand == operand and forwarded.targets
            for edge in self._aliases.flow.edges.get(op, ())
            if edge.kind is not EdgeKind.ENTRY
            for forwarded in edge.memrefs
        )
