"""
Where the memory that a function has to free is used last, and where it is freed.

The memory of an owner can be freed at the nearest common post-dominator of the definitions
and uses of the owner and its aliases, critical ones excepted. That of each memref is computed
from those of its direct aliases. If the definition does not dominate that block, or the function
returns the memory on some paths only, it is freed on each path where control leaves the blocks
that the definition dominates.

Source: "Placement of Deallocs" in the documentation of MLIR's pass `buffer-deallocation`,
https://mlir.llvm.org/docs/Bufferization/ as of LLVM 12, which knows the first case only
"""

from __future__ import annotations

import heapq
from typing import NamedTuple

from xdsl.ir import Block, Operation, OpResult, SSAValue

from xdsl_bufferization.buffers.addresses import kept_operands
from xdsl_bufferization.buffers.buffer_flow import EdgeKind
from xdsl_bufferization.buffers.memref_flow_graph import reachable
from xdsl_bufferization.former.copies.block_points import BlockPoint, BlockPoints
from xdsl_bufferization.former.deallocation.critical_aliases import CriticalAliases
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.regions import block_of, terminator_of
from xdsl_bufferization.support.shaped_types import is_memref_type


class LastUses:
    """The point after all uses of the memory of each owner."""

    def __init__(self, aliases: CriticalAliases, points: BlockPoints):
        self._aliases = aliases
        self._points = points
        self._points_after: dict[SSAValue, BlockPoint] = {}
        self._copied = {(slot.op, slot.operand) for slot in aliases.copied}
        self._find()

    def point_after(self, owner: SSAValue) -> BlockPoint:
        """Where the owner can be freed, if it dominates that point."""
        return self._points_after[owner]

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
                if alias in self._points_after:
                    point = self._points.common(point, self._points_after[alias])
            if self._points_after.get(value) == point:
                continue
            self._points_after[value] = point
            for source in self._aliases.sources(value):
                if source in rank and not is_pending[rank[source]]:
                    is_pending[rank[source]] = True
                    heapq.heappush(pending, rank[source])

    def _number(self, value: SSAValue) -> int:
        if isinstance(owner := value.owner, Block):
            return self._points.start_number(owner)
        return self._points.end_number(owner)

    def _own(self, value: SSAValue) -> BlockPoint:
        """The point after the definition and all uses of the memref itself."""
        points, owner = self._points, value.owner
        point = points.start(owner) if isinstance(owner, Block) else points.after(owner)
        for use in value.uses:
            if use.operation in self._aliases.flow.position:
                used = self._after_use(use.operation, use.index)
                point = points.common(point, used)
        return point

    def _after_use(self, op: Operation, operand: int) -> BlockPoint:
        points = self._points
        if (op, operand) in self._copied or self._leaves_with(op, operand):
            return points.before(op)
        is_address = not is_memref_type(op.operands[operand].type)
        if is_address or operand in kept_operands(op):
            # The address may be used up to the end of the block.
            return points.before(terminator_of(block_of(op)))
        return points.after(op)

    def _leaves_with(self, op: Operation, operand: int) -> bool:
        """Whether the op is a terminator that forwards the operand to an alias."""
        return any(
            forwarded.operand == operand and forwarded.targets
            for edge in self._aliases.flow.edges.get(op, ())
            if edge.kind is not EdgeKind.ENTRY
            for forwarded in edge.memrefs
        )


class EdgeFree(NamedTuple):
    """Memory that is freed on the edge from a block to a successor."""

    owner: SSAValue
    branch: Operation
    successor: int


class DeallocPlacement:
    """
    Where each owner is freed.

    Raises `BufferizationError` if a terminator uses memory that it does not forward: nothing can be
    freed after it.
    """

    def __init__(self, aliases: CriticalAliases):
        self.aliases = aliases
        self.in_blocks: list[tuple[SSAValue, Block, int]] = []
        """Owners and the points where they are freed, some on each of several paths."""
        self.on_edges: list[EdgeFree] = []
        self._points = BlockPoints(aliases.flow)
        last_uses = LastUses(aliases, self._points)
        for owner in aliases.owners():
            point = last_uses.point_after(owner)
            block = block_of(owner)
            if point.block is None or not aliases.tree.dominates(block, point.block):
                self._free_on_each_path(owner, block)
            elif not self._is_returned(owner, point.block, point.at):
                self.in_blocks.append((owner, point.block, point.at))

    def _is_returned(self, owner: SSAValue, block: Block, at: int) -> bool:
        """Whether the last use is to return the memory to the caller."""
        ops = self.aliases.flow.ops[block]
        if at != 2 * len(ops) - 1:
            return False
        op = ops[-1]
        if op.regions or op not in self.aliases.flow.edges:
            return False
        if owner not in self.aliases.returned.get(op, ()):
            raise BufferizationError(
                op,
                "uses memory when control leaves the block, so that it cannot be freed",
                related=[("it is allocated", _definition(owner))],
                hint="use it in an op before this one",
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
                    self.in_blocks.append((owner, block, self._points.before(last).at))
                continue
            for index, successor in enumerate(last.successors):
                if within[index]:
                    pending.append(successor)
                else:
                    self.on_edges.append(EdgeFree(owner, last, index))


def _definition(value: SSAValue) -> Operation | None:
    return value.op if isinstance(value, OpResult) else None
