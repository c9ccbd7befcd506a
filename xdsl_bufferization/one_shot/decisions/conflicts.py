"""
Read-after-write conflicts: a read would see what another op has written in the meantime.

    func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) {
      %0 = tensor.insert %f into %t[%i]   // out of place: a conflict with the read of %t
      %x = tensor.extract %t[%i]
      %1 = tensor.insert %x into %0[%i]   // in place: %0 is not read any more

`ConflictFinder` looks for one among the reads and writes of alias sets. Positions name the
candidates: a write in a live range (`facts/live_ranges.py`). For each candidate, rules from the
cheapest to the most expensive one say whether the write destroys what is read:

1. Is it the same operand, or does the write make the contents, or does the op read before it
   writes? Asked of the records and of the op's model.
2. Do the two touch different elements? (`facts/overlaps.py`)
3. Does a model know better? (`is_not_conflicting`)

Decisions taken so far are asked for, as equivalences and by `is_copied`; no later decision makes
these answers wrong, as decisions are never taken back. Takes logarithmic time to find the
candidates, and constant time for each rule, except in a nest of loops.

Source: https://mlir.llvm.org/docs/Bufferization/#tensor--buffer-boundary and the design
document of One-Shot Bufferize that it links.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations
from typing import Protocol

from xdsl.ir import SSAValue

from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.one_shot.decisions.alias_sets import AliasSet
from xdsl_bufferization.one_shot.decisions.reasons import Conflict
from xdsl_bufferization.one_shot.facts.components import Components
from xdsl_bufferization.one_shot.facts.live_ranges import LiveRange
from xdsl_bufferization.one_shot.facts.overlaps import Overlaps
from xdsl_bufferization.one_shot.facts.program import TensorProgram
from xdsl_bufferization.one_shot.facts.records import TensorOperand, ValueInfo
from xdsl_bufferization.one_shot.facts.slices import When


class DecisionsSoFar(Protocol):
    """The decisions taken so far."""

    def is_copied(self, operand: TensorOperand) -> bool:
        """Whether the operand is known to be out of place."""
        ...

    def is_equivalent(self, a: SSAValue, b: SSAValue) -> bool:
        """Whether both tensors are known to be the same memref."""
        ...


class ConflictFinder:
    """Finds conflicts between the reads and the in-place writes of alias sets."""

    def __init__(self, program: TensorProgram, decisions: DecisionsSoFar):
        self._decisions = decisions
        self._overlaps = Overlaps(program, decisions.is_equivalent)
        self._aliased: dict[TensorOperand, AbstractSet[SSAValue]] = {}
        """By operand that an op writes, the tensors that alias it."""

    def start(self, part: Components) -> None:
        """Start again with the tensors of the components, which have changed."""
        self._overlaps.start(part)
        self._aliased.clear()

    def with_write(
        self, sets: Sequence[AliasSet], write: TensorOperand
    ) -> Conflict | None:
        """
        A conflict of the write with a read in one of the sets, or with another write of its
        op, if there is any.
        """
        first, last = write.owner.enter, write.owner.exit
        for alias_set in sets:
            for other in () if alias_set.writes is None else alias_set.writes_at(first):
                if self._are_writes_in_conflict(write, other):
                    return self._conflict(write, other, write.value)
            for live_range in alias_set.ranges.overlapping(first, last):
                if self._is_conflict(live_range, write):
                    return self._conflict(live_range.read, write, live_range.definition)
        return None

    def between(self, sets: Sequence[AliasSet]) -> Conflict | None:
        """
        A conflict of a read in one of the sets with a write in another, if there is any.

        Takes time in proportion to the smaller set of each pair, and to the candidates
        that turn out to be harmless.
        """
        for a, b in combinations(sets, 2):
            small, large = (a, b) if a.weight < b.weight else (b, a)
            if small.writes is not None:
                for write in small.writes:
                    if conflict := self.with_write((large,), write):
                        return conflict
            if large.writes is not None:
                for live_range in small.ranges:
                    for write in large.writes_within(live_range):
                        if self._is_conflict(live_range, write):
                            return self._conflict(
                                live_range.read, write, live_range.definition
                            )
        return None

    def _conflict(
        self, read: TensorOperand, write: TensorOperand, definition: ValueInfo
    ) -> Conflict:
        values = (read.value, write.value)
        stopped = next(filter(self._overlaps.stopped_at_limit, values), None)
        return Conflict(read, write, definition, stopped)

    def _are_writes_in_conflict(self, a: TensorOperand, b: TensorOperand) -> bool:
        """
        Whether one op writes the second operand before it is done with the first, if the two
        are in one alias set.

        A called function, or a region, may read what it has written to either. An op in
        destination-passing style does not; but if one result may be either operand, it is
        written to both.
        """
        return (
            a is not b
            and a.owner is b.owner
            and (
                DestinationStyleOpInterface.of(a.owner.op) is None
                or _may_be_returned(a, b)
            )
            and self._overlaps.may_overlap(a, b, When.SAME_ITERATION)
        )

    def _aliased_by(self, operand: TensorOperand) -> AbstractSet[SSAValue]:
        """The tensors that share the operand's buffer if it is in place."""
        # Each result of a loop that swaps buffers aliases each init.
        if operand not in self._aliased:
            self._aliased[operand] = {alias.value for alias in operand.aliases}
        return self._aliased[operand]

    def _is_conflict(self, live_range: LiveRange, write: TensorOperand) -> bool:
        """
        Whether the write, at a position in the live range, destroys what is read, if the
        two are in one alias set:

            %0 = tensor.insert %f into %t[%i]   // write: operand %t
            %x = tensor.extract %t[%j]          // read: operand %t; definition: %t

        Each exit is a reason why it does not, the cheapest first.
        """
        read, definition = live_range.read, live_range.definition
        if read is write and not live_range.is_repeated:
            # %0 = tensor.insert %f into %t[%i]   // reads %t, but not after its own write
            return False
        if self._makes_contents(write, definition):
            return False
        if not live_range.is_repeated and self._reads_before(read, write):
            return False
        if self._overlaps.apart(live_range, write) is not None:
            return False
        return not _models_exclude(read, write)

    def _makes_contents(self, write: TensorOperand, definition: ValueInfo) -> bool:
        """
        Whether the write is, or is a part of, what puts the contents there:

            %0 = linalg.fill ins(%f) outs(%t)   // writes %t and defines %0
            %x = tensor.extract %0[%i]

            %1 = scf.for ... iter_args(%a = %t) {
              %2 = tensor.insert %f into %a[%i] // within the op that defines %1
              scf.yield %2
            }
            %y = tensor.extract %1[%i]

        A write in the loop does destroy what a read *in* the loop gets from before: there, the
        definition is %a or %t, not %1.
        """
        owner = definition.owner
        if owner is None:
            return False
        if owner.enter < write.owner.enter <= owner.exit:
            return True
        return (
            owner is write.owner and definition in write.memrefs
        ) or definition.value in self._aliased_by(write)

    def _reads_before(self, read: TensorOperand, write: TensorOperand) -> bool:
        """
        Whether both are operands of one op, which is done with what it reads before it writes:

            %0 = linalg.exp ins(%t) outs(%t)    // each element is read, then written

        Not if the two overlap in part, as the write of one element precedes the read of the next:

            %a = tensor.extract_slice %t[0] [7] [1]
            %b = tensor.extract_slice %t[1] [7] [1]
            %1 = linalg.exp ins(%a) outs(%b)
        """
        op = read.owner
        if op is not write.owner:
            return False
        if self._decisions.is_copied(read):
            # The read is of a copy, which is made before the op.
            return True
        return (
            op.model is not None
            and op.model.is_elementwise(op.op, read.index, write.index)
            and self._overlaps.are_same_or_disjoint(read, write)
        )


def _models_exclude(read: TensorOperand, write: TensorOperand) -> bool:
    """Whether the model of either op knows that the write leaves what is read as it is."""
    reader, writer = read.owner, write.owner
    uses = (reader.op, read.index), (writer.op, write.index)
    return any(
        info.model is not None and info.model.is_not_conflicting(info.op, *uses)
        for info in ((reader,) if reader is writer else (reader, writer))
    )


def _may_be_returned(a: TensorOperand, b: TensorOperand) -> bool:
    """Whether one result of the op may be either of its operands."""
    results = {alias.value for alias in a.aliases}
    return any(alias.value in results for alias in b.aliases)
