"""
Fusion where it lowers the peak, as measured by the costs.

Functions compute in their readers what is live at their peaks and could be computed there: all of
it at once; where that is not for the better, one half of it and then the other. The driver
(`../search.py`) prices the candidates, again and again from the best one. A function that has not
gained anything in the end is put back. So the number of analyses does not depend on the program.

What is added where elements are computed again is measured in *work*: how often the bodies of
structured ops run, and the ops in them, those in regions counted once.

A `Recomputation` is of results that are computed where they are read, so that a buffer is not live
at a peak:

    %q = linalg.neg ins(%a) outs(%e)       // inner: %q is overwritten by %p
    %p = linalg.exp ins(%q) outs(%q)       // in the buffer at the peak
    ...                                    // the peak
    %r = linalg.generic ins(%p, %b) ...    // the reader: computes exp of neg of %a

All that reads what is in the buffer after the peak has to be able to compute it. What it reads
then instead is computed, too, if it is overwritten before, or if nothing else keeps it live.
Each candidate takes time in proportion to its ops and their uses.

That pays if what is read instead is live anyway, or smaller. Elementwise ops that compute what is
read are computed again, too, as long as these are few. Which peak is left is
estimated from the live ranges, before anything is changed.

Cost: time in proportion to the largest buffers that are live at the peak and their uses, if none of
them can be done without; otherwise in proportion to the function.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cached_property
from itertools import chain
from math import prod
from typing import NamedTuple, TypeAlias

from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineDimExpr

from xdsl_bufferization.host.releases import linalg_ops
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.support.limits import (
    MAX_BUFFERS_AT_PEAK,
    MAX_PEAKS,
    MAX_RECOMPUTED_OPS,
    MAX_RECOMPUTED_USES,
)
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.buffer_uses import SCALE
from xdsl_bufferization.tensors.costs.costs import Costs, DecidedFunction
from xdsl_bufferization.tensors.costs.profile import (
    ASSUMED_EXTENT,
    Allocation,
    Buffer,
    Profile,
)
from xdsl_bufferization.tensors.fusion.group import (
    Group,
    Loops,
    Member,
    Read,
    is_elementwise,
    loops_of,
    replace_by_fused_op,
)
from xdsl_bufferization.tensors.search import Candidates, Score, lower_peaks

_FREE = {linalg_ops.IndexOp.name, linalg_ops.YieldOp.name, arith.ConstantOp.name}
"""Ops that compute nothing."""


def iterations(loops: Loops) -> int | None:
    """How often the body runs, as far as known or assumed; `None` if no shape tells."""
    sizes: dict[int, int] = {}
    for value, map in zip(loops.op.operands, loops.maps, strict=True):
        if not isinstance(value.type, TensorType):
            continue
        shape = value.type.get_shape()
        for size, index in zip(shape, map.results, strict=True):
            if isinstance(index, AffineDimExpr):
                if size != DYNAMIC_INDEX:
                    sizes[index.position] = size
                else:
                    sizes.setdefault(index.position, ASSUMED_EXTENT)
    return prod(sizes.values()) if len(sizes) == len(loops.iterators) else None


def ops_in_body(loops: Loops) -> int:
    """The ops that an iteration runs, without those that compute nothing."""
    return sum(1 for op in walk([loops.op]) if op.name not in _FREE) - 1


def added_by(groups: Sequence[Group]) -> int | None:
    """
    The work that the groups add, given that producers are removed where only the groups read
    them; `None` if it is not known.
    """
    computed = 0
    fused: dict[Operation, Loops] = {}
    for group in groups:
        times = iterations(group.root.loops)
        for member in group.members[1:]:
            number = ops_in_body(member.loops)
            if number and times is None:
                return None
            computed += number * (times or 0)
            fused[member.loops.op] = member.loops
    changed = {group.root.loops.op for group in groups} | fused.keys()
    return computed - sum(
        ops_in_body(loops) * (iterations(loops) or 0)
        for op, loops in fused.items()
        if all(use.operation in changed for r in op.results for use in r.uses)
    )


def work_of(block: Block) -> int:
    """The work of the structured ops in the block, as far as it is known."""
    found = (loops_of(op) for op in walk(block.ops))
    return sum(
        ops_in_body(loops) * (iterations(loops) or 0)
        for loops in found
        if loops is not None
    )


MAX_ROUNDS = 12
"""Candidates of a function, each with an analysis of what has changed."""


def fuse_at_peaks(
    program: AnalysedModule, functions: Collection[func.FuncOp], max_added_work: int
) -> AbstractSet[func.FuncOp]:
    """Change functions as long as their peaks get lower; returns those that are better."""
    candidates = {f: _Candidates(max_added_work) for f in functions}
    return lower_peaks(
        program,
        candidates.keys(),
        range(MAX_ROUNDS),
        lambda memory: candidates[memory.function].of(PeakMemory(memory)),
        _height,
        _fuse,
    )


def _height(function: func.FuncOp, costs: Costs) -> Score:
    """The peak, and the bytes of all that the function allocates."""
    allocated = sum(a.bytes for a in costs[function].allocations)
    return costs.peak(function), allocated


def _fuse(program: AnalysedModule, candidates: Iterable[Sequence[Group]]) -> None:
    for group in chain(*candidates):
        # A group before this one may have replaced an op that this one computes again.
        are_there = all(m.loops.op.parent is not None for m in group.members)
        if are_there and len(group.members) > 1:
            replace_by_fused_op(group, program.changes)


class _Candidates:
    """Candidates in a function: all that lowers the peak, then one half of it and the other."""

    def __init__(self, max_added_work: int):
        self._share = max_added_work
        self._work: dict[Block, int] = {}
        """By block: the work that may still be added."""
        self._failed: list[AbstractSet[Operation]] = []
        """Ops that are not fused for the better."""
        self._left = MAX_ROUNDS

    def of(self, memory: PeakMemory) -> Candidates[Sequence[Group]]:
        """The groups of each candidate, given the memory now."""
        new = [r for r in recomputations(memory) if r.ops.keys() not in self._failed]
        together = merged(new)
        # Parts of it would lower the peak less.
        if not new or memory.peak_with(together.ranges, together.kept) >= memory.bytes:
            return
        # When the next candidate is asked for, the last one is still applied.
        for batch, groups, work in [*map(self._candidate, _halves(new))]:
            if work is not None and self._left:
                self._left -= 1
                outcome = yield groups
                if outcome.is_better:
                    block, added = work
                    if added > 0:
                        self._work[block] -= added
                    return
            if len(batch) == 1:
                self._failed.append(batch[0].ops.keys())

    def _candidate(
        self, batch: Sequence[Recomputation]
    ) -> tuple[Sequence[Recomputation], Sequence[Group], tuple[Block, int] | None]:
        """
        The recomputations, with their groups, and the block and the work that they add to it;
        `None` if that is more than may be added.
        """
        groups = merged(batch).groups()
        block = groups[0].root.loops.op.parent if groups else None
        added = added_by(groups)
        if added is None or block is None:
            return batch, groups, None
        if added > 0 and block not in self._work:
            self._work[block] = work_of(block) * self._share // 100
        is_within = added <= self._work.get(block, 0)
        return batch, groups, (block, added) if is_within else None


def _halves(batch: Sequence[Recomputation]) -> Iterator[Sequence[Recomputation]]:
    """All of them, then one half, and its halves, and the other one."""
    yield batch
    if len(batch) > 1:
        half = (len(batch) + 1) // 2
        yield from _halves(batch[:half])
        yield from _halves(batch[half:])


class Recomputation(NamedTuple):
    """Results that are computed where they are read."""

    ops: Mapping[Operation, None]
    """The ops whose results are not read any more by the readers."""
    inner: Mapping[Operation, None]
    """Ops that are computed for these only."""
    readers: Mapping[Operation, None]
    """The ops that read the results after the peak."""
    gain: int
    """By how many bytes less are live at the peak."""
    ranges: Mapping[Allocation, Sequence[LiveRange]]
    """When buffers are live then, instead of when they are now."""
    kept: Mapping[Allocation, float]
    """Until when buffers are live at least."""

    def groups(self) -> Sequence[Group]:
        """The readers, each with what it computes then."""
        left = self.ops.keys()
        found: list[Group] = []
        for reader in self.readers:
            loops = None if reader in left else loops_of(reader)
            if loops is not None:
                found.append(Group(loops, left))
                self._grow(found[-1])
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


def recomputations(memory: PeakMemory) -> Sequence[Recomputation]:
    """
    The candidates for recomputation, largest gain first: where that is possible, so that a buffer
    is not needed at any time from the peak on.
    """
    found: dict[Allocation, Recomputation] = {}
    for time in memory.times:
        for allocation in memory.live_at(time):
            if allocation not in found:
                new = _of_buffer(memory, time, allocation)
                if new is not None:
                    found[allocation] = new
    return sorted(found.values(), key=lambda new: -new.gain)


def merged(parts: Sequence[Recomputation]) -> Recomputation:
    """All of them at once."""
    kept: dict[Allocation, float] = {}
    for part in parts:
        for allocation, until in part.kept.items():
            kept[allocation] = max(until, kept.get(allocation, until))
    return Recomputation(
        {op: None for part in parts for op in part.ops},
        {op: None for part in parts for op in part.inner},
        {op: None for part in parts for op in part.readers},
        sum(part.gain for part in parts),
        dict(chain.from_iterable(part.ranges.items() for part in parts)),
        kept,
    )


def _of_buffer(
    memory: PeakMemory, time: float, allocation: Allocation
) -> Recomputation | None:
    values = memory.values_from(time, allocation)
    if (found := _Chain(memory, time, allocation).find(values)) is not None:
        return found
    live = [value for value in values if memory.defined_at(value) <= time]
    first = live or sorted(values, key=memory.defined_at)[:1]
    if len(first) == len(values):
        return None
    return _Chain(memory, time, allocation).find(first)


class _Chain:
    """The ops that have to be computed again for one buffer at a peak."""

    def __init__(self, memory: PeakMemory, time: float, allocation: Allocation):
        self._memory = memory
        self._time = time
        self._allocation = allocation
        self._block: Block | None = None
        self._ops: dict[Operation, None] = {}
        self._inner: dict[Operation, None] = {}
        self._readers: dict[Operation, None] = {}
        self._loops: dict[Operation, Loops] = {}

    def find(self, values: Sequence[SSAValue]) -> Recomputation | None:
        """
        The recomputation without which these values in the buffer are needed; `None` if that is not
        possible, or does not pay.
        """
        if MAX_RECOMPUTED_OPS.exceeded_by(len(values)) or not all(
            map(self._collect, values)
        ):
            return None
        if self._readers.keys() <= self._ops.keys():
            return None
        until = max(map(self._memory.time_of, self._readers))
        kept = self._kept(until)
        if kept is None:
            return None
        added = self._memory.bytes_added(kept, self._time)
        gain = self._allocation.bytes - added
        if gain <= 0:
            return None
        ranges = self._memory.ranges_without(
            self._allocation, self._unused(), self._time
        )
        return Recomputation(
            self._ops,
            self._inner,
            self._readers,
            gain,
            {self._allocation: ranges},
            dict.fromkeys(kept, until + 1),
        )

    def _collect(self, value: SSAValue) -> bool:
        """Let the readers compute the value; whether they can."""
        if not isinstance(value, OpResult):
            return False
        readers = self._readers_of(value.op)
        if readers is None or not self._add(value.op, self._ops):
            return False
        self._readers.update(dict.fromkeys(readers))
        return True

    def _readers_of(self, op: Operation) -> Sequence[Operation] | None:
        """
        The ops that read the results of an op from the peak on; `None` if one of them cannot
        compute them.
        """
        found: dict[Operation, None] = {}
        for number, use in enumerate((use for r in op.results for use in r.uses), 1):
            user = use.operation
            if MAX_RECOMPUTED_USES.exceeded_by(number) or user.parent is not op.parent:
                return None
            if self._memory.time_of(user) < self._time:
                continue
            loops = loops_of(user)
            if loops is None or (
                use.index >= loops.num_inputs and loops.reads(use.index)
            ):
                return None
            found[user] = None
        return [*found]

    def _add(self, op: Operation, ops: dict[Operation, None]) -> bool:
        """Compute an op where it is read; whether that is possible."""
        if op in self._loops:
            return True
        if self._block not in (None, op.parent):
            return False
        if MAX_RECOMPUTED_OPS.exceeded_by(len(self._loops) + 1):
            return False
        loops = loops_of(op)
        if loops is None or not is_elementwise(loops):
            return False
        self._block = op.parent
        self._loops[op] = loops
        ops[op] = None
        return True

    def _kept(self, until: float) -> Sequence[Allocation] | None:
        """
        The buffers that are read then and would not be live so long; `None` if one of them has
        other contents by then. What can be computed instead, is.
        """
        kept: dict[Allocation, None] = {}
        seen: set[SSAValue] = set()
        pending = [*self._ops]
        while pending:
            for value in _read_by(self._loops[pending.pop()]):
                if value in seen or value.owner in self._loops:
                    continue
                seen.add(value)
                if self._memory.last_use(value) >= until:
                    continue
                buffers = self._memory.buffers_of(value)
                is_lost = self._is_lost(value, buffers, until)
                if not is_lost and not self._memory.bytes_added(buffers, self._time):
                    kept.update(dict.fromkeys(buffers))
                elif isinstance(value, OpResult) and self._add(value.op, self._inner):
                    pending.append(value.op)
                elif is_lost:
                    return None
                else:
                    kept.update(dict.fromkeys(buffers))
        return [*kept]

    def _is_lost(
        self, value: SSAValue, buffers: Sequence[Allocation], until: float
    ) -> bool:
        return self._allocation in buffers or (
            self._memory.is_overwritten(value, until)
        )

    def _unused(self) -> Container[Operation | None]:
        """The ops that nothing needs any more, and those that read no more from the buffer."""
        late = self._readers.keys() | self._ops.keys()
        return {
            op
            for op in self._ops
            if all(use.operation in late for r in op.results for use in r.uses)
        } | {*self._readers}


def _read_by(loops: Loops) -> Iterator[SSAValue]:
    """The tensors that an op reads."""
    for index in Member.of(loops).reads():
        value = loops.op.operands[index]
        if isinstance(value.type, TensorType):
            yield value


LiveRange: TypeAlias = tuple[float, float]
"""From when on something is live, and when it is not any more."""


class PeakMemory:
    """The memory of the default memory space that a function allocates, as decided."""

    def __init__(self, decided: DecidedFunction):
        profile, self._uses = decided.profile, decided.uses
        self._allocations = profile.allocations
        self.bytes: int = profile.peak
        """The peak."""
        at_peak = (time for time, size in profile.steps if size == self.bytes)
        self.times: Sequence[float] = MAX_PEAKS.first(at_peak)
        """When it is reached."""

    def live_at(self, time: float) -> Sequence[Allocation]:
        """The largest buffers that are live at a time."""
        live = (a for a in self._allocations if a.is_live(time))
        return MAX_BUFFERS_AT_PEAK.first(
            sorted(live, key=lambda a: a.bytes, reverse=True)
        )

    def values_from(self, time: float, allocation: Allocation) -> Sequence[SSAValue]:
        """The tensors in the buffer that are read from the time on."""
        return [
            value
            for value in allocation.values
            if isinstance(value, SSAValue)
            and not isinstance(value.owner, tensor.EmptyOp)
            and any(self.time_of(use.operation) >= time for use in value.uses)
        ]

    def time_of(self, op: Operation) -> float:
        """When the op runs."""
        return self._uses.points.position(op) * SCALE

    def defined_at(self, value: SSAValue) -> float:
        """When the value is there."""
        return self._uses.points.defined_at(value) * SCALE

    def last_use(self, value: SSAValue) -> float:
        """The time of the last use of the value."""
        return max((self.time_of(use.operation) for use in value.uses), default=0)

    def buffers_of(self, value: SSAValue) -> Sequence[Allocation]:
        """The buffers that the value may be in."""
        return self._buffers.get(value, ())

    def is_overwritten(self, value: SSAValue, until: float) -> bool:
        """Whether the buffers of the value have other contents at a time afterwards."""
        defined = self.defined_at(value)
        return any(
            isinstance(other, OpResult)
            and defined < self.time_of(other.op) <= until
            and DestinationStyleOpInterface.of(other.op) is not None
            for allocation in self.buffers_of(value)
            for other in allocation.values
        )

    def bytes_added(self, kept: Sequence[Allocation], time: float) -> int:
        """The bytes that are live at a time, too, if the buffers are kept that long."""
        return sum(a.bytes for a in kept if not a.is_live(time))

    def ranges_without(
        self, allocation: Allocation, ops: Container[Operation | None], time: float
    ) -> Sequence[LiveRange]:
        """
        When the buffer is live if the ops do not use it, and it is split at a time at which
        nothing else needs what it holds.
        """
        start, end = allocation.start, allocation.end
        touched = [
            touch.first
            for touch in allocation.touches
            if self._uses.points.at[touch.position] not in ops
        ]
        before = max((t for t in touched if t < time), default=None)
        written = [
            self.time_of(value.op)
            for value in allocation.values
            if isinstance(value, OpResult)
            and value.op not in ops
            and self.time_of(value.op) > time
            and not isinstance(value.op, tensor.EmptyOp)
        ]
        ranges = [] if before is None else [(start, before + 1)]
        return [*ranges, (min(written), end)] if written else ranges

    def peak_with(
        self,
        ranges: Mapping[Allocation, Sequence[LiveRange]],
        kept: Mapping[Allocation, float],
    ) -> int:
        """The peak if buffers are live at other times, or are kept up to a time."""
        return Profile(
            replace(a, start=round(start), end=max(end, kept.get(a, 0)))
            for a in self._allocations
            for start, end in ranges.get(a, [(a.start, a.end)])
        ).peak

    @cached_property
    def _buffers(self) -> Mapping[Buffer, Sequence[Allocation]]:
        found: dict[Buffer, list[Allocation]] = {}
        for allocation in self._allocations:
            for value in allocation.values:
                found.setdefault(value, []).append(allocation)
        return found
