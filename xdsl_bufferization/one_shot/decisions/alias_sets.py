"""
Alias sets: tensors whose buffers may overlap, given the operands that are in place.

    %r = tensor.insert %f into %t[%i]      // in place: {%t, %r}, with a write at this position
    %a = tensor.extract_slice %r[0] [2] [1]  // in place: {%t, %r, %a}
    %s = arith.select %c, %a, %u           // both in place: {%t, %r, %a, %u, %s}

A union-find structure over the tensors of a program. Each set has the live ranges of the
reads of its tensors, and the in-place writes to them, both sorted by position. So a
decision asks which reads a write would disturb, instead of comparing all pairs. Sets only
grow, and the smaller one is added to the larger, so that an element is moved a logarithmic
number of times.

Read-only memory, and memory that is written:

    %c = arith.constant dense<0.0>
    %s = arith.select %p, %c, %new     // read-only: may be the constant
    %r = tensor.insert %f into %s[%i]  // so it works on a copy

A buffer is forwarded from an operand that is in place to the values that alias it. So a
write is one to read-only memory if there is a path from a read-only tensor to the one that
is written. Two paths to one tensor do no harm: `scf.if` may yield a constant or a new
buffer, as long as the result is not written.

`find_races` finds writes in parallel regions to memory from outside of them. Executions of a
parallel region may overlap, so that each needs memory of its own for what it writes, unless the
region is passed the memory to share it (`shared_outs` of `scf.forall`).

Source: the option `check-parallel-regions`,
https://mlir.llvm.org/docs/Passes/#-one-shot-bufferize
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from sortedcontainers import SortedKeyList

from xdsl_bufferization.one_shot.facts.live_ranges import (
    LiveRange,
    LiveRangeIndex,
    RangeSet,
    live_ranges,
)
from xdsl_bufferization.one_shot.facts.numbering import Components
from xdsl_bufferization.one_shot.facts.program import TensorProgram
from xdsl_bufferization.one_shot.facts.records import (
    RegionInfo,
    TensorOperand,
    ValueInfo,
)
from xdsl_bufferization.support.regions import block_of, reachable


class AliasSet:
    """The reads and writes of the memory that the tensors of one set share."""

    __slots__ = ("parent", "racing", "ranges", "writes")

    def __init__(self, ranges: RangeSet):
        self.parent: AliasSet | None = None
        """The set that this one became part of; its other fields are not valid then."""
        self.ranges = ranges
        self.writes: SortedKeyList[TensorOperand, int] | None = None
        """In-place writes, by position; `None` as long as there are none."""
        self.racing: TensorOperand | None = None
        """An in-place write that would race with others, so that nothing may read."""

    @property
    def weight(self) -> int:
        """How many reads and writes there are."""
        return len(self.ranges) + (0 if self.writes is None else len(self.writes))

    def add_write(self, write: TensorOperand) -> None:
        """Add an in-place write to one of the tensors."""
        if self.writes is None:
            self.writes = SortedKeyList(key=_position)
        self.writes.add(write)

    def writes_within(self, live_range: LiveRange) -> Iterator[TensorOperand]:
        """The in-place writes that may happen at the positions of the range."""
        if self.writes is None:
            return
        yield from self.writes.irange_key(live_range.start, live_range.end)
        # An op around the range starts before it, and may write within it.
        region = live_range.definition.region
        while (parent := region.parent) is not None:
            yield from self.writes_at(parent.enter)
            region = parent.region

    def writes_at(self, position: int) -> Iterator[TensorOperand]:
        """The in-place writes at that position."""
        return (
            iter(())
            if self.writes is None
            else self.writes.irange_key(position, position)
        )

    def absorb(self, other: AliasSet) -> None:
        """Add all of the other set, which is a part of this one then."""
        other.parent = self
        self.ranges.update(other.ranges)
        self.racing = self.racing or other.racing
        if other.writes is not None:
            if self.writes is None:
                self.writes = other.writes
            else:
                self.writes.update(other.writes)


def _position(operand: TensorOperand) -> int:
    return operand.position


class AliasSets:
    """
    The alias sets of a program: at first one for each tensor. Sets of different components
    are never merged, so the components that are started together have an index of their own.
    """

    def __init__(self, program: TensorProgram):
        self._sets: dict[ValueInfo, AliasSet] = {}
        self.start(program.whole)

    def start(self, part: Components) -> None:
        """Start again with a set for each tensor of the components."""
        index = LiveRangeIndex(
            live_range for value in part.values for live_range in live_ranges(value)
        )
        ranks: dict[ValueInfo, list[int]] = {value: [] for value in part.values}
        for rank, live_range in enumerate(index.ranges):
            ranks[live_range.read.value].append(rank)
        for value in part.values:
            self._sets[value] = AliasSet(RangeSet(index, ranks[value]))
            for write in value.writes:
                self._sets[value].add_write(write)

    def find(self, value: ValueInfo) -> AliasSet:
        """The set that the tensor is in."""
        alias_set = self._sets[value]
        if alias_set.parent is None:
            return alias_set
        root = alias_set
        while root.parent is not None:
            root = root.parent
        while alias_set.parent is not None and alias_set.parent is not root:
            alias_set.parent, alias_set = root, alias_set.parent
        self._sets[value] = root
        return root

    def union(self, a: AliasSet, b: AliasSet) -> AliasSet:
        """Merge two sets, and return the merged one."""
        if a is b:
            return a
        if a.weight < b.weight:
            a, b = b, a
        a.absorb(b)
        return a


class Writability:
    """
    Read-only and written tensors of a program, given the operands that are in place so far.

    A tensor is marked once as read-only and once as written, so that the time for all
    decisions together is linear in the number of operands.
    """

    def __init__(
        self, program: TensorProgram, is_writable: Callable[[ValueInfo], bool]
    ):
        self._program = program
        self._targets: dict[ValueInfo, list[ValueInfo]] = {}
        self._sources: dict[ValueInfo, list[ValueInfo]] = {}
        self._read_only: dict[ValueInfo, ValueInfo] = {}
        """By tensor that may be in read-only memory: a tensor that the memory is from."""
        self._written: set[ValueInfo] = set()
        """Tensors whose memory is written, by an op on them or on a value they alias."""
        self._is_writable = is_writable
        self.start(program.whole)

    def start(self, part: Components) -> None:
        """Start again with the tensors of the components, which are undecided."""
        for value in part.values:
            self._targets.pop(value, None)
            self._sources.pop(value, None)
            self._read_only.pop(value, None)
            self._written.discard(value)
        for value in part.values:
            if not self._is_writable(value):
                self._read_only[value] = value
        for value in part.values:
            if value.writes:
                self._mark_written(value)
        for info in part.ops:
            for group in self._program.aliasing_results(info):
                if group.values[0] in part:
                    for a, b in zip(group.values, group.values[1:], strict=False):
                        self._connect(a, b)
                        self._connect(b, a)

    def read_only(self, value: ValueInfo) -> ValueInfo | None:
        """A read-only tensor whose memory the value may have; `None` if there is none."""
        return self._read_only.get(value)

    def is_written(self, argument: ValueInfo) -> bool:
        """
        Whether memory that comes with the argument of a function is written in place.

        Its alias set may have writes to other memory only: here, to that of `%new`.

            %new = linalg.fill ins(%f) outs(%empty)
            %r = arith.select %c, %argument, %new
        """
        return argument in self._written

    def sources_of(self, values: Iterable[ValueInfo]) -> Collection[ValueInfo]:
        """The tensors whose memory may be that of the values, which are among them."""
        return reachable(values, lambda value: self._sources.get(value, ())).keys()

    def targets_of(self, values: Iterable[ValueInfo]) -> Collection[ValueInfo]:
        """The tensors that may be in the memory of the values, which are among them."""
        return reachable(values, lambda value: self._targets.get(value, ())).keys()

    def obstacle(self, operand: TensorOperand) -> ValueInfo | None:
        """A read-only tensor that would be written if the operand were in place."""
        origin = self._read_only.get(operand.value)
        if operand.owner.model is None:
            # An unknown op may write the memory of its results too.
            origins = (self._read_only.get(target) for target in self._aliases(operand))
            return origin or next(filter(None, origins), None)
        is_written = operand.writes or any(
            target in self._written for target in self._aliases(operand)
        )
        return origin if is_written else None

    def add(self, operand: TensorOperand) -> None:
        """Note that the operand is in place."""
        for target in self._aliases(operand):
            self._connect(operand.value, target)
        for memref in operand.memrefs:
            self._connect(operand.value, memref)
        if operand.writes:
            self._mark_written(operand.value)

    def _aliases(self, operand: TensorOperand) -> Iterable[ValueInfo]:
        return (self._program.values[alias.value] for alias in operand.aliases)

    def _connect(self, source: ValueInfo, target: ValueInfo) -> None:
        self._targets.setdefault(source, []).append(target)
        self._sources.setdefault(target, []).append(source)
        if (origin := self._read_only.get(source)) is not None:
            self._mark_read_only(target, origin)
        if target in self._written:
            self._mark_written(source)

    def _mark_read_only(self, value: ValueInfo, origin: ValueInfo) -> None:
        pending = [value]
        while pending:
            value = pending.pop()
            if value not in self._read_only:
                self._read_only[value] = origin
                pending += self._targets.get(value, ())

    def _mark_written(self, value: ValueInfo) -> None:
        pending = [value]
        while pending:
            value = pending.pop()
            if value not in self._written:
                self._written.add(value)
                pending += self._sources.get(value, ())


def is_writable(value: ValueInfo, program: TensorProgram) -> bool:
    """Whether the buffer that the op or block of the tensor defines may be written."""
    info = value.owner if value.owner is not None else value.region.parent
    if info is None or info.model is None:
        return False
    if value.owner is None and block_of(value.value).prev_block is not None:
        # That depends on what branches forward to the block.
        return True
    model = info.model
    return program.ask(info, lambda: model.is_writable(info.op, value.value, program))


def find_races(part: Components) -> Mapping[TensorOperand, ValueInfo]:
    """
    The operands of the components that would race if they were in place: an op in a parallel
    region writes them, but their contents or memory come from outside of it. Each with the
    tensor that they come from.
    """
    return {
        operand: origin
        for info in part.ops
        if (region := info.region.parallel) is not None
        for operand in part.operands(info)
        if operand.writes
        and (origin := _origin_outside(operand.value, region)) is not None
    }


def _origin_outside(value: ValueInfo, region: RegionInfo) -> ValueInfo | None:
    origins = value.definitions or _allocations(value)
    return next((o for o in origins if o.region.parallel is not region), None)


def _allocations(value: ValueInfo) -> Iterable[ValueInfo]:
    """The tensors that the memory of one without defined contents may come from."""
    sources = reachable([value], lambda v: (operand.value for operand, _ in v.sources))
    return (source for source in sources if not source.sources)
