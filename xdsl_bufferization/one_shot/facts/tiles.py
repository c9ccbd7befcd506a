"""
Loops that read a tensor tile by tile while they write it tile by tile.

    scf.for %i = ... step %s iter_args(%a = %t) {
      read %t[%i] [size], write %a[%i] [size]
    }

In each iteration, the tile that is read of `%t` has not been overwritten yet, so that the
loop may work in the buffer of `%t`. That holds if no tile is longer than the distance to
the next one, and each tile is read before it is written, or element by element as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects import affine, arith, scf
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineConstantExpr

from xdsl_bufferization.interfaces.bufferizable import BufferRelation
from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.one_shot.facts.linear import Linear, linear
from xdsl_bufferization.one_shot.facts.live_ranges import LiveRange
from xdsl_bufferization.one_shot.facts.origins import Origins
from xdsl_bufferization.one_shot.facts.parts import Parts
from xdsl_bufferization.one_shot.facts.program import TensorProgram
from xdsl_bufferization.one_shot.facts.records import (
    OpInfo,
    RegionInfo,
    TensorOperand,
    ValueInfo,
)

_MANY_READS = 16
"""A slice with more uses than these is not followed."""


class _Carried(NamedTuple):
    """What one iteration does to a tensor that the loop carries."""

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
        loop, outside = write.owner, live_range.definition.region
        if _only_loop_between(live_range.read.owner.region, outside) is not loop:
            return False
        if write not in self._known:
            self._known[write] = self._carried(loop, write)
        carried = self._known[write]
        reads = self._reads(live_range.read)
        return (
            carried is not None
            and reads is not None
            and all(
                _only_loop_between(read.owner.region, outside) is loop
                and self._is_read_first(read, write, carried)
                for read in reads
            )
        )

    def _reads(self, read: TensorOperand) -> Sequence[TensorOperand] | None:
        """
        The read itself, or if its op only forwards the tensor, as a slice or otherwise,
        the reads of the results; `None` if there are many.
        """
        reads: list[TensorOperand] = []
        pending, seen = [read], {read}
        while pending and len(seen) <= _MANY_READS:
            read = pending.pop()
            if read.reads:
                reads.append(read)
                continue
            for alias in read.aliases:
                for use in self._program.values[alias.value].reads:
                    if use not in seen:
                        seen.add(use)
                        pending.append(use)
        return None if pending else reads

    def _is_read_first(
        self, read: TensorOperand, write: TensorOperand, carried: _Carried
    ) -> bool:
        """Whether each iteration reads a tile that no iteration has changed yet."""
        return any(
            all(_moves_on(write.owner, tile, changed) for changed in carried.changed)
            and self._is_before(read, tile, carried)
            for container, tile in self._parts.read(read)
            if self._origins.have_same_elements(container, write.value)
        )

    def _carried(self, loop: OpInfo, init: TensorOperand) -> _Carried | None:
        op = loop.op
        assert isinstance(op, scf.ForOp)
        # The first three operands are the bounds and the step, the first argument is the
        # induction variable.
        position = init.index - 3
        argument = self._program.values[op.body.block.args[position + 1]]
        terminator = op.body.block.last_op
        assert terminator is not None
        changed = self._changed(terminator.operands[position], argument)
        if changed is None:
            return None
        return _Carried(changed, self._first_writes(loop, argument))

    def _changed(self, value: SSAValue, argument: ValueInfo) -> Sequence[Slice] | None:
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
                parts = self._parts.written(source)
                part = next((p for tensor, p in parts if tensor is source.value), None)
                if part is None:
                    return None
                changed.append(part)
            elif alias.relation is not BufferRelation.EQUIVALENT:
                return None
            value = source.value.value
        return changed

    def _first_writes(
        self, loop: OpInfo, argument: ValueInfo
    ) -> Sequence[TensorOperand]:
        for info in self._program.ops[loop.enter + 1 : loop.exit + 1]:
            writes = [
                operand
                for operand in info.operands
                if operand.writes
                and not self._origins.are_disjoint(operand.value, argument)
            ]
            if writes:
                return writes
        return ()

    def _is_before(self, read: TensorOperand, tile: Slice, carried: _Carried) -> bool:
        """Whether the read precedes all writes, or goes element by element with them."""
        return all(
            read.position < write.position
            or (
                read.owner is write.owner
                and read.owner.model is not None
                and read.owner.model.is_elementwise(
                    read.owner.op, read.index, write.index
                )
                and read.value.value.type == write.value.value.type
                and any(part == tile for _, part in self._parts.written(write))
            )
            for write in carried.first_writes
        )


def _only_loop_between(inner: RegionInfo, outer: RegionInfo) -> OpInfo | None:
    """
    The `scf.for` whose body is the only repetitive region between the two; `None` if there
    is none, or more than one.
    """
    loop: OpInfo | None = None
    while inner is not outer:
        parent = inner.parent
        if parent is None or inner.control_flow is not None:
            return None
        if inner.is_repetitive:
            if loop is not None or not isinstance(parent.op, scf.ForOp):
                return None
            loop = parent
        inner = parent.region
    return loop


def _moves_on(loop: OpInfo, read: Slice, written: Slice) -> bool:
    """Whether no later iteration reads what an iteration writes."""
    op = loop.op
    assert isinstance(op, scf.ForOp)
    return len(read.offsets) == len(written.offsets) and any(
        isinstance(read.strides[i], int)
        and written.strides[i] == 1
        and _is_passed(
            op, linear(read.offsets[i]), linear(written.offsets[i]), written.sizes[i]
        )
        for i in range(len(read.offsets))
    )


def _is_passed(
    loop: scf.ForOp, read: Linear, written: Linear, size: SSAValue | int
) -> bool:
    """
    Whether the next iteration starts to read at, or behind, the end of the range of that
    size which starts at the written offset.
    """
    if (
        read.base is not loop.body.block.args[0]
        or read.base is not written.base
        or read.factor != written.factor
        or read.factor <= 0
    ):
        return False
    ahead = read.constant - written.constant
    if size is loop.step:
        return ahead >= 0
    step, bound = linear(loop.step), _upper_bound(size)
    return (
        step.base is None
        and bound is not None
        and bound <= read.factor * step.constant + ahead
    )


def _upper_bound(size: SSAValue | int) -> int | None:
    """A number that the size does not exceed; `None` if none is known."""
    if isinstance(size, int):
        return size
    known = linear(size)
    if known.base is None:
        return known.constant
    match size.owner:
        case affine.MinOp() as op:
            results = op.map.data.results
            return min(
                (r.value for r in results if isinstance(r, AffineConstantExpr)),
                default=None,
            )
        case arith.MinSIOp(lhs=lhs, rhs=rhs):
            bounds = (linear(lhs), linear(rhs))
            return min((b.constant for b in bounds if b.base is None), default=None)
        case _:
            return None
