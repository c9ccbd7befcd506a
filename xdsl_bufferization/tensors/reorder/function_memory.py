"""
The memory of a function as decided, and the blocks in which most of it is live.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property

from xdsl.dialects import func
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.support.regions import block_of
from xdsl_bufferization.tensors.costs.buffer_uses import SCALE, BufferUses
from xdsl_bufferization.tensors.costs.profile import Allocation, Profile


class FunctionMemory:
    """
    The memory that an analysed function allocates in the default memory space, as a profile.
    """

    def __init__(
        self,
        function: func.FuncOp,
        analysis: OneShotAnalysis,
        uses: BufferUses,
        profile: Profile,
    ):
        self.function = function
        self.analysis = analysis
        self.points = uses.points
        self.profile = profile
        self.footprint: int = profile.footprint
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
    def depths(self) -> Mapping[Block, int]:
        """
        The blocks in which something is allocated while more than the footprint is live, and
        those around them, with the number of ops with regions around each.
        """
        depths: dict[Block, int] = {}
        for allocation in self.profile.allocations:
            if self.profile.live_at(allocation.time) > self.footprint:
                self._add_depths(block_of(self._op_at(allocation.time)), depths)
        return depths

    def allocations_in(self, block: Block) -> Sequence[Allocation]:
        """The memory that the ops of one of the blocks, nested ones too, allocate or touch."""
        return self._allocations_by_block.get(block, ())

    @cached_property
    def _allocations_by_block(self) -> Mapping[Block, Sequence[Allocation]]:
        found: dict[Block, list[Allocation]] = {block: [] for block in self.depths}
        for allocation in self.profile.allocations:
            times = {allocation.time, *(touch.first for touch in allocation.touches)}
            blocks = {b for time in times for b in self._blocks_around(time)}
            for block in blocks & found.keys():
                found[block].append(allocation)
        return found

    def _op_at(self, time: int) -> Operation:
        """The op that something is allocated or touched for."""
        return self.points.op_at(round(time / SCALE))

    def _blocks_around(self, time: int) -> Iterator[Block]:
        """The blocks of the function around what is allocated or touched at the time."""
        op: Operation | None = self._op_at(time)
        while op is not None and op is not self.function:
            block = block_of(op)
            yield block
            op = block.parent_op()

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
