"""
Parts of one tensor that have no element in common.

Offsets are compared as linear functions `factor * base + constant` of one value, so that
slices at `%i` and at `%i + 4` are known to be disjoint if they are not longer than four.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineExpr,
)

from xdsl_bufferization.interfaces.subset import Slice, SubsetExtractionOpInterface
from xdsl_bufferization.one_shot.facts.origins import Origins
from xdsl_bufferization.one_shot.facts.program import (
    TensorOperand,
    TensorProgram,
    ValueInfo,
)

_MANY_STEPS = 16
"""How far a tensor is traced back through slices, and an offset through arithmetic."""


@dataclass(frozen=True, slots=True)
class Linear:
    """`factor * base + constant`; without a base, a number."""

    base: SSAValue | None
    factor: int
    constant: int

    def times(self, number: int) -> Linear:
        return Linear(self.base, self.factor * number, self.constant * number)

    def plus(self, other: Linear) -> Linear | None:
        if self.base is not None and other.base is not None:
            return None
        return Linear(
            self.base if other.base is None else other.base,
            self.factor + other.factor,
            self.constant + other.constant,
        )


def linear(value: SSAValue | int) -> Linear:
    """The value as a linear function of the earliest value that it can be traced to."""
    if isinstance(value, int):
        return Linear(None, 0, value)
    result = Linear(value, 1, 0)
    for _ in range(_MANY_STEPS):
        if result.base is None:
            break
        step = _defined_by(result.base)
        if step is None:
            break
        total = step.times(result.factor).plus(Linear(None, 0, result.constant))
        assert total is not None
        result = total
    return result if result.factor else Linear(None, 0, result.constant)


def _defined_by(value: SSAValue) -> Linear | None:
    """The value in terms of one operand of the op that computes it."""
    match value.owner:
        case arith.ConstantOp(value=IntegerAttr() as number):
            return Linear(None, 0, number.value.data)
        case arith.AddiOp(lhs=lhs, rhs=rhs):
            return _operand(lhs).plus(_operand(rhs))
        case arith.SubiOp(lhs=lhs, rhs=rhs):
            return _operand(lhs).plus(_operand(rhs).times(-1))
        case arith.MuliOp(lhs=lhs, rhs=rhs):
            a, b = _operand(lhs), _operand(rhs)
            if a.base is None:
                return b.times(a.constant)
            return a.times(b.constant) if b.base is None else None
        case affine.ApplyOp() as op:
            if len(op.mapOperands) != 1:
                return None
            return _affine(op.map.data.results[0], op.mapOperands[0])
        case _:
            return None


def _operand(value: SSAValue) -> Linear:
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return Linear(None, 0, owner.value.value.data)
    return Linear(value, 1, 0)


def _affine(expression: AffineExpr, operand: SSAValue) -> Linear | None:
    """An affine expression of one operand, of which maps are short."""
    match expression:
        case AffineConstantExpr(value=number):
            return Linear(None, 0, number)
        case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Add, lhs=lhs, rhs=rhs):
            a, b = _affine(lhs, operand), _affine(rhs, operand)
            if a is None or b is None:
                return None
            return Linear(
                operand if a.base or b.base else None,
                a.factor + b.factor,
                a.constant + b.constant,
            )
        case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Mul, lhs=lhs, rhs=rhs):
            a, b = _affine(lhs, operand), _affine(rhs, operand)
            if a is None or b is None or b.base is not None:
                return None
            return a.times(b.constant)
        case AffineBinaryOpExpr():
            return None
        case _:
            return Linear(operand, 1, 0)


def are_disjoint(a: Slice, b: Slice, *, same_values: bool) -> bool:
    """
    Whether the two slices of one tensor have no element in common.

    `same_values` says that a value that occurs in both is the same number; otherwise it
    may be that of different iterations.
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
        or not isinstance(a_stride, int)
        or not isinstance(b_stride, int)
    ):
        return False
    distance = b.constant - a.constant
    if a_stride == b_stride and distance % a_stride:
        # They interleave.
        return True
    if distance < 0:
        distance, a_size, a_stride = -distance, b_size, b_stride
    return isinstance(a_size, int) and (a_size - 1) * a_stride < distance


class Parts:
    """Answers which parts of tensors a read and a write touch."""

    def __init__(self, program: TensorProgram, origins: Origins):
        self._program = program
        self._origins = origins

    def are_disjoint(
        self, read: TensorOperand, write: TensorOperand, *, same_iteration: bool
    ) -> bool:
        """Whether the write does not touch the elements that the read does."""
        written = [*self.written(write)]
        return bool(written) and any(
            self._origins.have_same_elements(container, other)
            and are_disjoint(part, other_part, same_values=same_iteration)
            for container, part in self.read(read)
            for other, other_part in written
        )

    def read(self, operand: TensorOperand) -> Iterator[tuple[ValueInfo, Slice]]:
        """Tensors, and the slice of each that holds all that is read."""
        return self._parts(operand, _read_part(operand))

    def written(self, operand: TensorOperand) -> Iterator[tuple[ValueInfo, Slice]]:
        """Tensors, and the slice of each that holds all that is written."""
        return self._parts(operand, _written_part(operand))

    def _parts(
        self, operand: TensorOperand, part: Slice | None
    ) -> Iterator[tuple[ValueInfo, Slice]]:
        """The tensors of which the operand is a part, each with a slice that holds it."""
        value = operand.value
        if part is not None:
            yield value, part
        for _ in range(_MANY_STEPS):
            producer = value.value.owner
            if (
                isinstance(producer, Operation)
                and (extraction := SubsetExtractionOpInterface.of(producer))
                and isinstance(subset := extraction.subset(producer), Slice)
                and (source := self._program.values.get(extraction.container(producer)))
            ):
                yield source, subset
                value = source
            elif len(value.sources) == 1 and value.owner is not None:
                value = value.sources[0][0].value
            else:
                return


def _read_part(operand: TensorOperand) -> Slice | None:
    info = operand.owner
    return None if info.model is None else info.model.read_part(info.op, operand.index)


def _written_part(operand: TensorOperand) -> Slice | None:
    info = operand.owner
    if info.model is None:
        return None
    return info.model.written_part(info.op, operand.index)
