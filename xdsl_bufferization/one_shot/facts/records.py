"""
The records of regions, ops, tensor operands and tensors of a program.

    %r = tensor.insert %f into %t[%i]    // position 2

    OpInfo         enter 2, exit 2, operands (the one below)
    TensorOperand  index 1, value %t, reads, writes, aliases (%r)
    ValueInfo      %r: sources (the operand), definitions (%r), start 3

`TensorProgram` fills these records; afterwards they stay as they are, until the program
changes. Two records are equal only if they are the same object.

`ControlFlow` has the blocks that may run between two points of a region. Source: the definition of
liveness in SSA form; see Boissinot et al., "Fast Liveness Checking for SSA-Form Programs", CGO
2008.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    BufferizableOpInterface,
    BufferRelation,
)
from xdsl_bufferization.support.regions import blocks_in_order, successors


@dataclass(slots=True, eq=False)
class RegionInfo:
    """A region, and how often and in which order its ops run."""

    parent: OpInfo | None
    """The op with the region; `None` for the scope as a whole."""
    is_repetitive: bool
    """Whether it may run more than once each time the parent runs."""
    parallel: RegionInfo | None
    """The innermost region, this one included, whose executions may overlap."""
    first: int
    """The position at which it opens, before its ops."""
    control_flow: ControlFlow | None
    """How its blocks follow each other, if there are several."""


@dataclass(slots=True, eq=False)
class OpInfo:
    """An op that has tensors or regions."""

    op: Operation
    model: BufferizableOpInterface | None
    """`None` for an op that is not bufferized: it may do anything with its tensors."""
    region: RegionInfo
    """The region that the op is in."""
    enter: int
    """The op's position; see `numbering.py`."""
    exit: int
    """The position after all ops in the op's regions; `enter` if it has no regions."""
    operands: Sequence[TensorOperand] = ()
    """The operands that are tensors, by ascending index."""
    groups: Sequence[AliasingGroup] | None = None
    """Groups of results that may share memory, whatever is in place; `None`: not asked yet."""
    is_known: bool = False
    """Whether the model's answers about operands are recorded, and hold as the op is."""
    consulted: Collection[SSAValue] | None = None
    """
    The tensors that the model has asked about before it answered; `None` if it has not looked
    at the rest of the program.
    """
    has_scalar_body: bool = False
    """Whether the op has regions, and no op in them has a tensor or a memref, or is a call."""

    def operand(self, index: int) -> TensorOperand | None:
        """The operand at that index among all operands, if it is a tensor."""
        at = bisect_left(self.operands, index, key=attrgetter("index"))
        found = self.operands[at] if at < len(self.operands) else None
        return None if found is None or found.index != index else found

    def encloses(self, position: int) -> bool:
        """Whether the position is that of the op, or of an op within its regions."""
        return self.enter <= position <= self.exit


@dataclass(slots=True, eq=False)
class TensorOperand:
    """A tensor operand of an op, and what the op does to it."""

    owner: OpInfo
    index: int
    """The index among all operands of the op."""
    value: ValueInfo
    reads: bool
    writes: bool
    aliases: Sequence[AliasingValue] = ()
    """The tensors that share the operand's buffer if it is in place."""
    memrefs: Sequence[ValueInfo] = ()
    """The memrefs that share the operand's buffer if it is in place."""

    @property
    def position(self) -> int:
        """The position of the op."""
        return self.owner.enter

    @property
    def only_reads(self) -> bool:
        """Whether the op, which is known, reads the operand and does nothing else with it."""
        return not (self.writes or self.aliases or self.memrefs) and (
            self.owner.model is not None
        )

    @property
    def must_be_in_place(self) -> bool:
        """Whether a copy cannot take the place of the operand."""
        model = self.owner.model
        return model is not None and model.must_be_in_place(self.owner.op, self.index)


@dataclass(slots=True, eq=False)
class ValueInfo:
    """A tensor, where its contents come from, and who reads them."""

    value: SSAValue
    region: RegionInfo
    """The region that defines the value."""
    owner: OpInfo | None
    """The op of a result; `None` for a block argument."""
    start: int
    """The first position at which a write could destroy the value's contents."""
    number: int
    """A number that no other value of the program has."""
    is_read: bool = False
    """Whether the contents reach an op that reads memory."""
    is_memory_read: bool = False
    """Whether an op may read the memory in which the value is, though overwritten before."""
    reads: list[TensorOperand] = field(default_factory=list["TensorOperand"])
    """Uses that read the buffer, or forward it to a value that is read."""
    writes: list[TensorOperand] = field(default_factory=list["TensorOperand"])
    """The uses that write a memref: these are in place, whatever is decided."""
    written_in_regions: list[TensorOperand] = field(
        default_factory=list["TensorOperand"]
    )
    """Uses that pass the buffer to regions that write it first and read it then."""
    sources: list[tuple[TensorOperand, AliasingValue]] = field(
        default_factory=list[tuple["TensorOperand", AliasingValue]]
    )
    """The operands whose buffer the value may share."""
    definitions: Sequence[ValueInfo] = ()
    """
    The values that determine the contents; none if the contents are undefined. Of several
    in one block the first stands for all: its contents have to survive longest.
    """

    def forget(self) -> None:
        """Take back all that is recorded of the uses and sources of a tensor."""
        self.is_read = self.is_memory_read = False
        self.reads.clear()
        self.written_in_regions.clear()
        self.sources.clear()


class AliasingGroup(NamedTuple):
    """Results of one op that may share memory, whatever is in place."""

    values: Sequence[ValueInfo]
    relation: BufferRelation


def earliest_per_block(definitions: Iterable[ValueInfo]) -> Sequence[ValueInfo]:
    """The first of the definitions in each block."""
    earliest: dict[Block | None, ValueInfo] = {}
    for definition in definitions:
        block = definition.value.owner
        if isinstance(block, Operation):
            block = block.parent
        known = earliest.get(block)
        if known is None or definition.start < known.start:
            earliest[block] = definition
    return tuple(earliest.values())


class ControlFlow:
    """
    The blocks of a region, in an order in which dominators come first, and the interval
    of positions of each; blocks that cannot be reached are left out.

    `set_interval` has to be called for each block before `live_intervals` is.
    """

    def __init__(self, region: Region):
        self.blocks: Sequence[Block] = blocks_in_order(region)
        order = {block: index for index, block in enumerate(self.blocks)}
        self._predecessors: dict[Block, list[Block]] = {b: [] for b in self.blocks}
        self._headers: set[Block] = set()
        self._intervals: dict[Block, tuple[int, int]] = {}
        self._between: dict[
            tuple[Block | None, Block], tuple[Sequence[tuple[int, int]], bool]
        ] = {}
        """By the blocks of a definition and a use: what `_blocks_between` has found."""
        for block in self.blocks:
            for successor in successors(block):
                self._predecessors[successor].append(block)
                if order[successor] <= order[block]:
                    self._headers.add(successor)

    def may_be_entered_again(self, block: Block) -> bool:
        """Whether the block itself, or a later one in the order, branches to it."""
        return block in self._headers

    def set_interval(self, block: Block, first: int, last: int) -> None:
        """The ops of the block have positions between `first` and `last`."""
        self._intervals[block] = first, last

    def interval(self, block: Block) -> tuple[int, int] | None:
        """The positions between which those of the block's ops are, if it can be reached."""
        return self._intervals.get(block)

    def block_around(self, block: Block) -> Block:
        """The block of the region that `block` is, or is nested in."""
        while block not in self._predecessors:
            parent = block.parent_block()
            assert parent is not None
            block = parent
        return block

    def live_intervals(
        self, definition: tuple[Block, int] | None, use: Block, end: int
    ) -> tuple[Sequence[tuple[int, int]], bool]:
        """
        Where a value is live that is used at the position `end` of the block `use`.

        `definition` is the block and the position of its definition, or `None` if it is
        defined outside of the region. Returns the positions on paths from the definition
        to `end`, as disjoint intervals in ascending order, and whether `end` may be
        reached from itself without passing the definition.
        """
        if definition is not None and definition[0] is use and definition[1] <= end:
            return ((definition[1], end),), False
        of_definition = None if definition is None else definition[0]
        whole, repeated = self._blocks_between(of_definition, use)
        intervals = [*whole]
        if not repeated:
            intervals.append((self._intervals[use][0], end))
        if definition is not None:
            intervals.append((definition[1], self._intervals[definition[0]][1]))
        return _merged(intervals), repeated

    def _blocks_between(
        self, definition: Block | None, use: Block
    ) -> tuple[Sequence[tuple[int, int]], bool]:
        """The intervals of the blocks on paths between the two, and if `use` is one."""
        known = self._between.get((definition, use))
        if known is None:
            between: set[Block] = set()
            pending = [*self._predecessors[use]]
            while pending:
                block = pending.pop()
                if block is not definition and block not in between:
                    between.add(block)
                    pending.extend(self._predecessors[block])
            known = _merged([self._intervals[b] for b in between]), use in between
            self._between[definition, use] = known
        return known


def _merged(intervals: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """The intervals in order, neighbours joined, empty ones left out."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(i for i in intervals if i[0] <= i[1]):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return merged
