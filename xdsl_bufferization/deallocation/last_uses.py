"""
Where the memory that a function has to free is not used any more.

That place is the first one that all ways pass from the definitions and uses of the owner
and of all its aliases that are not critical; of each memref it is computed from those of
its direct aliases.

Source: "Placement of Deallocs" in the documentation of MLIR's pass `buffer-deallocation`,
https://mlir.llvm.org/docs/Bufferization/ as of LLVM 12
"""

from __future__ import annotations

import heapq

from xdsl.dialects.memref import ExtractAlignedPointerAsIndexOp
from xdsl.ir import Block, Operation, OpResult, SSAValue

from xdsl_bufferization.buffers.block_points import BlockPoint, BlockPoints
from xdsl_bufferization.buffers.buffer_flow import EdgeKind
from xdsl_bufferization.buffers.memref_flow_graph import reachable
from xdsl_bufferization.deallocation.critical_aliases import CriticalAliases


class LastUses:
    """The places behind all uses of the memory of each owner."""

    def __init__(self, aliases: CriticalAliases, points: BlockPoints):
        self._aliases = aliases
        self._points = points
        self._places: dict[SSAValue, BlockPoint] = {}
        self._copied = {(slot.op, slot.operand) for slot in aliases.copied}
        self._find()

    def place(self, owner: SSAValue) -> BlockPoint:
        """Where it may be freed, if it dominates that."""
        return self._places[owner]

    def _find(self) -> None:
        # An order with most aliases in front of what they are aliases of.
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
            place = own[value]
            for alias in self._aliases.aliases(value):
                if alias in self._places:
                    place = self._points.common(place, self._places[alias])
            if self._places.get(value) == place:
                continue
            self._places[value] = place
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
        """The place behind the definition and all uses of the memref itself."""
        points, owner = self._points, value.owner
        place = (
            points.start(owner) if isinstance(owner, Block) else points.behind(owner)
        )
        for use in value.uses:
            if use.operation in self._aliases.flow.position:
                used = self._behind_use(use.operation, use.index)
                place = points.common(place, used)
        return place

    def _behind_use(self, op: Operation, operand: int) -> BlockPoint:
        points = self._points
        if (op, operand) in self._copied or self._hands_over(op, operand):
            return points.before(op)
        if isinstance(op, ExtractAlignedPointerAsIndexOp):
            # Whoever has the pointer may use it up to the end of the block.
            block = op.parent
            assert block is not None
            if (last := block.last_op) is not None:
                return points.before(last)
        return points.behind(op)

    def _hands_over(self, op: Operation, operand: int) -> bool:
        """Whether the op ends a block and hands the memref over to an alias."""
        return any(
            handed.operand == operand and handed.targets
            for edge in self._aliases.flow.edges.get(op, ())
            if edge.kind is not EdgeKind.ENTRY
            for handed in edge.memrefs
        )
