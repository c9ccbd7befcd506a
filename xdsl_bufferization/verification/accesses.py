"""
Reads and writes of an op, of the memory of a tensor operand.

    %x = tensor.extract %t[%i]           // reads the slice [%i] [1]
    %r = tensor.insert %f into %t[%i]    // writes the slice [%i] [1], in place; of a copy if not
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.parallel_combining import ParallelCombiningOpTrait
from xdsl_bufferization.interfaces.subset import Slice, SubsetInsertionOpInterface
from xdsl_bufferization.support.regions import parent_of
from xdsl_bufferization.verification.access_paths import Step, slice_step
from xdsl_bufferization.verification.memory_locations import (
    MemoryLocation,
    is_within,
)
from xdsl_bufferization.verification.memory_map import MemoryMap
from xdsl_bufferization.verification.sources import Sources


class Access:
    """The parts of one tensor operand's memory that an op reads and writes."""

    def __init__(
        self,
        op: Operation,
        index: int,
        sources: Sources,
        memory: MemoryMap,
    ):
        self.op, self.index, self.value = op, index, op.operands[index]
        self._sources, self._memory = sources, memory
        self._model = model = sources.model_of(op)
        self.in_place = sources.is_in_place(op, index)
        self.location = memory.location(self.value)
        self.reads = model is None or model.reads(op, index, sources)
        self.writes = model is None or model.writes(op, index, sources)
        read = None if model is None else model.read_part(op, index)
        written = None
        if model is not None and (self.reads or not self.writes):
            # A write without a read overwrites the whole operand.
            written = model.written_part(op, index)
        self.read_location = self.location.part(_step(read))
        self.written_location = self.location.part(_step(written))
        insertion = SubsetInsertionOpInterface.of(op)
        self._source: int | None = None
        """The operand that the op inserts into this one."""
        if insertion is not None and insertion.destination_operand(op) == index:
            self._source = insertion.source_operand(op)
        self.replaced: MemoryLocation | None = None
        """The part that the op overwrites, so that its old contents do not matter."""
        if self._source is not None or (self.writes and written is not None):
            self.replaced = self.written_location

    def updated_operand(self) -> Sequence[SSAValue]:
        """The operand itself, if the op updates it without having a result for it."""
        if self.op.has_trait(ParallelCombiningOpTrait, value_if_unregistered=False):
            return (self.value,)
        return ()

    @property
    def _inserted(self) -> SSAValue | None:
        """The tensor that the op inserts into the operand, if it inserts one."""
        value = None if self._source is None else self.op.operands[self._source]
        return value if value in self._sources.of else None

    @property
    def writes_same_contents(self) -> bool:
        """Whether the op inserts a tensor where that tensor is already."""
        inserted = self._inserted
        return inserted is not None and is_within(
            self._memory.location(inserted), self.written_location
        )

    @property
    def preserved(self) -> Sequence[SSAValue]:
        """
        The tensor that the op inserts, if that keeps its contents: because it is where it is
        inserted already, or disjoint from that.
        """
        inserted = self._inserted
        if inserted is None or not self._memory.is_same_or_disjoint(
            self._memory.location(inserted), self.written_location
        ):
            return ()
        return (inserted,)

    def tolerates_overlap_with(self, other: Access) -> bool:
        """
        Whether the op computes the same although the other operand overlaps the memory that
        it writes.
        """
        model = self._model
        if model is None:
            return False
        if other.index == self._source:
            return self._memory.is_same_or_disjoint(
                other.location, self.written_location
            )
        if model.is_not_conflicting(
            self.op, (self.op, other.index), (self.op, self.index)
        ):
            return True
        return model.is_elementwise(self.op, other.index, self.index) and (
            self._memory.is_same_or_disjoint(other.location, self.location)
        )


def definition(value: SSAValue) -> Operation:
    """The op that defines the value, or has it as an argument of a block in a region."""
    owner = value.owner
    return owner if isinstance(owner, Operation) else parent_of(owner)


def _step(slice: Slice | None) -> Step | None:
    return None if slice is None else slice_step(slice)
