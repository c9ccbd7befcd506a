"""
Loops that read a tensor tile by tile while they write it tile by tile.

    scf.for %i = ... step %s iter_args(%a = %t) {
      read %t[%i] [size], write %a[%i] [size]
    }

In each iteration, the tile that is read of `%t` has not been overwritten yet, so that the
loop may work in the buffer of `%t`. That holds if no tile is longer than the distance to
the next one (`slices.py`), and each tile is read before it is written, or element by
element as it is. In a nest of loops it has to hold for each loop around the read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from xdsl.ir import SSAValue

from xdsl_bufferization.interfaces.bufferizable import BufferRelation
from xdsl_bufferization.interfaces.loop_like import LoopLikeOpInterface
from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.one_shot.facts.live_ranges import LiveRange
from xdsl_bufferization.one_shot.facts.origins import Origins
from xdsl_bufferization.one_shot.facts.program import TensorProgram
from xdsl_bufferization.one_shot.facts.records import (
    OpInfo,
    RegionInfo,
    TensorOperand,
    ValueInfo,
)
from xdsl_bufferization.one_shot.facts.slices import Parts, When, may_overlap
from xdsl_bufferization.support.limits import (
    MAX_NESTED_LOOPS,
    MAX_NESTED_SLICES,
    MAX_READS_OF_SLICE,
)


class _Carried(NamedTuple):
    """The effect of one iteration on a tensor that the loop carries."""

    argument: ValueInfo
    """The tensor in the body."""
    changed: Sequence[Slice]
    """The slices that an iteration changes."""
    first_writes: Sequence[TensorOperand]
    """The writes of the first op in the body that may write the tensor's memory."""


class Tiles:
    """Loops that read each tile before they write it."""

    def __init__(self, program: TensorProgram, origins: Origins, parts: Parts):
        self._program = program
        self._origins = origins
        self._parts = parts
        self._known: dict[TensorOperand, _Carried | None] = {}
        """By the init of a loop; `None` if it is not known what is done to it."""

    def are_read_first(self, live_range: LiveRange, write: TensorOperand) -> bool:
        """
        Whether the write is that of a loop to a tensor that it carries, and each iteration
        reads only what no iteration has changed yet.

        At the start of an iteration the buffer holds the carried tensor: outside of the
        changed slices, that is what the loop started with.
        """
        reads = self._reads(live_range.read)
        if reads is None:
            return False
        for read in reads:
            loops = _loops_between(read.owner.region, live_range.definition.region)
            if loops is None or loops[:1] != [write.owner]:
                return False
            if not self._is_read_first(read, write, loops, {}):
                return False
        return True

    def _reads(self, read: TensorOperand) -> Sequence[TensorOperand] | None:
        """
        The read itself, or if its op only forwards the tensor, as a slice or otherwise,
        the reads of the results; `None` if there are many.
        """
        reads: list[TensorOperand] = []
        pending, seen = [read], {read}
        while pending and len(seen) <= MAX_READS_OF_SLICE:
            read = pending.pop()
            if read.reads:
                reads.append(read)
                continue
            for alias in read.aliases:
                for use in self._program.values[alias.value].reads:
                    if use not in seen:
                        seen.add(use)
                        pending.append(use)
        if pending:
            MAX_READS_OF_SLICE.met()
            return None
        return reads

    def _is_read_first(
        self,
        read: TensorOperand,
        write: TensorOperand,
        loops: Sequence[OpInfo],
        inits: Mapping[ValueInfo, ValueInfo],
    ) -> bool:
        """
        Whether each iteration of the first of the loops, which is that of the write, reads a
        tile that no iteration has changed yet. The loops are those around the read, from
        the outside in, and `inits` has the inits of tensors that outer loops carry.
        """
        loop, *inner = loops
        carried = self._carried(write)
        return carried is not None and any(
            all(
                not may_overlap(tile, changed, When.ANY_ITERATIONS)
                or not may_overlap(tile, changed, loop.op)
                for changed in carried.changed
            )
            and self._is_before(
                read, tile, carried, inner, {**inits, carried.argument: write.value}
            )
            for container, tile in self._parts.read(read)
            if self._is_same(container, write.value, inits)
        )

    def _is_same(
        self, a: ValueInfo, b: ValueInfo, inits: Mapping[ValueInfo, ValueInfo]
    ) -> bool:
        """
        Whether the two are the same memref, element by element, if the tensors that loops
        carry have the memory of their inits.
        """
        for _ in MAX_NESTED_SLICES.steps():
            if self._origins.have_same_elements(a, b):
                return True
            if b in inits:
                b = inits[b]
                continue
            from_a, from_b = map(self._parts.extracted, (a, b))
            if from_a is None or from_b is None or from_a[1] != from_b[1]:
                return False
            (a, _), (b, _) = from_a, from_b
        return False

    def _carried(
        self, init: TensorOperand, depth: int = MAX_NESTED_LOOPS
    ) -> _Carried | None:
        """The effect on the tensor; `None` if it is not known to this depth of loops."""
        if init not in self._known:
            self._known[init] = self._find_carried(init, depth)
        return self._known[init]

    def _find_carried(self, init: TensorOperand, depth: int) -> _Carried | None:
        loop = init.owner
        model = LoopLikeOpInterface.of(loop.op)
        carried = None if model is None else model.carried(loop.op, init.index)
        if carried is None:
            return None
        argument = self._program.values[carried.argument]
        if carried.yielded is None:
            changed = self._written_in(loop, argument, depth)
        else:
            changed = self._changed(carried.yielded, argument, depth)
        if changed is None:
            return None
        return _Carried(argument, changed, self._first_writes(loop, argument))

    def _changed(
        self, value: SSAValue, argument: ValueInfo, depth: int
    ) -> Sequence[Slice] | None:
        """The slices in which the value may differ from the argument; `None` if any."""
        changed: list[Slice] = []
        while value is not argument.value:
            info = self._program.values.get(value)
            if info is None or info.owner is None or len(info.sources) != 1:
                return None
            ((source, alias),) = info.sources
            if not self._origins.have_same_elements(source.value, argument):
                return None
            if source.writes:
                slices = self._written(source, source.value, depth)
                if slices is None:
                    return None
                changed.extend(slices)
            elif alias.relation is not BufferRelation.EQUIVALENT:
                return None
            value = source.value.value
        return changed

    def _written_in(
        self, loop: OpInfo, argument: ValueInfo, depth: int
    ) -> Sequence[Slice] | None:
        """The slices of the argument that the body writes; `None` if any."""
        written: list[Slice] = []
        for operand in self._writes_in(loop, argument):
            slices = self._written(operand, argument, depth)
            if slices is None:
                return None
            written.extend(slices)
        return written

    def _written(
        self, operand: TensorOperand, tensor: ValueInfo, depth: int
    ) -> Sequence[Slice] | None:
        """The slices of the tensor that the op of the operand writes; `None` if any."""
        for container, part in self._parts.written(operand):
            if container is tensor:
                return [part]
        if operand.value is tensor and depth:
            carried = self._carried(operand, depth - 1)
            return None if carried is None else carried.changed
        return None

    def _writes_in(self, loop: OpInfo, argument: ValueInfo) -> Iterator[TensorOperand]:
        """The writes in the body, in order, that may be to the argument's memory."""
        for info in self._program.ops_within(loop):
            for operand in info.operands:
                if operand.writes and not self._origins.are_disjoint(
                    operand.value, argument
                ):
                    yield operand

    def _first_writes(
        self, loop: OpInfo, argument: ValueInfo
    ) -> Sequence[TensorOperand]:
        first: list[TensorOperand] = []
        for write in self._writes_in(loop, argument):
            if first and first[0].owner is not write.owner:
                break
            first.append(write)
        return first

    def _is_before(
        self,
        read: TensorOperand,
        tile: Slice,
        carried: _Carried,
        inner: Sequence[OpInfo],
        inits: Mapping[ValueInfo, ValueInfo],
    ) -> bool:
        """
        Whether the read precedes all writes of an iteration, goes element by element with
        them, or is read first by the inner loop that makes them.
        """
        return all(
            (
                read.position < write.position
                and not (inner and inner[0].encloses(write.position))
            )
            or (
                read.owner is write.owner
                and self._goes_together(read, tile, write, carried.argument)
            )
            or (
                inner[:1] == [write.owner]
                and self._is_read_first(read, write, inner, inits)
            )
            for write in carried.first_writes
        )

    def _goes_together(
        self,
        read: TensorOperand,
        tile: Slice,
        write: TensorOperand,
        argument: ValueInfo,
    ) -> bool:
        """
        Whether the op that reads the tile and writes a part of the argument reads each
        element before it writes it.
        """
        model = read.owner.model
        elementwise = (
            model is not None
            and model.is_elementwise(read.owner.op, read.index, write.index)
            and read.value.value.type == write.value.value.type
        )
        return any(
            container is argument
            and (
                not may_overlap(tile, part, When.SAME_ITERATION)
                or (elementwise and part == tile)
            )
            for container, part in self._parts.written(write)
        )


def _loops_between(inner: RegionInfo, outer: RegionInfo) -> Sequence[OpInfo] | None:
    """
    The loops between the two regions, from the outside in; `None` if they are many, or
    another region between them may run again.
    """
    loops: list[OpInfo] = []
    while inner is not outer:
        parent = inner.parent
        if parent is None or inner.control_flow is not None:
            return None
        if inner.is_repetitive:
            if LoopLikeOpInterface.of(parent.op) is None:
                return None
            if MAX_NESTED_LOOPS.exceeded_by(len(loops) + 1):
                return None
            loops.append(parent)
        inner = parent.region
    return loops[::-1]
