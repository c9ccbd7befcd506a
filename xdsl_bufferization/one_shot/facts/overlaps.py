"""
Whether a write touches what is read: the one door to all facts about two tensors in one alias set.

    %a = tensor.extract_slice %t[0] [4] [1]
    %b = tensor.extract_slice %t[4] [4] [1]
    %w = tensor.insert %f into %a[%i]           // writes %t[0] [4]
    %x = tensor.extract %b[%j]                  // reads %t[4] [4]: `Apart.SLICES`

An answer is a reason, the cheapest first. It holds whichever operands are in place; only an
insertion that leaves what it overwrites asks for the equivalences known so far, which no decision
takes back.

Facts are asked downwards only: `tiles.py` and `subsets.py` about loops and insertions,
`origins.py` about the memory of tensors, `parts.py` about slices of them, `slices.py` about two
slices, and `linear.py` about their offsets. Takes the time that these take.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from xdsl_bufferization.one_shot.facts.components import Components
from xdsl_bufferization.one_shot.facts.live_ranges import LiveRange
from xdsl_bufferization.one_shot.facts.origins import Origins
from xdsl_bufferization.one_shot.facts.parts import Parts
from xdsl_bufferization.one_shot.facts.program import TensorProgram
from xdsl_bufferization.one_shot.facts.records import TensorOperand, ValueInfo
from xdsl_bufferization.one_shot.facts.slices import When, may_overlap
from xdsl_bufferization.one_shot.facts.subsets import Subsets

if TYPE_CHECKING:
    from xdsl_bufferization.one_shot.facts.tiles import Tiles


class Apart(Enum):
    """Why a write leaves what is read as it is."""

    TENSORS = """
    Different tensors, though one may be either:

        %0 = arith.select %c, %a, %b        // one alias set
        %1 = tensor.insert %f into %a[%i]
        %x = tensor.extract %b[%i]
    """
    INSERTION = """
    An insertion reads the destination outside of the subset, and writes what is there already:

        %a = tensor.extract_slice %t[%i] [4] [1]
        %b = tensor.insert %f into %a[%j]
        %c = tensor.insert_slice %b into %t[%i] [4] [1]
    """
    SLICES = """
    Slices of one tensor without a common element, when the two are accessed:

        %w = tensor.insert %f into %t[%c0]
        %x = tensor.extract %t[%c1]
    """
    TILES = """
    A loop that reads each tile before an iteration writes it:

        %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) {
          %x = tensor.extract %t[%i]
          %w = tensor.insert %x into %a[%i]
    """


class Overlaps:
    """The elements that two operands share, given the equivalences known so far."""

    def __init__(
        self,
        program: TensorProgram,
        is_equivalent: Callable[[SSAValue, SSAValue], bool],
    ):
        self._program = program
        self._origins = Origins(program)
        self._parts = Parts(program)
        self._subsets = Subsets(program, self._origins, self._parts, is_equivalent)

    @cached_property
    def _tiles(self) -> Tiles:
        # A program without loops does not wait for the dialects that have them.
        from xdsl_bufferization.one_shot.facts.tiles import Tiles

        return Tiles(self._program, self._origins, self._parts)

    def start(self, part: Components) -> None:
        """Start again with the tensors of the components, which have changed."""
        self._origins.start(part)
        self._parts.start()
        self._subsets.start(part)
        vars(self).pop("_tiles", None)

    def apart(self, live_range: LiveRange, write: TensorOperand) -> Apart | None:
        """Why the write, in the live range, does not touch what is read; `None` if it may."""
        read, is_repeated = live_range.read, live_range.is_repeated
        when = When.ANY_ITERATIONS if is_repeated else When.SAME_ITERATION
        if self._origins.are_disjoint(read.value, write.value):
            return Apart.TENSORS
        if self._subsets.are_non_conflicting(read, write):
            return Apart.INSERTION
        if not self._may_slices_overlap(read, write, when):
            return Apart.SLICES
        if is_repeated and self._tiles.are_read_first(live_range, write):
            return Apart.TILES
        return None

    def may_overlap(
        self, read: TensorOperand, write: TensorOperand, when: When
    ) -> bool:
        """Whether what is read of one operand, and written to the other, may be in one place."""
        return not self._origins.are_disjoint(
            read.value, write.value
        ) and self._may_slices_overlap(read, write, when)

    def are_same_or_disjoint(self, read: TensorOperand, write: TensorOperand) -> bool:
        """Whether two operands of one op share all elements, in the same positions, or none."""
        if self._origins.are_same_or_disjoint(read.value, write.value):
            return True
        a = next(self._parts.read(read, all_of_it=True), None)
        b = next(self._parts.written(write, all_of_it=True), None)
        return (
            a is not None
            and b is not None
            and read.value.value.type == write.value.value.type
            and a[1] == b[1]
            and self._origins.have_same_elements(a[0], b[0])
        )

    def stopped_at_limit(self, value: ValueInfo) -> bool:
        """Whether the tensor may be any other only as tracing stops at `MAX_ORIGINS`."""
        return self._origins.stopped_at_limit(value)

    def _may_slices_overlap(
        self, read: TensorOperand, write: TensorOperand, when: When
    ) -> bool:
        written = [*self._parts.written(write)]
        return not written or not any(
            self._origins.have_same_elements(container, other)
            and not may_overlap(part, other_part, when)
            for container, part in self._parts.read(read)
            for other, other_part in written
        )
