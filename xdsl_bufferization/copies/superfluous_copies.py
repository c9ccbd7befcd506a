"""
Which copies are not needed, as one piece of memory may serve for source and target.

From the copy on, both have the same contents. They may be the same memory if nobody can
tell: neither is written while the other one's contents are still to be read, and neither
is freed while the other one is still used. If it is the target that remains, nobody may
access that either from the first write to the source on up to the copy.

Source: the pass `copy-removal` that MLIR had until LLVM 12; the conditions are those for
coalescing the source and the target of a copy, Chaitin, "Register Allocation & Spilling via
Graph Coloring", 1982
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.buffers.memory_accesses import Memory, MemoryAccesses, access_to
from xdsl_bufferization.interfaces.buffer_effects import BufferEffect
from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.support.call_graph import is_function
from xdsl_bufferization.support.memref_types import has_identity_layout, without_casts
from xdsl_bufferization.support.shaped_types import is_memref_type


@dataclass(frozen=True, slots=True)
class Reuse:
    """A copy that is not needed if one memref takes the place of another."""

    copy: Operation
    removed: OpResult
    """What is allocated in vain."""
    kept: SSAValue
    deallocs: Sequence[Operation]
    """What frees memory too early or in vain then."""


class SuperfluousCopies:
    """Finds what copies could do without."""

    def __init__(self, accesses: MemoryAccesses):
        self._accesses = accesses
        self._points = accesses.points

    def reuses(self, copy: Operation) -> Iterator[Reuse]:
        """The ways to do without the copy, the best one first."""
        model = CopyOpInterface.of(copy)
        assert model is not None
        source, target = model.source(copy), model.target(copy)
        if not (is_memref_type(source.type) and is_memref_type(target.type)):
            return
        if (new := self._allocated(target, copy)) is not None:
            if (reuse := self._rename(copy, source, new)) is not None:
                yield reuse
            elif (reuse := self._reuse_source(copy, source, new)) is not None:
                yield reuse
        if (
            old := self._allocated(source, copy)
        ) is not None and target.owner is not copy:
            reuse = self._reuse_target(copy, old, target)
            if reuse is not None:
                yield reuse

    def _allocated(self, value: SSAValue, copy: Operation) -> OpResult | None:
        """
        What the memref is all of, if that is allocated in the function, each time the copy
        is run.
        """
        value = without_casts(value)
        if (
            not isinstance(value, OpResult)
            or not self._points.is_reached(value.op)
            or self._points.line(value.op) is not self._points.line(copy)
            or value in self._accesses.is_promised
            or len(value.op.results) != 1
            or not self._accesses.is_new(value)
        ):
            return None
        return value

    # Reusing the source

    def _rename(
        self, copy: Operation, source: SSAValue, target: OpResult
    ) -> Reuse | None:
        """
        If the source is not used any more, the target is nothing but another name for it,
        whatever becomes of that.
        """
        accesses, points = self._accesses, self._points
        position = points.position(copy)
        memories = accesses.memories(source)
        old = self._allocated(source, copy)
        if (
            old is None
            or len(memories) != 1
            or memories[0].allocated is not old
            or old is target
        ):
            return None
        memory = memories[0]
        deallocs = [*memory.deallocs]
        if (
            memory.fresh_at is None
            or memory.is_on_stack
            or accesses.is_on_stack(target)
            or memory.is_returned
            or max(memory.reads.last(), memory.writes.last()) > position
            or memory.handed.last() > position
            or len(memory.frees) > len(deallocs)
            or len(deallocs) > 1
            or accesses.first_access.get(target, math.inf) < position
        ):
            return None
        if deallocs and not (
            points.line(deallocs[0]) is points.line(copy)
            and points.position(deallocs[0]) > position
        ):
            return None
        return Reuse(copy, target, source, deallocs)

    def _reuse_source(
        self, copy: Operation, source: SSAValue, target: OpResult
    ) -> Reuse | None:
        memory = self._accesses.memory(target)
        position = self._points.position(copy)
        if (
            not self._is_replaceable(memory, target)
            or memory.reads.from_(0) < position
            or memory.writes.from_(0) < position
            or memory.handed.from_(0) < position
            or not self._may_be_one(memory, target, source, copy)
        ):
            return None
        return Reuse(copy, target, source, [*memory.deallocs])

    # Reusing the target

    def _reuse_target(
        self, copy: Operation, source: OpResult, target: SSAValue
    ) -> Reuse | None:
        memory = self._accesses.memory(source)
        points = self._points
        if not self._is_replaceable(memory, source):
            return None
        allocated = points.position(source.op)
        if min(memory.reads.from_(0), memory.handed.from_(0)) < allocated:
            return None
        position = points.position(copy)
        first = memory.writes.from_(0)
        if first < allocated:
            return None
        start = min(self._start(first, memory), position)
        for other in self._accesses.memories(target):
            if other is memory:
                return None
            read, write = other.reads.from_(start), other.writes.from_(start)
            if read == first == start and self._is_in_step(read, target, source):
                read = other.reads.behind(start)
            if min(read, write, other.frees.from_(start)) < position:
                return None
        if not self._may_be_one(memory, source, target, copy):
            return None
        return Reuse(copy, source, target, [*memory.deallocs])

    # Conditions

    @staticmethod
    def _is_replaceable(memory: Memory, allocated: OpResult) -> bool:
        """Whether all is known of what is allocated there, and what frees it."""
        return (
            memory.allocated is allocated
            and memory.is_local
            and memory.fresh_at is not None
            and not memory.is_returned
            and len(memory.frees) == len(memory.deallocs)
        )

    def _may_be_one(
        self, memory: Memory, removed: OpResult, kept: SSAValue, copy: Operation
    ) -> bool:
        """Whether nobody can tell, after the copy, that one memref is the other."""
        position = self._points.position(copy)
        write = memory.writes.behind(position)
        start = math.inf
        last_read, last = memory.reads.last(), memory.writes.last()
        read_end = self._end(last_read, memory) if last_read > position else position
        end = self._end(last, memory) if last > position else position
        end = max(end, read_end)
        for other in self._accesses.memories(kept):
            if other is memory or (other.is_on_stack and len(memory.handed)):
                return False
            if write < math.inf:
                if other.is_constant:
                    return False
                start = self._start(write, other)
                read = other.reads.from_(start)
                if read == start == write and self._is_in_step(write, kept, removed):
                    read = other.reads.behind(start)
                if read < math.inf:
                    return False
            if other.frees.behind(position) <= end:
                return False
            overwritten = other.writes.behind(position)
            if overwritten <= read_end and not (
                overwritten == read_end == last_read
                and self._is_in_step(overwritten, removed, kept)
            ):
                return False
        return True

    def _start(self, position: float, other: Memory) -> float:
        """From where on an access may happen, to what is the same piece of the memory."""
        if position == math.inf:
            return position
        loop = self._points.loop(int(position), other.fresh_at)
        return position if loop is None else loop.first

    def _end(self, position: float, memory: Memory) -> float:
        """Until when an access to the same piece of the memory may happen."""
        if position >= len(self._points.at):
            return position
        loop = self._points.loop(int(position), memory.fresh_at)
        return position if loop is None else loop.last

    def _is_in_step(self, position: float, read: SSAValue, written: SSAValue) -> bool:
        """
        Whether the op there, where it reads the one memory and writes the other one,
        reads each element before it writes that of the same position.
        """
        op = self._points.at[int(position)]
        assert op is not None
        model, copy = BufferizableOpInterface.of(op), CopyOpInterface.of(op)
        sources = [*self._operands_in(op, read, BufferEffect.READ)]
        targets = [*self._operands_in(op, written, BufferEffect.WRITE)]
        for a in sources:
            for b in targets:
                if a == b:
                    continue
                is_elementwise = (
                    copy is not None and not op.results
                    if model is None
                    else model.is_elementwise(op, a, b)
                )
                if not (
                    is_elementwise
                    and without_casts(op.operands[b]) is without_casts(written)
                    and _are_same_or_disjoint(op.operands[a], read)
                ):
                    return False
        return True

    def _operands_in(
        self, op: Operation, value: SSAValue, wanted: BufferEffect
    ) -> Iterator[int]:
        """The operands in memory that the value may be in, on which the op does that."""
        memories = self._accesses.memories(value)
        for index, operand in enumerate(op.operands):
            if is_memref_type(operand.type):
                if wanted in access_to(op, index) and any(
                    memory in memories for memory in self._accesses.memories(operand)
                ):
                    yield index


def _are_same_or_disjoint(a: SSAValue, b: SSAValue) -> bool:
    """
    Whether the memrefs are the same, or arguments that may be, but do not overlap in part:
    without a layout, each is all of a piece of memory.
    """
    a, b = without_casts(a), without_casts(b)
    return a is b or (
        a.type == b.type
        and has_identity_layout(a.type)
        and _is_argument(a)
        and _is_argument(b)
    )


def _is_argument(value: SSAValue) -> bool:
    if not isinstance(value, BlockArgument):
        return False
    function = value.block.parent_op()
    return function is not None and is_function(function)
