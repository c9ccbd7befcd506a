"""
The memory of a function as decided, and the blocks in which most of it is live.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property

from xdsl.dialects import func
from xdsl.dialects.builtin import NoneAttr
from xdsl.ir import Block, SSAValue

from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.tensors.costs.buffer_uses import SCALE, BufferUses
from xdsl_bufferization.tensors.costs.figures import allocated_at
from xdsl_bufferization.tensors.costs.live_ranges import (
    Allocation,
    LiveRanges,
    footprints_of,
)


class FunctionMemory:
    """What an analysed function allocates in the default memory space."""

    def __init__(
        self, function: func.FuncOp, analysis: OneShotAnalysis, uses: BufferUses
    ):
        self.function = function
        self.analysis = analysis
        self.points = uses.points
        self.allocations: Sequence[Allocation] = [
            allocation
            for allocation in LiveRanges(function, uses).allocations()
            if allocation.memory.space == NoneAttr()
        ]
        self.footprint: int = footprints_of(self.allocations).get(NoneAttr(), 0)
        """The most bytes that one op touches, which no order changes."""
        self.returned: AbstractSet[SSAValue] = {
            argument
            for argument in function.args
            if not uses.returned.isdisjoint(uses.values_in(argument))
        }
        """The arguments whose memory is returned, perhaps; it is copied when memory is freed."""
        self.is_known: bool = all(uses.size(b) is not None for b, _ in uses.allocated)
        """Whether all that is allocated has a known size."""

    @cached_property
    def blocks(self) -> Mapping[int, AbstractSet[Block]]:
        """
        The blocks in which more than the footprint is live when an op allocates or frees, by how
        many ops with regions are around them.
        """
        depths: dict[Block, int] = {}
        for time, size in allocated_at(a.memory for a in self.allocations):
            if size > self.footprint:
                # Nothing is allocated any more when functions end.
                op = self.points.at[round(time / SCALE)]
                if op is not None and op.parent is not None:
                    self._add_depths(op.parent, depths)
        blocks: dict[int, set[Block]] = {}
        for block, depth in depths.items():
            blocks.setdefault(depth, set()).add(block)
        return blocks

    def _add_depths(self, block: Block, depths: dict[Block, int]) -> None:
        """Note how deep the block is in the function, and those around it."""
        around: list[Block] = []
        inner: Block | None = block
        while inner is not None and inner not in depths:
            around.append(inner)
            op = inner.parent_op()
            inner = None if op is None or op is self.function else op.parent
        depth = -1 if inner is None else depths[inner]
        for number, outer in enumerate(reversed(around), 1):
            depths[outer] = depth + number
