"""
Buffers that are live at the peak, and would not be if what they hold were computed where it is
read afterwards.

    %p = linalg.exp ins(%a) ...          // %p is live up to its last reader
    ...                                  // the peak
    %r = linalg.generic ins(%p, %b) ...  // computes exp of %a itself: %p is not live at the peak

That pays if what is read instead is live anyway, or smaller. Elementwise ops that compute what is
read are computed again, too, as long as these are few.

Cost: time in proportion to the buffers that are live at the peak and their uses, if none of them
can be done without; otherwise in proportion to the function.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from xdsl.dialects import tensor
from xdsl.dialects.builtin import NoneAttr, TensorType
from xdsl.ir import Block, Operation, OpResult, SSAValue

from xdsl_bufferization.tensors.costs.buffer_uses import SCALE, BufferUses
from xdsl_bufferization.tensors.costs.figures import allocated_at
from xdsl_bufferization.tensors.costs.live_ranges import Allocation
from xdsl_bufferization.tensors.fusion.group import Group, Member, Read
from xdsl_bufferization.tensors.fusion.loops import Loops, is_elementwise, loops_of

MAX_OPS = 16
"""Ops that are computed where another op reads their results, for one buffer."""

MAX_USES = 64
"""A tensor with more uses than these is not computed again."""


class Candidate(NamedTuple):
    """What is computed where it is read, so that a buffer is not live at the peak."""

    ops: dict[Operation, None]
    """The ops whose results are in the buffer: all that is read after the peak is computed."""
    inner: dict[Operation, None]
    """Ops that are computed for these only."""
    readers: dict[Operation, None]
    """The ops that read the results after the peak."""
    gain: int
    """By how many bytes less are live at the peak, as far as can be told."""

    def groups(self) -> list[Group]:
        """The readers, each with what it computes then."""
        left = frozenset(self.ops)
        found: list[Group] = []
        for reader in self.readers:
            loops = loops_of(reader)
            if loops is not None and reader not in self.ops:
                group = Group(loops, left)
                self._grow(group)
                found.append(group)
        return found

    def _grow(self, group: Group) -> None:
        pending = [group.root]
        while pending:
            reader = pending.pop()
            for operand in range(reader.loops.num_inputs):
                owner = reader.loops.op.operands[operand].owner
                if owner in self.ops or (
                    owner in self.inner and reader is not group.root
                ):
                    member = group.fuse([Read(reader, operand)])
                    if member is not None:
                        pending.append(member)


class PeakMemory:
    """The memory of the default memory space at the peak of a function, as decided."""

    def __init__(self, uses: BufferUses, allocations: Sequence[Allocation]):
        self._uses = uses
        self._allocations = [a for a in allocations if a.memory.space == NoneAttr()]
        self._time, self.bytes = self._peak()

    def _peak(self) -> tuple[float, int]:
        time, most = 0.0, 0
        for position, size in allocated_at(a.memory for a in self._allocations):
            if size > most:
                time, most = position, size
        return time, most

    def candidates(self, *, whole: bool) -> Sequence[Candidate]:
        """
        What may be computed where it is read, largest gain first; if `whole`, so that a buffer is
        not needed at any time from the peak on, where that is possible.
        """
        live = filter(self._is_live, self._allocations)
        found = (self._candidate(allocation, whole=whole) for allocation in live)
        return sorted(
            (candidate for candidate in found if candidate is not None),
            key=lambda candidate: -candidate.gain,
        )

    def _candidate(self, allocation: Allocation, *, whole: bool) -> Candidate | None:
        values = self._values_from_peak_on(allocation)
        if whole and (candidate := self._computed(allocation, values)) is not None:
            return candidate
        live = [value for value in values if self._defined_at(value) <= self._time]
        return self._computed(
            allocation, live or sorted(values, key=self._defined_at)[:1]
        )

    def _computed(
        self, allocation: Allocation, values: Sequence[SSAValue]
    ) -> Candidate | None:
        chain = _Chain(self, allocation)
        return chain.candidate() if chain.collect(values) else None

    def _is_live(self, allocation: Allocation) -> bool:
        return allocation.memory.start <= self._time < allocation.memory.end

    def _position(self, op: Operation) -> float:
        return self._uses.points.position(op) * SCALE

    def _is_used_from_peak_on(self, value: SSAValue) -> bool:
        return any(self._position(u.operation) >= self._time for u in value.uses)

    def readers(self, op: Operation) -> list[Operation] | None:
        """
        The ops that read the results of an op from the peak on; `None` if one of them cannot
        compute them.
        """
        found: dict[Operation, None] = {}
        for number, use in enumerate(u for r in op.results for u in r.uses):
            user = use.operation
            if number == MAX_USES or not self._uses.points.is_reached(user):
                return None
            if self._position(user) < self._time:
                continue
            loops = loops_of(user) if user.parent is op.parent else None
            if loops is None or (
                use.index >= loops.num_inputs
                and loops.body.args[use.index].first_use is not None
            ):
                return None
            found[user] = None
        return [*found]

    def _values_from_peak_on(self, allocation: Allocation) -> Sequence[SSAValue]:
        """The tensors in the buffer that are computed after the peak or read from then on."""
        return [
            value
            for value in self._uses.values_in(allocation.buffer)
            if isinstance(value, SSAValue)
            and not isinstance(value.owner, tensor.EmptyOp)
            and self._is_used_from_peak_on(value)
        ]

    def bytes_kept(self, value: SSAValue, until: float) -> int | None:
        """
        By how many bytes more are live at the peak if the tensor is read at a later time, too;
        `None` if its buffer has other contents by then.
        """
        size = 0
        for allocation in self._buffers.get(value, ()):
            for other in self._values[allocation.buffer]:
                if (
                    isinstance(other, OpResult)
                    and other is not value
                    and self._defined_at(value)
                    < self._position(other.op)
                    <= until
                    and loops_of(other.op) is not None
                ):
                    return None
            if not self._is_live(allocation):
                size += allocation.memory.size
        return size

    def _defined_at(self, value: SSAValue) -> float:
        return self._uses.points.defined_at(value) * SCALE

    def last_use(self, value: SSAValue) -> float:
        """The time of the last use of the value."""
        return max((self._position(u.operation) for u in value.uses), default=0)

    def is_in(self, value: SSAValue, allocation: Allocation) -> bool:
        """Whether the value may be in the buffer."""
        return any(a is allocation for a in self._buffers.get(value, ()))

    def time_of(self, op: Operation) -> float:
        """When the op runs."""
        return self._position(op)

    @cached_property
    def _values(self) -> dict[object, list[SSAValue]]:
        return {
            a.buffer: [
                v for v in self._uses.values_in(a.buffer) if isinstance(v, SSAValue)
            ]
            for a in self._allocations
        }

    @cached_property
    def _buffers(self) -> dict[SSAValue, list[Allocation]]:
        found: dict[SSAValue, list[Allocation]] = {}
        for allocation in self._allocations:
            for value in self._values[allocation.buffer]:
                found.setdefault(value, []).append(allocation)
        return found


class _Chain:
    """What has to be computed again for one buffer."""

    def __init__(self, memory: PeakMemory, allocation: Allocation):
        self._memory = memory
        self._allocation = allocation
        self._block: Block | None = None
        self._ops: dict[Operation, None] = {}
        self._inner: dict[Operation, None] = {}
        self._readers: dict[Operation, None] = {}
        self._loops: dict[Operation, Loops] = {}

    def collect(self, values: Iterable[SSAValue]) -> bool:
        """Find the ops that compute the tensors; whether all of them can be fused."""
        for value in values:
            if not isinstance(value, OpResult) or not self._add(value.op, self._ops):
                return False
        for op in self._ops:
            readers = self._memory.readers(op)
            if readers is None:
                return False
            self._readers.update(dict.fromkeys(readers))
        return bool(self._ops) and not self._readers.keys() <= self._ops.keys()

    def candidate(self) -> Candidate | None:
        """What is to be done; `None` if that does not pay."""
        until = max(map(self._memory.time_of, self._readers))
        gain = self._allocation.memory.size
        pending = [*self._ops]
        seen: set[SSAValue] = set()
        while pending:
            for value in self._read_by(self._loops[pending.pop()]):
                if value in seen or value.owner in self._loops:
                    continue
                seen.add(value)
                if self._memory.last_use(value) >= until:
                    continue
                kept = self._memory.bytes_kept(value, until)
                if kept == 0 and not self._memory.is_in(value, self._allocation):
                    continue
                owner = value.owner
                if isinstance(owner, Operation) and self._add(owner, self._inner):
                    pending.append(owner)
                elif kept is None or self._memory.is_in(value, self._allocation):
                    return None
                else:
                    gain -= kept
        if gain <= 0:
            return None
        return Candidate(self._ops, self._inner, self._readers, gain)

    def _add(self, op: Operation, ops: dict[Operation, None]) -> bool:
        if op in self._loops:
            return True
        if len(self._loops) == MAX_OPS:
            return False
        loops = loops_of(op)
        if loops is None or not is_elementwise(loops):
            return False
        if self._block is None:
            self._block = op.parent
        if self._block is not op.parent:
            return False
        self._loops[op] = loops
        ops[op] = None
        return True

    def _read_by(self, loops: Loops) -> Iterator[SSAValue]:
        """The tensors that an op reads."""
        for index in Member.of(loops).reads():
            value = loops.op.operands[index]
            if isinstance(value.type, TensorType):
                yield value
