"""
Fusion where it lowers the peak, as measured by the costs.

In each round, functions compute in their readers what `peak.py` finds at their peaks: all of it
at once; where that is not for the better, one half of it and then the other. What does not help is
undone. A function that has not gained anything in the end is put back. So the number of analyses
does not depend on the program.

What is added where elements are computed again is measured in *work*: how often the bodies of
structured ops run, and the ops in them, those in regions counted once.

Results to compute where they are read, so that a buffer is not live at a peak.

    %q = linalg.neg ins(%a) outs(%e)       // inner: %q is overwritten by %p
    %p = linalg.exp ins(%q) outs(%q)       // in the buffer at the peak
    ...                                    // the peak
    %r = linalg.generic ins(%p, %b) ...    // the reader: computes exp of neg of %a

All that reads what is in the buffer after the peak has to be able to compute it. What it reads
then instead is computed, too, if it is overwritten before, or if nothing else keeps it live.
Each candidate takes time in proportion to its ops and their uses.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from math import prod
from typing import NamedTuple

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineDimExpr

from xdsl_bufferization.support.limits import MAX_RECOMPUTED_OPS, MAX_RECOMPUTED_USES
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.support.xdsl_releases import linalg_ops
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.costs.profile import ASSUMED_EXTENT, Allocation
from xdsl_bufferization.tensors.fusion.fused_op import replace_by_fused_op
from xdsl_bufferization.tensors.fusion.group import (
    Group,
    Loops,
    Member,
    Read,
    is_elementwise,
    loops_of,
)
from xdsl_bufferization.tensors.fusion.peak import LiveRange, PeakMemory
from xdsl_bufferization.tensors.search import Limits, keep_better

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
"""Rounds of changes, each with an analysis of what has changed."""


class FusionSearch:
    """Changes functions whose peak may be lower, as long as they get better."""

    def __init__(
        self,
        program: AnalysedModule,
        functions: Collection[func.FuncOp],
        max_added_work: int,
    ):
        self._program = program
        self._former = program.remember(Costs)
        self._functions = [*functions]
        self._trials = {f: _Trial(max_added_work) for f in functions}

    def run(self) -> AbstractSet[func.FuncOp]:
        """Change the functions; returns those that are better."""
        start = self._program.changes.position
        changed: set[func.FuncOp] = set()
        for _ in range(MAX_ROUNDS):
            if (better := self._round()) is None:
                break
            changed |= better
        if not changed:
            return changed
        former = self._former
        return keep_better(
            self._program,
            start,
            changed,
            Limits(former, former),
            lambda f, costs: costs.peak(f) < former.peak(f),
        )

    def _round(self) -> AbstractSet[func.FuncOp] | None:
        """Make changes; returns the functions that are better by them, `None` if none is made."""
        self._propose()
        changes, before = self._program.changes, self._program.remember(Costs)
        position = changes.position
        tried = {f for f in self._functions if self._trials[f].apply(changes)}
        if not tried:
            return None
        better = keep_better(
            self._program,
            position,
            tried,
            Limits(before, before),
            lambda f, costs: _height(costs, f) < _height(before, f),
        )
        for function in tried:
            self._trials[function].finish(is_better=function in better)
        return better

    def _propose(self) -> None:
        """Look for candidates in the functions that have none left from the rounds before."""
        waiting = {f for f in self._functions if self._trials[f].is_waiting}
        if not waiting:
            return
        costs = self._program.remember(Costs)
        for function in waiting:
            decided = costs[function]
            self._trials[function].propose(PeakMemory(decided.uses, decided.profile))


def _height(costs: Costs, function: func.FuncOp) -> tuple[int, int]:
    """The peak, and the bytes of all that the function allocates."""
    allocated = sum(a.bytes for a in costs[function].allocations)
    return costs.peak(function), allocated


class _Trial:
    """The trials in a function."""

    def __init__(self, max_added_work: int):
        self._share = max_added_work
        self._work: dict[Block, int] = {}
        """By block: the work that may still be added."""
        self._added: tuple[Block, int] | None = None
        """The block of the last changes, and the work that they add."""
        self._failed: list[AbstractSet[Operation]] = []
        """Ops that are not fused for the better."""
        self._batches: list[Sequence[Recomputation]] = []
        self.is_waiting = True
        """Whether there is nothing left to try, and something has changed."""

    def propose(self, peak: PeakMemory) -> None:
        """Next, try the recomputations that lower the peak."""
        self.is_waiting = False
        new = [
            recomputation
            for recomputation in recomputations(peak)
            if recomputation.ops.keys() not in self._failed
        ]
        together = merged(new)
        # Parts of it would lower the peak less.
        if new and peak.peak_with(together.ranges, together.kept) < peak.bytes:
            self._batches = [new]

    def apply(self, changes: Changes) -> bool:
        """Make the changes of the next batch; whether there is one."""
        while self._batches:
            groups = merged(self._batches[-1]).groups()
            if groups and self._admits(groups):
                for group in groups:
                    if len(group.members) > 1:
                        replace_by_fused_op(group, changes)
                return True
            self.finish(is_better=False)
        return False

    def _admits(self, groups: Sequence[Group]) -> bool:
        """Whether what the groups compute again is within the limit."""
        added, block = added_by(groups), groups[0].root.loops.op.parent
        if added is None or block is None:
            return False
        if added > 0 and block not in self._work:
            self._work[block] = work_of(block) * self._share // 100
        self._added = (block, added) if added > 0 else None
        return added <= self._work.get(block, 0)

    def finish(self, *, is_better: bool) -> None:
        """Note whether the last batch has been for the better."""
        batch = self._batches.pop()
        if is_better:
            self._batches.clear()
            self.is_waiting = True
            if self._added is not None:
                block, added = self._added
                self._work[block] -= added
        elif len(batch) > 1:
            half = (len(batch) + 1) // 2
            self._batches += [batch[half:], batch[:half]]
        else:
            self._failed.append(batch[0].ops.keys())


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


def merged(parts: Iterable[Recomputation]) -> Recomputation:
    """All of them at once."""
    ops: dict[Operation, None] = {}
    inner: dict[Operation, None] = {}
    readers: dict[Operation, None] = {}
    ranges: dict[Allocation, Sequence[LiveRange]] = {}
    kept: dict[Allocation, float] = {}
    gain = 0
    for part in parts:
        ops.update(part.ops)
        inner.update(part.inner)
        readers.update(part.readers)
        ranges.update(part.ranges)
        for allocation, until in part.kept.items():
            kept[allocation] = max(until, kept.get(allocation, until))
        gain += part.gain
    return Recomputation(ops, inner, readers, gain, ranges, kept)


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
                use.index >= loops.num_inputs and Read.is_needed(loops, use.index)
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
