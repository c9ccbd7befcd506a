"""
The buffers that a function will have: which are allocated, which values are in them, when they are
touched, and when they are live.

Buffers before the rewrite: tensors and memrefs of the program, and copies to come. If each is freed
after its last use, it is live from its allocation to the last op that touches a value that may
alias it; where a loop is around that op and not around the allocation, to the end of the loop. Each
buffer takes time in proportion to the values that may alias it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TypeAlias

from xdsl.ir import (
    Attribute,
    Block,
    BlockArgument,
    Operation,
    OpResult,
    Region,
    SSAValue,
)

from xdsl_bufferization.interfaces.sizes import Expression
from xdsl_bufferization.memrefs.buffers.program_points import ProgramPoints
from xdsl_bufferization.memrefs.placement.hoisting_targets import (
    executed_at_most_once,
    outermost_block,
)
from xdsl_bufferization.models.shared.slices import sizes_in
from xdsl_bufferization.one_shot.facts.program import TensorProgram
from xdsl_bufferization.support.data_layout import DataLayout
from xdsl_bufferization.support.memref_types import DEFAULT_SPACE, memory_space_of
from xdsl_bufferization.support.regions import (
    DominatorTree,
    block_of,
    defining_op,
    reachable,
    region_of,
)
from xdsl_bufferization.support.shaped_types import is_memref_type
from xdsl_bufferization.tensors.costs.profile import (
    Allocation,
    Buffer,
    BufferBytes,
    Copies,
    NewBuffer,
    Touch,
    assumed,
    executions,
    total,
)

SCALE = 1 << 20
"""The distance of the times of two ops: copies before and after an op have room."""


SpaceOf: TypeAlias = Callable[[SSAValue], Attribute | None]
"""The memory space of a tensor's buffer; `None` for the default one."""


def space_of_buffer(buffer: Buffer, space_of: SpaceOf) -> Attribute:
    """The memory space of a buffer."""
    if isinstance(buffer, NewBuffer):
        if buffer.is_relaid:
            return DEFAULT_SPACE
        buffer = buffer.value
    if is_memref_type(buffer.type):
        return memory_space_of(buffer.type)
    return space_of(buffer) or DEFAULT_SPACE


class BufferUses:
    """
    The buffers of a function of the program, which one pass over its ops records.

    Times are positions of `ProgramPoints` times `SCALE`. All is indexed by buffer, and by the
    values that stand for the buffers that they will be in.
    """

    def __init__(self, function: Operation, program: TensorProgram):
        self._function = function
        self.points: ProgramPoints = ProgramPoints(function, program.has_scalar_body)
        self.allocated: list[tuple[Buffer, int]] = []
        """New buffers, with the times at which they are allocated."""
        self.touches: dict[Buffer, list[Touch]] = {}
        """When each buffer is touched under that name."""
        self.sources: dict[SSAValue, list[Buffer]] = {}
        """By value: what it is in, or a part of, or was computed from, because of one op."""
        self.derived: dict[Buffer, list[Buffer]] = {}
        """
        By buffer: the values that are it, or a part of it, because of one op. For a call, a buffer
        that is not allocated stands between its operands and its results.
        """
        self.returned: set[Buffer] = set()
        """The buffers that the function returns."""
        self.shared: set[SSAValue] = set()
        """Block arguments in whose place the buffer itself will be."""
        self.bytes: BufferBytes = BufferBytes(
            DataLayout.of(function), lambda: sizes_in(program)
        )
        """The bytes of the tensors and memrefs."""
        self._copied: list[Expression] = []
        """The bytes of each copy."""
        self._repeated = 0
        """The bytes that copies in loops copy in further iterations."""

    @property
    def copies(self) -> Copies:
        """The copies that are made."""
        return Copies(len(self._copied), total(self._copied), self._repeated)

    def size(self, buffer: Buffer) -> Expression | None:
        """The size; `None` if it is not known."""
        value = buffer.value if isinstance(buffer, NewBuffer) else buffer
        return self.bytes.of(value)

    def sources_of(self, value: SSAValue) -> Sequence[Buffer]:
        """The buffers that a value may be, be a part of, or was computed from."""
        return self.sources.get(value, ())

    def values_in(self, buffer: Buffer) -> Iterable[Buffer]:
        """The buffer, and all values that may alias it."""
        return reachable([buffer], lambda value: self.derived.get(value, ()))

    def copy(self, source: Buffer, place: Operation) -> None:
        """Record a copy of the buffer, made where the op is."""
        size = self.size(source)
        self._copied.append(Expression({}) if size is None else size)
        self._repeated += assumed(self._copied[-1]) * (executions(place) - 1)

    def add_source(
        self, value: SSAValue, source: Buffer, new: Sequence[OpResult] = ()
    ) -> None:
        """
        Record that the value is in the source, or is a part of it; or if it is one of those
        that are `new` buffers, that it is computed from the source.
        """
        sources = self.sources.setdefault(value, [])
        if not sources or source is not sources[-1]:
            sources.append(source)
            if value not in new:
                self.derived.setdefault(source, []).append(value)

    def touch(self, buffers: Iterable[Buffer], touch: Touch) -> None:
        """Record when the buffers are touched."""
        for buffer in buffers:
            self.touches.setdefault(buffer, []).append(touch)

    def touch_of(self, op: Operation, position: int) -> Touch:
        """When the op at the position touches buffers."""
        last = self.points.end(op) if op.regions else position
        return Touch(position, position * SCALE, last * SCALE)

    # Live ranges

    def allocations(self, space_of: SpaceOf = lambda _: None) -> Iterator[Allocation]:
        """The memory of known size that the function allocates."""
        for buffer, position in self.allocated:
            size = self.size(buffer)
            if size is None or not assumed(size):
                continue
            if isinstance(buffer, NewBuffer):
                op, block = buffer.op, block_of(buffer.place)
            else:
                op, block = defining_op(buffer), block_of(buffer)
            space = space_of_buffer(buffer, space_of)
            values = [*self.values_in(buffer)]
            touches = [t for v in values for t in self.touches.get(v, ())]
            first, end = position, math.inf
            if self._is_freed(block, position, values):
                first, end = self._interval(position, touches)
            yield Allocation(first, end, size, space, op, position, touches, values)

    def _is_freed(self, block: Block, position: int, values: Sequence[Buffer]) -> bool:
        """
        Whether the function can free the memory after its last use, given the block and
        the position at which it is allocated, and the values that may alias it.
        """
        if not self.returned.isdisjoint(values):
            return False
        arguments = [
            value
            for value in values
            # isinstance() is slow, as values have an abstract base class.
            if type(value) is BlockArgument
            and value not in self.shared
            and value.first_use is not None
        ]
        return not any(
            self.points.defined_at(argument) * SCALE < position
            for argument in arguments
        ) and self._executed_at_most_once(block, position, arguments)

    def _executed_at_most_once(
        self, block: Block, position: int, arguments: Sequence[BlockArgument]
    ) -> bool:
        """Whether the allocation is executed only once, hoisted if that is possible."""
        if not any(self.points.loops_around(round(position / SCALE))):
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
            loop = self.points.loop(start, without=position / SCALE)
            if loop is not None:
                lower, upper = loop.first * SCALE, loop.last * SCALE
            first, end = min(first, lower), max(end, upper + 1)
        return first, end

    @cached_property
    def _tree(self) -> DominatorTree:
        # Most functions allocate outside of loops.
        return DominatorTree(self._function.regions)
