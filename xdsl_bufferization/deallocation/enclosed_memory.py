"""
The buffer that each memref of a function is memory of, as one walk over its ops finds out.

Invariant: after an op has been visited, each buffer knows the last op of its block that used it so
far, itself or in its regions, and the number of uses that are still to come. A memref that may be
one of several buffers is a *choice*; its uses are noted once, and become uses of its sources when
the walk is over:

    %s = arith.select %c, %m, %n : memref<4xf32>
    %t = arith.select %c, %s, %o : memref<4xf32>
    memref.store %f, %t[%i] : memref<4xf32>   // uses %t, so %s and %o, so %m and %n

So the cost is linear in the uses, however many buffers a memref may be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.buffers.stored_memrefs import element_that_holds
from xdsl_bufferization.support.regions import block_of


class NotEnclosed(Exception):
    """Ends the walk: ownership of the function's memory has to be analysed."""


@dataclass(eq=False, slots=True)
class Source:
    """Memory that memrefs may be memory of, and its uses."""

    block: Block
    """The block that encloses all uses."""
    depth: int
    """The number of regions of the function around the block."""
    last_use: Operation | None
    """
    The last op of the block that uses it, itself or in its regions; if none does the op that
    defines it, and `None` for a block argument.
    """
    last_position: int
    """The position of the last use in the walk."""
    innermost: int
    """The depth of the innermost block of a buffer that it may be."""
    coming: int = 0
    """The number of uses still to come, by memrefs and choices."""


@dataclass(eq=False, slots=True, kw_only=True)
class EnclosedBuffer(Source):
    """A buffer that one block encloses."""

    value: SSAValue
    """The memref that owns it: an allocation, or what it is handed over to."""
    has_parts: bool = False
    """Whether it has views that cannot be freed in its place."""
    leaves: bool = False
    """Whether it is handed over, or returned, so that it is not freed as this memref."""


@dataclass(eq=False, slots=True, kw_only=True)
class Choice(Source):
    """One of several sources."""

    sources: Sequence[Source]


class Memory(NamedTuple):
    """The origin of a memref's memory."""

    source: Source | None
    """`None` for memory that the function does not own."""
    is_base: bool
    """Whether the buffer is the memref that others are views of, so that they can free it."""


OTHERS = Memory(None, is_base=False)
"""The memory of arguments, globals and the stack, which others free."""


class EnclosedMemory:
    """The memrefs and buffers that the walk has found so far."""

    def __init__(self) -> None:
        self.of: dict[SSAValue, Memory] = {}
        """By memref."""
        self.allocated: list[EnclosedBuffer] = []
        """The buffers that ops and calls allocate, in the order of the program."""
        self.received: list[EnclosedBuffer] = []
        """Block arguments and results that buffers are handed over to, in that order."""
        self._choices: list[Choice] = []
        """Each after its sources."""
        self._around: list[tuple[Operation, int]] = []
        """The visited op after the ops around it, by depth, with their positions."""
        self._position = 0

    def visit(self, op: Operation, depth: int) -> None:
        """Continue with an op in a block of that depth."""
        self._position += 1
        self._around[depth:] = ((op, self._position),)

    # Memrefs

    def add(self, value: SSAValue, memory: Memory) -> None:
        """Note what a memref is memory of."""
        if element_that_holds(value.type) is not None:
            raise NotEnclosed
        self.of[value] = memory
        if (source := memory.source) is not None:
            source.coming += _number_of_uses(value)

    def add_allocated(self, value: SSAValue, depth: int) -> None:
        """Add the buffer that the visited op allocates."""
        self.allocated.append(self._add_buffer(value, depth))

    def add_received(self, value: SSAValue, depth: int) -> None:
        """Add what a buffer is handed over to, if that is new; it owns the buffer always."""
        if (known := self.of.get(value)) is None:
            self.received.append(self._add_buffer(value, depth))
        elif not (
            isinstance(known.source, EnclosedBuffer) and known.source.value is value
        ):
            raise NotEnclosed

    def add_choice(
        self, value: SSAValue, sources: Iterable[Source], depth: int
    ) -> None:
        """Note that a result of an op at that depth may be memory of several sources."""
        op, position = self._around[depth]
        block = block_of(op)
        of = [*sources]
        innermost = max(source.innermost for source in of)
        choice = Choice(block, depth, op, position, innermost, sources=of)
        self._choices.append(choice)
        self.add(value, Memory(choice, is_base=False))
        if choice.coming:
            for source in of:
                source.coming += 1

    def replace_by_choice(
        self, value: SSAValue, sources: tuple[Source, Source], depth: int
    ) -> None:
        """The same for a result that may be memory of its source so far, and of another."""
        self.add_choice(value, sources, depth)
        sources[0].coming -= _number_of_uses(value)

    def _add_buffer(self, value: SSAValue, depth: int) -> EnclosedBuffer:
        owner = value.owner
        if isinstance(owner, Block):
            block, op, position = owner, None, -1
        else:
            (op, position), block = self._around[depth], block_of(owner)
        buffer = EnclosedBuffer(block, depth, op, position, depth, value=value)
        self.add(value, Memory(buffer, is_base=True))
        return buffer

    # Uses

    def use(self, value: SSAValue) -> None:
        """Note that the visited op, which ends no block of the memory, uses a memref."""
        if (source := self.of[value].source) is not None:
            op, source.last_position = self._around[source.depth]
            source.last_use = op
            if op.parent is not source.block or op.next_op is None:
                raise NotEnclosed

    def count_use(self, value: SSAValue) -> None:
        """Note that one use less of a memref is to come."""
        pending = [self.of[value].source]
        while pending:
            if (source := pending.pop()) is not None:
                source.coming -= 1
                if not source.coming and isinstance(source, Choice):
                    pending.extend(source.sources)

    def finish(self) -> None:
        """Let the uses of choices be uses of their sources."""
        for choice in reversed(self._choices):
            for source in choice.sources:
                # From a block around the choice, the op that has it in its regions was noted.
                if (
                    source.block is choice.block
                    and source.last_position < choice.last_position
                ):
                    source.last_position = choice.last_position
                    source.last_use = choice.last_use


def _number_of_uses(value: SSAValue) -> int:
    return sum(1 for _ in value.uses)
