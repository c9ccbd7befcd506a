"""
The live ranges of allocations: from the first op that touches the memory to the last one,
and all of a loop around such an op that is not around the allocation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.ir import BlockArgument, Operation

from xdsl_bufferization.buffers.allocation_uses import Allocation
from xdsl_bufferization.buffers.buffer_flow import BufferFlow
from xdsl_bufferization.buffers.program_points import ProgramPoints
from xdsl_bufferization.interfaces.buffer_effects import BufferEffect, effect_on


class Touch(NamedTuple):
    """An op that may touch memory."""

    op: Operation
    effect: BufferEffect | None
    """The effect on the memory; `None` if it is unknown."""

    @property
    def frees(self) -> bool:
        """Whether it frees the memory."""
        return self.effect is not None and BufferEffect.FREE in self.effect


class LiveRanges:
    """The live ranges of a function's allocations."""

    def __init__(self, flow: BufferFlow, points: ProgramPoints):
        self.points = points
        self._flow = flow

    def interval(self, op: Operation, allocated: float) -> tuple[int, int]:
        """
        The first and the last position of the op; or of the outermost loop around it that
        is not around the allocation, whose position is `allocated`.
        """
        position = int(self.points.position(op))
        loop = self.points.loop(position, without=allocated)
        if loop is not None:
            return loop.first, loop.last
        return position, self.points.end(op)

    def loop_carried(self, allocation: Allocation) -> Iterator[BlockArgument]:
        """
        The aliases that are block arguments defined before the allocation: they may be the
        memory of an earlier iteration.
        """
        allocated = self.points.position(allocation.op)
        for alias in allocation.aliases:
            if (
                isinstance(alias, BlockArgument)
                and alias.uses
                and self.points.defined_at(alias) < allocated
            ):
                yield alias

    def touches(self, allocation: Allocation) -> Iterator[Touch]:
        """The ops that may touch the memory, once for each operand that may alias it."""
        for alias in allocation.aliases:
            for use in alias.uses:
                op = use.operation
                if (
                    self.points.is_reached(op)
                    and not self._flow.is_forwarded(op, use.index)
                    and (effect := effect_on(op, use.index)) is not BufferEffect.NONE
                ):
                    yield Touch(op, effect)
