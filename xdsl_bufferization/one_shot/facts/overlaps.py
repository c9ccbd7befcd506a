"""
Whether a write touches what is read: the one door to all facts about two tensors in one alias set.

    %a = tensor.extract_slice %t[0] [4] [1]
    %b = tensor.extract_slice %t[4] [4] [1]
    %w = tensor.insert %f into %a[%i]           // writes %t[0] [4]
    %x = tensor.extract %b[%j]                  // reads %t[4] [4]: `Apart.SLICES`

An answer is a reason, the cheapest first. It holds whichever operands are in place; only an
insertion that leaves what it overwrites asks for the equivalences known so far, which no decision
takes back.

Facts are asked downwards only: `tiles.py` about loops, `origins.py` about the memory
of tensors, and `slices.py` about slices of them and their offsets. Takes the time
that these take.

Reads and writes around an insertion that do not conflict.

    %a = tensor.extract_slice %t[%i] [4] [1]
    %b = linalg.exp ins(%a) outs(%a)                // writes the slice of %t
    %c = tensor.insert_slice %b into %t[%i] [4] [1] // reads %t, but not that slice

In the sequence *extract a subset, compute on it, insert it again*, the insertion reads the
destination only outside of the subset, and writes to the subset what is there already.
Without this rule each tile of a tiled loop would be copied. It needs the same subset:

    %c = tensor.insert_slice %b into %t[%j] [4] [1] // has %t's elements at %i: a conflict

Equal subsets have equal descriptions, which are compared in constant time. The path from a tensor
up to the slice that it comes from is memoized.

Source: MLIR's SubsetOpInterface, https://mlir.llvm.org/docs/Interfaces/
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.bufferizable import AliasingValue, BufferRelation
from xdsl_bufferization.interfaces.subset import (
    WHOLE,
    Slice,
    SubsetExtractionOpInterface,
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.one_shot.facts.live_ranges import LiveRange
from xdsl_bufferization.one_shot.facts.numbering import Components
from xdsl_bufferization.one_shot.facts.origins import Origins
from xdsl_bufferization.one_shot.facts.program import TensorProgram
from xdsl_bufferization.one_shot.facts.records import TensorOperand, ValueInfo
from xdsl_bufferization.one_shot.facts.slices import Parts, When, may_overlap
from xdsl_bufferization.support.limits import MAX_NESTED_EXTRACTIONS

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


class Subsets:
    """
    The subsets that reads and writes touch.

    `is_equivalent` gives the equivalences known so far. They may grow between questions:
    what is remembered does not depend on them.
    """

    def __init__(
        self,
        program: TensorProgram,
        origins: Origins,
        parts: Parts,
        is_equivalent: Callable[[SSAValue, SSAValue], bool],
    ):
        self._program = program
        self._origins = origins
        self._parts = parts
        self._is_equivalent = is_equivalent
        self._upstream: dict[ValueInfo, ValueInfo] = {}
        """
        For a value the first one, itself included and traced back from source to source,
        that is an extracted subset, a block argument, or has several sources or none.
        """

    def start(self, part: Components) -> None:
        """Forget what is remembered of the tensors of the components."""
        for value in part.values:
            self._upstream.pop(value, None)

    def are_non_conflicting(self, read: TensorOperand, write: TensorOperand) -> bool:
        """
        Whether one of the two is an insertion that does not touch what the other does.

        `write` is the one that might destroy what `read` reads.
        """
        reader, writer = read.owner.op, write.owner.op
        if insertion := SubsetInsertionOpInterface.of(reader):
            destination = insertion.destination_operand(reader)
            if read.index == destination:
                # The insertion reads the destination outside of the subset, and the write
                # is within it.
                if self._is_in_subset(write.value, reader, insertion):
                    return True
            elif (
                reader is writer
                and write.index == destination
                and read.index == insertion.source_operand(reader)
                and self._is_in_subset(
                    read.value, reader, insertion, a_part_suffices=False
                )
            ):
                # What is inserted is in its place already.
                return True
        if insertion := SubsetInsertionOpInterface.of(writer):
            source = self._program.operand(writer, insertion.source_operand(writer))
            # The insertion overwrites what is read with the same contents. If the two
            # might be disjoint, the source might be a copy with other contents.
            return (
                source is not None
                and write.index == insertion.destination_operand(writer)
                and self._is_part_of(read.value, source.value)
                and self._is_in_subset(
                    source.value, writer, insertion, a_part_suffices=False
                )
            )
        return False

    def _is_part_of(self, value: ValueInfo, whole: ValueInfo) -> bool:
        """Whether the tensor is extracted, in steps, from one equivalent to the other."""
        for _ in MAX_NESTED_EXTRACTIONS.steps():
            if self._is_equivalent(value.value, whole.value):
                return True
            if (extracted := self._parts.extracted(value)) is None:
                return False
            value, _ = extracted
        return False

    def _is_in_subset(
        self,
        value: ValueInfo,
        op: Operation,
        insertion: SubsetInsertionOpInterface,
        *,
        a_part_suffices: bool = True,
    ) -> bool:
        """
        Whether `value` is the subset of the destination into which `op` inserts, or a copy
        of it, on all paths by which its buffer may come about: all of it, in order, or
        a part of it where that suffices.
        """
        container = self._program.values.get(insertion.container(op))
        if container is None:
            return False
        subset = insertion.subset(op)
        if subset == WHOLE and self._origins.have_same_elements(value, container):
            return True
        pending, seen = [value], {value}
        while pending:
            origin = self._nearest_upstream(pending.pop())
            if extracted := self._parts.extracted(origin):
                source, extracted_subset = extracted
                if extracted_subset == subset and self._origins.have_same_elements(
                    source, container
                ):
                    continue
            if not origin.sources or origin.owner is None:
                return False
            for operand, alias in origin.sources:
                if not a_part_suffices and _may_be_a_part(operand, alias):
                    return False
                if operand.value not in seen:
                    seen.add(operand.value)
                    pending.append(operand.value)
        return True

    def _nearest_upstream(self, value: ValueInfo) -> ValueInfo:
        """See `_upstream`."""
        path: list[ValueInfo] = []
        while (known := self._upstream.get(value)) is None:
            path.append(value)
            if (
                len(value.sources) != 1
                or value.owner is None
                or self._parts.extracted(value) is not None
                or _may_be_a_part(*value.sources[0])
            ):
                known = value
                break
            value = value.sources[0][0].value
        for step in path:
            self._upstream[step] = known
        return known


def _may_be_a_part(operand: TensorOperand, alias: AliasingValue) -> bool:
    """
    Whether the op may give out a part of the operand, or its elements in another order, as a
    called function may. Ops with regions, and terminators, hand on what they are given; and a
    slice that only drops dimensions of size 1 has all elements:

        %g = tensor.extract_slice %f[0, 0] [32, 1] [1, 1] : tensor<32x1xf32> to tensor<32xf32>
    """
    op = operand.owner.op
    return (
        alias.relation is not BufferRelation.EQUIVALENT
        and alias.value.owner is op
        and not op.regions
        and not _extracts_all(op)
    )


def _extracts_all(op: Operation) -> bool:
    """Whether the op extracts all elements of its container, in their order."""
    extraction = SubsetExtractionOpInterface.of(op)
    subset = None if extraction is None else extraction.subset(op)
    if extraction is None or not isinstance(subset, Slice):
        return subset == WHOLE
    type = extraction.container(op).type
    return isinstance(type, TensorType) and subset.is_all_of(type.get_shape())
