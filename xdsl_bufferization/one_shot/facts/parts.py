"""
Parts of one tensor that have no element in common.

    %b = tensor.extract_slice %t[%i] [4] [1]      // [%i, %i + 4)
    %k = arith.addi %i, %c4
    %c = tensor.extract_slice %t[%k] [4] [1]      // [%i + 4, %i + 8): disjoint
    %d = tensor.extract_slice %t[%k] [4] [2]      // interleaves with no slice at %i of stride 1

Slices are compared dimension by dimension: they are disjoint if they are in one of them. Offsets
are linear functions of one value (`linear.py`). In two iterations of a loop that value may be two
numbers, so that only constants are compared then:

    scf.for %i = ... { read %t[%i], write %t[%i + 1] }    // the next iteration reads %t[%i + 1]

Comparing takes time in proportion to the rank, and to the slices of slices, no more than
`MAX_TRACED_OPS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.bufferizable import BufferRelation
from xdsl_bufferization.interfaces.subset import Slice, SubsetExtractionOpInterface
from xdsl_bufferization.one_shot.facts.linear import linear
from xdsl_bufferization.one_shot.facts.origins import Origins
from xdsl_bufferization.one_shot.facts.program import TensorProgram
from xdsl_bufferization.one_shot.facts.records import TensorOperand, ValueInfo
from xdsl_bufferization.support.limits import MAX_TRACED_OPS


def are_disjoint(a: Slice, b: Slice, *, same_values: bool) -> bool:
    """
    Whether the two slices of one tensor have no element in common.

    With `same_values`, a value that occurs in both is one and the same number. Otherwise
    the slices may be of different iterations, and so may the value.
    """
    return len(a.offsets) == len(b.offsets) and any(
        _are_disjoint_ranges(range_a, range_b, same_values)
        for range_a, range_b in zip(_ranges(a), _ranges(b), strict=True)
    )


_Range: TypeAlias = tuple[SSAValue | int, SSAValue | int, SSAValue | int]
"""Offset, size and stride in one dimension."""


def _ranges(part: Slice) -> Iterator[_Range]:
    return zip(part.offsets, part.sizes, part.strides, strict=True)


def _are_disjoint_ranges(range_a: _Range, range_b: _Range, same_values: bool) -> bool:
    (a_offset, a_size, a_stride), (b_offset, b_size, b_stride) = range_a, range_b
    a, b = linear(a_offset), linear(b_offset)
    if (
        a.base is not b.base
        or a.factor != b.factor
        or (a.base is not None and not same_values)
        or not (isinstance(a_stride, int) and a_stride > 0)
        or not (isinstance(b_stride, int) and b_stride > 0)
    ):
        return False
    distance = b.constant - a.constant
    if a_stride == b_stride and distance % a_stride:
        # The slices interleave.
        return True
    if distance < 0:
        distance, a_size, a_stride = -distance, b_size, b_stride
    return isinstance(a_size, int) and (a_size - 1) * a_stride < distance


class Parts:
    """The parts of tensors that reads and writes touch."""

    def __init__(self, program: TensorProgram, origins: Origins):
        self._program = program
        self._origins = origins

    def are_disjoint(
        self, read: TensorOperand, write: TensorOperand, *, same_iteration: bool
    ) -> bool:
        """
        Whether the write touches none of the elements that the read does.

        `same_iteration` says whether the two happen in one iteration of all loops.
        """
        written = [*self.written(write)]
        return bool(written) and any(
            self._origins.have_same_elements(container, other)
            and are_disjoint(part, other_part, same_values=same_iteration)
            for container, part in self.read(read)
            for other, other_part in written
        )

    def are_same(self, read: TensorOperand, write: TensorOperand) -> bool:
        """Whether two operands of one op are the same slice of one tensor."""
        a = self._parts(read, _read_part(read), all_of_it=True)
        b = self._parts(write, _written_part(write), all_of_it=True)
        return read.value.value.type == write.value.value.type and any(
            part == other_part and self._origins.have_same_elements(container, other)
            for container, part in islice(a, 1)
            for other, other_part in islice(b, 1)
        )

    def read(self, operand: TensorOperand) -> Iterator[tuple[ValueInfo, Slice]]:
        """
        Tensors that the operand is a part of, each with a slice of it that holds all that
        is read.
        """
        return self._parts(operand, _read_part(operand))

    def written(self, operand: TensorOperand) -> Iterator[tuple[ValueInfo, Slice]]:
        """
        Tensors that the operand is a part of, each with a slice of it that holds all that
        is written.
        """
        return self._parts(operand, _written_part(operand))

    def extracted(self, value: ValueInfo) -> tuple[ValueInfo, Slice] | None:
        """The tensor that the value is a slice of, and which one; `None` if it is none."""
        producer = value.value.owner
        if (
            isinstance(producer, Operation)
            and (extraction := SubsetExtractionOpInterface.of(producer))
            and isinstance(subset := extraction.subset(producer), Slice)
            and (source := self._program.values.get(extraction.container(producer)))
        ):
            return source, subset
        return None

    def _parts(
        self, operand: TensorOperand, part: Slice | None, *, all_of_it: bool = False
    ) -> Iterator[tuple[ValueInfo, Slice]]:
        """
        Each tensor that the operand is a part of, with the slice that holds it; first the
        operand itself, with the part of it, if that is known. With `all_of_it`, the operand
        is all of the first slice.
        """
        value = operand.value
        if part is not None:
            yield value, part
        for _ in range(MAX_TRACED_OPS):
            if (extracted := self.extracted(value)) is not None:
                yield extracted
                value, _ = extracted
                all_of_it = False
                continue
            if len(value.sources) != 1 or value.owner is None:
                return
            ((source, alias),) = value.sources
            if all_of_it and alias.relation is not BufferRelation.EQUIVALENT:
                return
            value = source.value
        MAX_TRACED_OPS.met()


def _read_part(operand: TensorOperand) -> Slice | None:
    info = operand.owner
    return None if info.model is None else info.model.read_part(info.op, operand.index)


def _written_part(operand: TensorOperand) -> Slice | None:
    info = operand.owner
    if info.model is None:
        return None
    return info.model.written_part(info.op, operand.index)
