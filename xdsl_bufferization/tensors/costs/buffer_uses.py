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
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

from xdsl.dialects.builtin import UnrankedTensorType
from xdsl.ir import (
    Attribute,
    Block,
    BlockArgument,
    Operation,
    OpResult,
    Region,
    SSAValue,
)

from xdsl_bufferization.interfaces.bufferizable import ForwardedCopy
from xdsl_bufferization.interfaces.contents import Reshape, cast_source
from xdsl_bufferization.interfaces.sizes import Expression
from xdsl_bufferization.interfaces.subset import WHOLE
from xdsl_bufferization.memrefs.buffers.program_points import ProgramPoints
from xdsl_bufferization.memrefs.placement.hoisting_targets import (
    executed_at_most_once,
    outermost_block,
)
from xdsl_bufferization.models.shared.slices import sizes_in
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.facts.program import TensorProgram
from xdsl_bufferization.one_shot.facts.records import OpInfo, TensorOperand
from xdsl_bufferization.one_shot.rewriting.tensor_copies import (
    forwarded_to,
    where_copies_may_be,
)
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


class DecidedCopies:
    """
    The copies that the decisions ask for in a function, and the buffers that take the place of
    others by them, recorded in `uses` op by op, in program order.

        %b = linalg.fill ins(%f : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>

    If the second operand is out of place, a new buffer is allocated before the op, `%a` is copied
    to it if the contents matter, and the op writes the new buffer. An op that only forwards its
    operand has its result copied instead, after the op. What a terminator forwards in the wrong
    buffer is copied before the terminator.

    `forwarded` has the copies of what terminators forward, by terminator. `same` is asked
    which of them are not made.
    """

    def __init__(
        self,
        analysis: OneShotAnalysis,
        forwarded: Mapping[Operation, Sequence[ForwardedCopy]],
        uses: BufferUses,
        same: SameMemory,
    ):
        self._analysis = analysis
        self._forwarded = forwarded
        self.uses = uses
        self._same = same
        self._results: dict[SSAValue, Buffer] = {}
        """By result that is copied after its op: the copy."""
        self._operands: dict[tuple[Operation, int], Buffer] = {}
        """By operand: the buffer that takes its place."""
        self._replaced: set[tuple[Operation, int]] = set()
        """The operands that have new buffers in their place, without their contents."""
        self._added: dict[Operation, int] = {}
        """By op the number of copies before and after it."""

    def copy_for(self, info: OpInfo) -> bool:
        """
        Record the copies that are made for the op; returns whether other buffers may take
        the place of its operands.
        """
        if info.model is None:
            # It stays an op on tensors.
            return False
        is_in_place = self._analysis.is_in_place
        copied = [o for o in info.operands if not is_in_place(o)]
        for operand in copied:
            self._copy_operand(operand)
        if info.op.next_op is not None:
            return bool(copied)
        if copies := self._forwarded.get(info.op, ()):
            self._copy_forwarded(info.op, copies)
        return bool(copied or copies)

    def copy_before(self, op: Operation, index: int, *, is_relaid: bool) -> None:
        """Record the copy of an operand to a new buffer, before the op."""
        time = self._time_before(op)
        new = NewBuffer(op.operands[index], op, op, is_relaid)
        self.uses.allocated.append((new, time))
        self._copy(self.operand(op, index), new, op, time)
        self._operands[op, index] = new

    def operand(self, op: Operation, index: int) -> Buffer:
        """The buffer of an operand, or of what takes its place."""
        copied = self._operands.get((op, index))
        return self.now(op.operands[index]) if copied is None else copied

    def now(self, value: SSAValue) -> Buffer:
        """The buffer in place of the value where it is used from now on."""
        return self._results.get(value, value)

    def is_used(self, value: SSAValue) -> bool:
        """Whether operands are left that use the value, once all copies are recorded."""
        return any((u.operation, u.index) not in self._replaced for u in value.uses)

    def _copy_operand(self, operand: TensorOperand) -> None:
        op, value = operand.owner.op, operand.value.value
        if isinstance(value.type, UnrankedTensorType):
            # What is copied is what it was cast from.
            value = cast_source(value) or value
        contents = not self._analysis.can_omit_copy(operand)
        if (result := forwarded_to(operand)) is not None:
            time = self._time_of(op) + 1 + self._number(op)
            source: Buffer = result
            new = NewBuffer(result, op, op)
            self._results[result] = new
        else:
            place = where_copies_may_be(operand.owner)
            time = self._time_before(place)
            source = self.now(value)
            new = NewBuffer(value, op, place)
            self._operands[op, operand.index] = new
            if not contents:
                self._replaced.add((op, operand.index))
        self.uses.allocated.append((new, time))
        if contents:
            self._copy(source, new, new.place, time)

    def _copy_forwarded(self, op: Operation, copies: Sequence[ForwardedCopy]) -> None:
        """The copies before a terminator, in the order in which they are made."""
        for copy in copies:
            if copy.through_new_memory or copy.destination is None:
                self.copy_before(op, copy.operand, is_relaid=False)
        for copy in copies:
            if copy.destination is not None:
                source = self.operand(op, copy.operand)
                destination = self.now(copy.destination)
                if not self._same.is_part(source, destination, WHOLE):
                    self._copy(source, destination, op, self._time_before(op))
                self._operands[op, copy.operand] = destination

    def _copy(
        self, source: Buffer, destination: Buffer, place: Operation, time: int
    ) -> None:
        self.uses.copy(source, place)
        touch = Touch(int(self.uses.points.position(place)), time, time)
        self.uses.touch((source, destination), touch)

    def _time_of(self, op: Operation) -> int:
        return int(self.uses.points.position(op)) * SCALE

    def _time_before(self, op: Operation) -> int:
        return self._time_of(op) - SCALE // 2 + self._number(op)

    def _number(self, op: Operation) -> int:
        self._added[op] = self._added.get(op, 0) + 1
        return self._added[op]


class _Part(NamedTuple):
    """A slice of a buffer, or a reshape of it."""

    container: Hashable
    part: Hashable


class SameMemory:
    """
    The buffers and slices of a function that are known to be the same, each with one that stands
    for all like it: copies between them are not made.

    A tensor stands for what it was derived from, by ops in destination-passing style, casts,
    reshapes there and back, `scf.for` and `scf.while` loops that yield the buffer that they started
    with, and conditionals that yield the same in each region. Each value is noted once, in program
    order, or once for each region; answers take constant time.
    """

    def __init__(self) -> None:
        self._same: dict[Hashable, Hashable] = {}
        """By value: a buffer, or a `_Part` of one; itself if it has no entry."""
        self._carried: dict[Hashable, Hashable] = {}
        """By result of a loop that only carries a buffer: that buffer, outside of all loops."""

    def note(self, value: SSAValue, source: Buffer, part: Hashable = WHOLE) -> None:
        """Note that a value is the source, a slice of it, or a reshape of it."""
        same = self.of(source)
        if isinstance(part, Reshape):
            same = self.outside_of_loops(source)
            if isinstance(same, _Part) and same.part == part.inverse:
                self._same[value] = same.container
                return
        self._same[value] = same if part is WHOLE else _Part(same, part)

    def note_loop(
        self, result: SSAValue, init: Buffer, argument: SSAValue, yielded: Buffer
    ) -> None:
        """Note what a loop with the result starts with, and yields for its argument."""
        if self.outside_of_loops(yielded) is argument:
            self._carried[result] = self.outside_of_loops(init)

    def note_yielded(self, result: SSAValue, source: Buffer) -> None:
        """Note what a conditional with the result yields for it in one region, after others."""
        same = self.outside_of_loops(source)
        before = self._same.get(result, same)
        self._same[result] = same if before == same else result

    def of(self, buffer: Buffer) -> Hashable:
        """The buffer, or the buffer and slice, that stands for this one."""
        return (
            buffer if isinstance(buffer, NewBuffer) else self._same.get(buffer, buffer)
        )

    def outside_of_loops(self, buffer: Buffer) -> Hashable:
        """The same, before the loops that only carry it."""
        same = self.of(buffer)
        return self._carried.get(same, same)

    def is_part(self, source: Buffer, destination: Buffer, part: Hashable) -> bool:
        """Whether the source is the part of the destination already."""
        same = self.outside_of_loops(source)
        if part is WHOLE:
            container = self.outside_of_loops(destination)
        else:
            container = self.of(destination)
        return same is container or same == _Part(container, part)
