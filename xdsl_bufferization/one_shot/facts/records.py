"""
The records of regions, ops, tensor operands and tensors of a program.

    %r = tensor.insert %f into %t[%i]    // position 2

    OpInfo         enter 2, exit 2, operands (the one below)
    TensorOperand  index 1, value %t, reads, writes, aliases (%r)
    ValueInfo      %r: sources (the operand), definitions (%r), start 3

`TensorProgram` fills these records; afterwards they stay as they are, until the program
changes. Two records are equal only if they are the same object.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    BufferizableOpInterface,
    BufferRelation,
)
from xdsl_bufferization.one_shot.facts.control_flow import ControlFlow


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
