"""The conversions of numbers in the bodies of linalg ops."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, IntegerType
from xdsl.ir import Attribute, SSAValue


def converted(value: SSAValue, type: Attribute, *, signed: bool = True) -> SSAValue:
    """
    The number as one of the type, as MLIR's `linalg` ops convert it. Ops are inserted by the
    implicit builder.
    """
    before, after = value.type, type
    if before == after:
        return value
    if isinstance(before, AnyFloat) and isinstance(after, AnyFloat):
        widens = before.bitwidth < after.bitwidth
        kind = arith.ExtFOp if widens else arith.TruncFOp
    elif isinstance(before, IntegerType) and isinstance(after, IntegerType):
        widens = before.bitwidth < after.bitwidth
        extension = arith.ExtSIOp if signed else arith.ExtUIOp
        kind = extension if widens else arith.TruncIOp
    elif isinstance(before, IntegerType) and isinstance(after, AnyFloat):
        kind = arith.SIToFPOp if signed else arith.UIToFPOp
    elif isinstance(before, AnyFloat) and isinstance(after, IntegerType):
        kind = arith.FPToSIOp if signed else arith.FPToUIOp
    else:
        return value
    return kind.create(operands=(value,), result_types=(type,)).results[0]
