"""Slices that are known to be all of their tensor, though sizes may be dynamic."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import ConstantLike

from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.registry import op_name
from xdsl_bufferization.interfaces.subset import Slice

_MANY_STEPS = 16
"""How far the inits that a tensor is computed in are followed."""

_MADE_OF_SIZES = {
    "bufferization.alloc_tensor": 0,
    "tensor.empty": 0,
    "tensor.generate": 0,
    "tensor.splat": 1,
}
"""Ops whose operands, from that one on, are the dynamic sizes of the result."""


def is_whole(part: Slice, value: SSAValue) -> bool:
    """Whether the slice of the ranked tensor `value` leaves no element out."""
    shape = cast(TensorType[Attribute], value.type).get_shape()
    return (
        all(offset == 0 for offset in part.offsets)
        and all(stride == 1 for stride in part.strides)
        and all(
            size == static
            or (static == DYNAMIC_INDEX and _is_size(size, value, dimension))
            for dimension, (size, static) in enumerate(
                zip(part.sizes, shape, strict=True)
            )
        )
    )


def _is_size(size: SSAValue | int, value: SSAValue, dimension: int) -> bool:
    """Whether `size` is how large the tensor is in a dimension of unknown size."""
    if isinstance(size, int):
        return False
    tensors = {*_of_equal_shape(value)}
    if any(_given_size(t, dimension) is size for t in tensors):
        return True
    if not isinstance(op := size.owner, tensor.DimOp):
        return False
    index = ConstantLike.get_constant_value(op.index)
    return (
        isinstance(index, IntegerAttr)
        and index.value.data == dimension
        and not tensors.isdisjoint(_of_equal_shape(op.source))
    )


def _given_size(value: SSAValue, dimension: int) -> SSAValue | None:
    """The operand that says how large the op that makes the tensor makes it."""
    owner = value.owner
    if not isinstance(owner, Operation) or op_name(owner) not in _MADE_OF_SIZES:
        return None
    shape = cast(TensorType[Attribute], value.type).get_shape()
    dynamic = [i for i, size in enumerate(shape) if size == DYNAMIC_INDEX]
    sizes = owner.operands[_MADE_OF_SIZES[op_name(owner)] :]
    if len(sizes) != len(dynamic) or dimension not in dynamic:
        return None
    return sizes[dynamic.index(dimension)]


def _of_equal_shape(value: SSAValue) -> Iterator[SSAValue]:
    """The tensor, and the inits that it is computed in."""
    for _ in range(_MANY_STEPS):
        yield value
        owner = value.owner
        style = (
            DestinationStyleOpInterface.of(owner)
            if isinstance(owner, Operation)
            else None
        )
        if not isinstance(owner, Operation) or style is None:
            return
        init = next(
            (i for i in style.inits(owner) if style.tied_result(owner, i) is value),
            None,
        )
        if init is None:
            return
        value = owner.operands[init]
