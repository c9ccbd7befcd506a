"""Constants with one number for all elements."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    TensorType,
)

from xdsl_bufferization.dense.elements import splat_number


def splat_of(op: arith.ConstantOp) -> IntegerAttr[Any] | FloatAttr[Any] | None:
    """The number that all elements of a constant tensor are, if there is one."""
    value = op.value
    if isinstance(value, DenseIntOrFPElementsAttr) and isinstance(
        value.type, TensorType
    ):
        return splat_number(value)
    return None
