"""
The integers that ops compute, as polynomials.

They are those of `index` and of `i64`: a cast between the two keeps every number that is a
size, one to a narrower type may not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import add, mul, sub

from xdsl.dialects.builtin import AffineMapAttr, IndexType, i64
from xdsl.ir import Attribute, Operation, OpResult
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

from xdsl_bufferization.interfaces.index_arithmetic import (
    IndexArithmeticOpInterface,
    LinearForm,
)
from xdsl_bufferization.interfaces.sizes import (
    Expression,
    SizesOpInterface,
    number_of,
    size_of,
)
from xdsl_bufferization.support.attributes import constant_integer, known_attribute
from xdsl_bufferization.support.names import op_name

_MAX_DEPTH = 32
"""Nesting of the expression of an affine map; a deeper one is unknown."""


def is_number(type: Attribute) -> bool:
    """Whether values of the type are followed."""
    return isinstance(type, IndexType) or type == i64


class _OfIntegers(SizesOpInterface):
    """An op on integers of a type that is followed; `number` computes its result."""

    def __init__(self, number: Callable[[Operation], Expression | None]):
        self._number = number

    def size(
        self, op: Operation, result: OpResult, dimension: int | None
    ) -> Expression | None:
        if not all(map(is_number, (*op.operand_types, *op.result_types))):
            return None
        return self._number(op)


def _of_two(
    compute: Callable[[Expression, Expression], Expression],
) -> SizesOpInterface:
    """An op whose result is a function of its two operands."""
    return _OfIntegers(
        lambda op: compute(number_of(op.operands[0]), number_of(op.operands[1]))
    )


def _shifted_left(op: Operation) -> Expression | None:
    bits = constant_integer(op.operands[1])
    if bits is None or not 0 <= bits < 63:
        return None
    return number_of(op.operands[0]).times(1 << bits)


def _applied(op: Operation) -> Expression | None:
    """The result of `affine.apply`, if its map only adds and multiplies."""
    map = known_attribute(op, "map", AffineMapAttr).data
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


class LinearArithmetic(IndexArithmeticOpInterface):
    """An op of `NUMBERS`, if its result is linear in one operand."""

    def linear(self, op: Operation) -> LinearForm | None:
        number = NUMBERS[op_name(op)].size(op, op.results[0], None)
        if number is None:
            return None
        constant = number.terms.get(frozenset(), 0)
        match [*(number - Expression.constant(constant)).terms.items()]:
            case []:
                return LinearForm(None, 0, constant)
            case [(product, factor)] if number.degree == 1:
                ((symbol, _),) = product
                return LinearForm(symbol.value, factor, constant)
            case _:
                return None


_CONSTANT = _OfIntegers(lambda op: number_of(op.results[0]))
_SAME = _OfIntegers(lambda op: number_of(op.operands[0]))
_SUM, _DIFFERENCE, _PRODUCT = map(_of_two, (add, sub, mul))

NUMBERS: Mapping[str, SizesOpInterface] = {
    "affine.apply": _OfIntegers(_applied),
    "arith.addi": _SUM,
    "arith.constant": _CONSTANT,
    "arith.index_cast": _SAME,
    "arith.index_castui": _SAME,
    "arith.muli": _PRODUCT,
    "arith.shli": _OfIntegers(_shifted_left),
    "arith.subi": _DIFFERENCE,
    "index.add": _SUM,
    "index.constant": _CONSTANT,
    "index.mul": _PRODUCT,
    "index.sub": _DIFFERENCE,
    "memref.dim": _Dim(),
    "tensor.dim": _Dim(),
}
"""The answers by op."""
