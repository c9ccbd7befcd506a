"""
The integers that ops compute, as polynomials.

They are those of `index` and of `i64`: a cast between the two keeps every number that is a
size, one to a narrower type may not.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import affine
from xdsl.dialects.builtin import IndexType, i64
from xdsl.ir import Attribute, Operation, OpResult
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

from xdsl_bufferization.interfaces.sizes import (
    Expression,
    SizesOpInterface,
    number_of,
    size_of,
)
from xdsl_bufferization.support.attributes import constant_integer

_MAX_DEPTH = 32
"""Nesting of the expression of an affine map; a deeper one is unknown."""


def is_number(type: Attribute) -> bool:
    """Whether values of the type are followed."""
    return isinstance(type, IndexType) or type == i64


class _OfIntegers(SizesOpInterface):
    """An op on integers of a type that is followed."""

    def size(
        self, op: Operation, result: OpResult, dimension: int | None
    ) -> Expression | None:
        if not all(map(is_number, (*op.operand_types, *op.result_types))):
            return None
        return self.number(op)

    def number(self, op: Operation) -> Expression | None:
        """The result of the op."""
        raise NotImplementedError


class _Constant(_OfIntegers):
    def number(self, op: Operation) -> Expression | None:
        return number_of(op.results[0])


class _Sum(_OfIntegers):
    def number(self, op: Operation) -> Expression | None:
        return number_of(op.operands[0]) + number_of(op.operands[1])


class _Difference(_OfIntegers):
    def number(self, op: Operation) -> Expression | None:
        return number_of(op.operands[0]) - number_of(op.operands[1])


class _Product(_OfIntegers):
    def number(self, op: Operation) -> Expression | None:
        return number_of(op.operands[0]) * number_of(op.operands[1])


class _Same(_OfIntegers):
    def number(self, op: Operation) -> Expression | None:
        return number_of(op.operands[0])


class _ShiftLeft(_OfIntegers):
    def number(self, op: Operation) -> Expression | None:
        bits = constant_integer(op.operands[1])
        if bits is None or not 0 <= bits < 63:
            return None
        return number_of(op.operands[0]).times(1 << bits)


class _Apply(_OfIntegers):
    """`affine.apply` of a map that only adds and multiplies."""

    def number(self, op: Operation) -> Expression | None:
        assert isinstance(op, affine.ApplyOp)
        map = op.map.data
        operands = [number_of(operand) for operand in op.operands]
        dims, symbols = operands[: map.num_dims], operands[map.num_dims :]
        return _value_of(map.results[0], dims, symbols, _MAX_DEPTH)


def _value_of(
    expr: AffineExpr, dims: list[Expression], symbols: list[Expression], depth: int
) -> Expression | None:
    match expr:
        case AffineConstantExpr(value):
            return Expression.constant(value)
        case AffineDimExpr(position):
            return dims[position]
        case AffineSymExpr(position):
            return symbols[position]
        case AffineBinaryOpExpr(kind, lhs, rhs) if depth:
            a = _value_of(lhs, dims, symbols, depth - 1)
            b = _value_of(rhs, dims, symbols, depth - 1)
            if a is None or b is None:
                return None
            if kind is AffineBinaryOpKind.Add:
                return a + b
            return a * b if kind is AffineBinaryOpKind.Mul else None
        case _:
            return None


class _Dim(SizesOpInterface):
    """`tensor.dim` and `memref.dim`."""

    def size(
        self, op: Operation, result: OpResult, dimension: int | None
    ) -> Expression | None:
        index = constant_integer(op.operands[1])
        return None if index is None else size_of(op.operands[0], index)


NUMBERS: Mapping[str, SizesOpInterface] = {
    "affine.apply": _Apply(),
    "arith.addi": _Sum(),
    "arith.constant": _Constant(),
    "arith.index_cast": _Same(),
    "arith.index_castui": _Same(),
    "arith.muli": _Product(),
    "arith.shli": _ShiftLeft(),
    "arith.subi": _Difference(),
    "index.add": _Sum(),
    "index.constant": _Constant(),
    "index.mul": _Product(),
    "index.sub": _Difference(),
    "memref.dim": _Dim(),
    "tensor.dim": _Dim(),
}
"""The answers by op."""
