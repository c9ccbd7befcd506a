"""
Memrefs with several elements in one place, where a write of one changes the others.

    %v = memref.reinterpret_cast %m to offset: [0], sizes: [2, 2], strides: [%k, 1]  // %k may be 0

Tensors have no such elements, so nothing is computed in that memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.reify import Size
from xdsl_bufferization.interfaces.view_like import viewed_by
from xdsl_bufferization.models.shared.conditionals import yielded_for
from xdsl_bufferization.models.shared.slices import size_expression, slice_of
from xdsl_bufferization.sizes.computation import is_never_negative
from xdsl_bufferization.support.memref_types import strides_and_offset


def may_overlap_itself(value: SSAValue) -> bool:
    """
    Whether elements of the memref may be in one place, by types, or by ops that lay it out. A
    layout of unknown strides that no op of the function makes is taken to be without.
    """
    pending, seen = [value], {value}
    while pending:
        value = pending.pop()
        op, type = value.owner, value.type
        if isinstance(op, memref.ReinterpretCastOp):
            _, sizes, strides = slice_of(op, first_dynamic=1)
        elif isinstance(type, MemRefType):
            sizes, (strides, _) = type.get_shape(), strides_and_offset(type)
        else:
            sizes = strides = ()
        if _may_overlap(sizes, strides) or (
            isinstance(op, memref.SubviewOp) and _may_repeat_elements(op)
        ):
            return True
        if isinstance(value, OpResult):
            viewed = {value.op.operands[index] for index in viewed_by(value)}
            new = viewed.union(yielded_for(value)) - seen
            seen |= new
            pending += new
    return False


def _may_repeat_elements(op: Operation) -> bool:
    """Whether the slice that an op extracts may have a step of 0."""
    part = slice_of(op, first_dynamic=1)
    return any(
        size != 1 and (step == 0 or not isinstance(step, int))
        for size, step in zip(part.sizes, part.strides, strict=True)
    )


def _may_overlap(sizes: Iterable[Size], strides: Iterable[Size | None]) -> bool:
    """
    Whether a stride may be within what the dimensions of smaller strides span. A size that the type
    does not tell is taken to be 2, and strides that are no numbers to be in the usual order.
    """
    dimensions = [
        (
            size_expression(2 if size == DYNAMIC_INDEX else size),
            size_expression(stride),
        )
        for size, stride in zip(sizes, strides, strict=True)
        if size != 1 and stride is not None
    ]
    span = size_expression(1)
    for size, stride in sorted(
        reversed(dimensions),
        key=lambda dim: inf if dim[1].number is None else dim[1].number,
    ):
        if not is_never_negative(stride - span):
            return True
        span = size * stride
    return False
