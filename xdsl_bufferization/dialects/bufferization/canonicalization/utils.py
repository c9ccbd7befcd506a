"""What several patterns ask."""

from __future__ import annotations

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, TensorType
from xdsl.ir import SSAValue


def constant_of(value: SSAValue) -> int | None:
    """The integer that the value is, if it is a constant one."""
    if isinstance(value.owner, arith.ConstantOp) and isinstance(
        number := value.owner.value, IntegerAttr
    ):
        return number.value.data
    return None


def more_static_source(value: SSAValue) -> SSAValue | None:
    """
    What the value was before a `tensor.cast` that only made its type say less; `None` if
    there was none.
    """
    if not isinstance(value.owner, tensor.CastOp):
        return None
    source, target = value.owner.source.type, value.owner.dest.type
    if not isinstance(source, TensorType) or not isinstance(target, TensorType):
        return None
    says_less = all(
        size in (known, DYNAMIC_INDEX)
        for known, size in zip(source.get_shape(), target.get_shape(), strict=True)
    )
    return value.owner.source if says_less else None
