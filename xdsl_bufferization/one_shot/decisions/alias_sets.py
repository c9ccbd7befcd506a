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
"""

from __future__ import annotations

from collections.abc import Iterator

from sortedcontainers import SortedKeyList

from xdsl_bufferization.one_shot.facts.components import Components
from xdsl_bufferization.one_shot.facts.live_ranges import (
    LiveRange,
    LiveRangeIndex,
    RangeSet,
    live_ranges,
)
from xdsl_bufferization.one_shot.facts.program import TensorProgram
from xdsl_bufferization.one_shot.facts.records import TensorOperand, ValueInfo


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
