"""
Read-after-write conflicts: a read would see what another op has written in the meantime.

`ConflictFinder` looks for one among the reads and writes of alias sets. Positions name the
candidates; for each of those, rules from the cheapest to the most expensive one say whether
the write really destroys what is read.

Source: https://mlir.llvm.org/docs/Bufferization/#tensor--buffer-boundary and the design
document of One-Shot Bufferize that it links.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Protocol

from xdsl.ir import SSAValue

from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.one_shot.decisions.alias_sets import AliasSet
from xdsl_bufferization.one_shot.decisions.reasons import Conflict
from xdsl_bufferization.one_shot.facts.components import Components
from xdsl_bufferization.one_shot.facts.live_ranges import LiveRange
from xdsl_bufferization.one_shot.facts.origins import Origins
from xdsl_bufferization.one_shot.facts.parts import Parts
from xdsl_bufferization.one_shot.facts.program import TensorProgram
from xdsl_bufferization.one_shot.facts.records import TensorOperand, ValueInfo
from xdsl_bufferization.one_shot.facts.subsets import Subsets

if TYPE_CHECKING:
    from xdsl_bufferization.one_shot.facts.tiles import Tiles


class DecisionsSoFar(Protocol):
    """What is decided when a conflict is looked for."""

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
        self._origins = Origins(program)
        self._subsets = Subsets(program, self._origins, decisions.is_equivalent)
        self._parts = Parts(program, self._origins)
        self._program = program
        self._aliased: dict[TensorOperand, AbstractSet[SSAValue]] = {}
        """By operand that an op writes, the tensors that alias it."""

    @cached_property
    def _tiles(self) -> Tiles:
        # A program without loops does not wait for the dialects that have them.
        from xdsl_bufferization.one_shot.facts.tiles import Tiles

        return Tiles(self._program, self._origins, self._parts)

    def start(self, part: Components) -> None:
        """Find conflicts anew between tensors of the components, which have changed."""
        self._origins.start(part)
        self._subsets.start(part)
        self._aliased.clear()
        vars(self).pop("_tiles", None)

    def with_write(
        self, sets: Sequence[AliasSet], write: TensorOperand
    ) -> Conflict | None:
        """
        A conflict of the write with a read in one of the sets, or with another write of its
        op, if there is any.
        """
        for alias_set in sets:
            for other in alias_set.writes_at(write.position):
                if self._are_writes_in_conflict(write, other):
                    return self._conflict(write, other, write.value)
            for live_range in alias_set.ranges.overlapping(
                write.owner.enter, write.owner.exit
            ):
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
        stopped = next(filter(self._origins.stopped_at_limit, values), None)
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
            and not self._origins.are_disjoint(a.value, b.value)
            and not self._parts.are_disjoint(a, b, same_iteration=True)
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
        two are in one alias set.
        """
        read, definition = live_range.read, live_range.definition
        repeated = live_range.is_repeated
        if read is write and not repeated:
            return False
        if (owner := definition.owner) is not None:
            if owner.enter < write.owner.enter <= owner.exit:
                # It is within the op that defines the contents, and part of defining them.
                return False
            if (
                owner is write.owner and definition in write.memrefs
            ) or definition.value in self._aliased_by(write):
                # The write defines the contents.
                return False
        reader, writer = read.owner, write.owner
        if reader is writer and not repeated:
            if self._decisions.is_copied(read):
                # The read is of a copy, which is made in front of the op.
                return False
            if (
                reader.model is not None
                and reader.model.is_elementwise(reader.op, read.index, write.index)
                and (
                    self._origins.are_same_or_disjoint(read.value, write.value)
                    or self._parts.are_same(read, write)
                )
            ):
                return False
        if self._origins.are_disjoint(read.value, write.value):
            # They are in one alias set only because some tensor may have either memory.
            return False
        if self._subsets.are_non_conflicting(read, write):
            return False
        if self._parts.are_disjoint(read, write, same_iteration=not repeated):
            return False
        if repeated and self._tiles.are_read_first(live_range, write):
            return False
        uses = (reader.op, read.index), (writer.op, write.index)
        return not any(
            info.model is not None and info.model.is_not_conflicting(info.op, *uses)
            for info in ((reader,) if reader is writer else (reader, writer))
        )


def _may_be_returned(a: TensorOperand, b: TensorOperand) -> bool:
    """Whether one result of the op may be either of its operands."""
    results = {alias.value for alias in a.aliases}
    return any(alias.value in results for alias in b.aliases)
