"""
Integers as linear functions `factor * base + constant` of one value.

Offsets of slices are compared in this form: that of `%i + 4` is four more than that of
`%i`, whatever `%i` is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineExpr,
)

if TYPE_CHECKING:
    from xdsl.dialects import affine

_MANY_STEPS = 16
"""How many ops a value is traced back through."""


class Linear(NamedTuple):
    """`factor * base + constant`; without a base, the number `constant`."""

    base: SSAValue | None
    factor: int
    constant: int

    def times(self, number: int) -> Linear:
        """The function multiplied by a number."""
        return Linear(self.base, self.factor * number, self.constant * number)

    def plus(self, other: Linear) -> Linear | None:
        """The sum; `None` if both have a base, so that the sum is no linear function."""
        if self.base is not None and other.base is not None:
            return None
        return Linear(
            self.base if other.base is None else other.base,
            self.factor + other.factor,
            self.constant + other.constant,
        )


def linear(value: SSAValue | int) -> Linear:
    """The value as a linear function of the earliest value that it is traced back to."""
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
    """
    The value as a linear function of one operand of the op that computes it; `None` if
    it is no such function.
    """
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
        case arith.IndexCastOp() | arith.MaxSIOp() | arith.MinSIOp():
            return _unclamped(value)
        case Operation(name="affine.apply") as op:
            return _applied(cast("affine.ApplyOp", op))
        case _:
            return None


def _unclamped(value: SSAValue) -> Linear | None:
    """The induction variable that the value always equals, if there is one."""
    # Most short programs clamp nothing.
    from xdsl_bufferization.one_shot.facts.clamps import unclamped

    base = unclamped(value)
    return None if base is value else Linear(base, 1, 0)


def _applied(op: affine.ApplyOp) -> Linear | None:
    if len(op.mapOperands) != 1:
        return None
    return _affine(op.map.data.results[0], op.mapOperands[0])


def _operand(value: SSAValue) -> Linear:
    """A number if the value is a constant, otherwise the value itself."""
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return Linear(None, 0, owner.value.value.data)
    return Linear(value, 1, 0)


def _affine(expression: AffineExpr, operand: SSAValue) -> Linear | None:
    """The expression as a linear function of the operand; `None` if it is no such."""
    # Recursive, as the expressions of maps are small.
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
