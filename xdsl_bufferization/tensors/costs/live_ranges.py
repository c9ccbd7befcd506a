"""
The live ranges of decided buffers, if each is freed after its last use.

A buffer is live from its allocation to the last op that touches a value that may alias it; where a
loop is around that op and not around the allocation, to the end of the loop. Each buffer takes
time in proportion to the values that may alias it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from xdsl.ir import Block, BlockArgument, Operation, Region

from xdsl_bufferization.placement.hoisting_targets import (
    executed_at_most_once,
    outermost_block,
)
from xdsl_bufferization.support.regions import (
    DominatorTree,
    block_of,
    defining_op,
    region_of,
)
from xdsl_bufferization.tensors.costs.buffer_types import (
    Buffer,
    NewBuffer,
    SpaceOf,
    space_of_buffer,
)
from xdsl_bufferization.tensors.costs.buffer_uses import SCALE, BufferUses
from xdsl_bufferization.tensors.costs.profile import Allocation, Touch, assumed


class LiveRanges:
    """The live ranges of a function's buffers."""

    def __init__(
        self,
        function: Operation,
        uses: BufferUses,
        space_of: SpaceOf = lambda _: None,
    ):
        self._function = function
        self._space_of = space_of
        self._uses = uses
        self._points = uses.points

    def allocations(self) -> Iterator[Allocation]:
        """The memory of known size that the function allocates."""
        for buffer, position in self._uses.allocated:
            size = self._uses.size(buffer)
            if size is None or not assumed(size):
                continue
            if isinstance(buffer, NewBuffer):
                op, block = buffer.op, block_of(buffer.place)
            else:
                op, block = defining_op(buffer), block_of(buffer)
            space = space_of_buffer(buffer, self._space_of)
            values = [*self._uses.values_in(buffer)]
            touches = [t for v in values for t in self._uses.touches.get(v, ())]
            first, end = position, math.inf
            if self._is_freed(block, position, values):
                first, end = self._interval(position, touches)
            yield Allocation(first, end, size, space, op, position, touches, values)

    def _is_freed(self, block: Block, position: int, values: Sequence[Buffer]) -> bool:
        """
        Whether the function can free the memory after its last use, given the block and
        the position at which it is allocated, and the values that may alias it.
        """
        if not self._uses.returned.isdisjoint(values):
            return False
        arguments = [
            value
            for value in values
            # isinstance() is slow, as values have an abstract base class.
            if type(value) is BlockArgument
            and value not in self._uses.shared
            and value.first_use is not None
        ]
        return not any(
            self._points.defined_at(argument) * SCALE < position
            for argument in arguments
        ) and self._executed_at_most_once(block, position, arguments)

    def _executed_at_most_once(
        self, block: Block, position: int, arguments: Sequence[BlockArgument]
    ) -> bool:
        """Whether the allocation is executed only once, hoisted if that is possible."""
        if not any(self._points.loops_around(round(position / SCALE))):
            return True
        entered: set[Region] = set()
        joined: set[Region] = set()
        for argument in arguments:
            region = region_of(argument.block)
            is_first = argument.block is region.first_block
            (entered if is_first else joined).add(region)
        block = outermost_block(block, self._tree, entered, joined)
        return executed_at_most_once(block, self._tree)

    def _interval(self, position: int, touches: Iterable[Touch]) -> tuple[int, int]:
        """From when to when memory is live, in positions times `SCALE`."""
        first = end = position
        for start, lower, upper in touches:
            loop = self._points.loop(start, without=position / SCALE)
            if loop is not None:
                lower, upper = loop.first * SCALE, loop.last * SCALE
            first, end = min(first, lower), max(end, upper + 1)
        return first, end

    @cached_property
    def _tree(self) -> DominatorTree:
        # Most functions allocate outside of loops.
        return DominatorTree(self._function.regions)
