"""
What an op does to the memory of a tensor operand.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.parallel_combining import ParallelCombiningOpTrait
from xdsl_bufferization.interfaces.subset import Slice, SubsetInsertionOpInterface
from xdsl_bufferization.verification.memory import MemoryMap
from xdsl_bufferization.verification.parts import Relation, Step, part, relation
from xdsl_bufferization.verification.places import Place
from xdsl_bufferization.verification.sources import Sources


class Access:
    """What an op does to the memory of a tensor operand."""

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
        self.place = memory.place(self.value)
        self.reads = model is None or model.reads(op, index, sources)
        self.writes = model is None or model.writes(op, index, sources)
        read = None if model is None else model.read_part(op, index)
        written = None
        if model is not None and (self.reads or not self.writes):
            # What is not read is overwritten as a whole.
            written = model.written_part(op, index)
        self.read_place = self.place.then(_step(read))
        self.written_place = self.place.then(_step(written))
        insertion = SubsetInsertionOpInterface.of(op)
        self._insertion = (
            insertion
            if insertion is not None and insertion.destination_operand(op) == index
            else None
        )
        self.replaced: Place | None = None
        """What the op replaces in the operand, and so need not be right before."""
        if self._insertion is not None or (self.writes and written is not None):
            self.replaced = self.written_place

    def updated_operand(self) -> Sequence[SSAValue]:
        """The operand itself, if no result stands for it after the op."""
        if self.op.has_trait(ParallelCombiningOpTrait, value_if_unregistered=False):
            return (self.value,)
        return ()

    @property
    def writes_what_is_there(self) -> bool:
        """Whether the op inserts what is in just that place already."""
        if self._insertion is None:
            return False
        source = self._insertion.source_operand(self.op)
        return self._is_in(source, self.written_place)

    @property
    def unharmed(self) -> Sequence[SSAValue]:
        """
        What the op inserts, if that is in just that place already, or in none of it: either
        way it has its contents afterwards.
        """
        if self._insertion is None:
            return ()
        source = self.op.operands[self._insertion.source_operand(self.op)]
        if source not in self._sources.of:
            return ()
        place = self._memory.place(source)
        same_or_apart = self._memory.is_same_or_apart(place, self.written_place)
        return (source,) if same_or_apart else ()

    def _is_in(self, operand: int, place: Place) -> bool:
        value = self.op.operands[operand]
        if value not in self._sources.of:
            return False
        source = self._memory.place(value)
        return (
            source.base is not None
            and source.base == place.base
            and relation(source.path, place.path) is Relation.SAME
        )

    def may_overwrite(self, other: Access) -> bool:
        """Whether the op does not mind that the other operand shares what it writes."""
        model = self._model
        if model is None:
            return False
        if self._insertion is not None and (
            other.index == self._insertion.source_operand(self.op)
        ):
            return self._memory.is_same_or_apart(other.place, self.written_place)
        if model.is_not_conflicting(
            self.op, (self.op, other.index), (self.op, self.index)
        ):
            return True
        return model.is_elementwise(self.op, other.index, self.index) and (
            self._memory.is_same_or_apart(other.place, self.place)
        )


def definition(value: SSAValue) -> Operation:
    """The op that defines the value, or has it as an argument of a region."""
    owner = value.owner
    if isinstance(owner, Operation):
        return owner
    parent = owner.parent_op()
    assert parent is not None
    return parent


def _step(slice: Slice | None) -> Step | None:
    return None if slice is None else part(slice)
