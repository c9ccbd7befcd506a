"""
The copies that the decisions ask for, and the buffers that take the place of others by them.

    %b = linalg.fill ins(%f : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>

If the second operand is out of place, a new buffer is allocated before the op, `%a` is copied to
it if the contents matter, and the op writes the new buffer. An op that only forwards its operand
has its result copied instead, after the op. What a terminator forwards in the wrong buffer is
copied before the terminator.

Which tensors are known to be one buffer, or one slice of one: copies between them are not made.

A tensor stands for what it was derived from, by ops in destination-passing style, casts,
reshapes there and back, `scf.for` and `scf.while` loops that yield the buffer that they started
with, and conditionals that yield the same in each region. Each value is noted once, in program
order, or once for each region; answers take constant time.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import UnrankedTensorType
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.bufferizable import ForwardedCopy
from xdsl_bufferization.interfaces.contents import Reshape, cast_source
from xdsl_bufferization.interfaces.subset import WHOLE
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.facts.records import OpInfo, TensorOperand
from xdsl_bufferization.one_shot.rewriting.tensor_copies import (
    forwarded_to,
    where_copies_may_be,
)
from xdsl_bufferization.tensors.costs.buffer_uses import SCALE, BufferUses
from xdsl_bufferization.tensors.costs.profile import Buffer, NewBuffer, Touch


class DecidedCopies:
    """
    The copies of a function, recorded in `uses` op by op, in program order.

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
    """Buffers and slices of a function, each with one that stands for all like it."""

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
