"""
Slices that are known to be all of their tensor, though sizes may be dynamic.

Two sizes are the same if both can be traced back to the same constant, value, or
dimension of a tensor of which nothing more is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias, cast

from xdsl.dialects import scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, TensorType
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import ConstantLike

from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.reify import Size
from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.models.shared.other_interfaces import slice_of
from xdsl_bufferization.support.names import op_name

_MANY_STEPS = 64
"""In how many steps the sizes of a slice are traced back."""

_MADE_OF_SIZES = {
    "bufferization.alloc_tensor": 0,
    "tensor.empty": 0,
    "tensor.generate": 0,
    "tensor.splat": 1,
}
"""Ops whose operands, from that one on, are the dynamic sizes of the result."""


class _Dimension(NamedTuple):
    """How large a ranked tensor is in one dimension."""

    tensor: SSAValue
    dim: int


_Traced: TypeAlias = Size | _Dimension


def is_whole(part: Slice, value: SSAValue, *, through_loops: bool = True) -> bool:
    """
    Whether the slice of the ranked tensor `value` leaves no element out.

    Loops that have been rewritten already tell nothing any more: without `through_loops`
    none is looked at, so that the answer is the same before and after.
    """
    tracer = _Tracer(through_loops)
    return (
        all(offset == 0 for offset in part.offsets)
        and all(stride == 1 for stride in part.strides)
        and all(
            size == static
            or tracer.origin(size) == tracer.origin(_Dimension(value, dimension))
            for dimension, (size, static) in enumerate(
                zip(part.sizes, _shape(value), strict=True)
            )
        )
    )


class _Tracer:
    """Traces sizes back, for a limited number of steps."""

    def __init__(self, through_loops: bool):
        self._through_loops = through_loops
        self._steps_left = _MANY_STEPS

    def origin(self, size: _Traced, until: _Traced | None = None) -> _Traced:
        """What the size is known to be the same as, traced back no further than `until`."""
        while size != until and self._steps_left:
            self._steps_left -= 1
            source = self._source(size)
            if source is None:
                break
            size = source
        return size

    def _source(self, size: _Traced) -> _Traced | None:
        if isinstance(size, int):
            return None
        if isinstance(size, _Dimension):
            static = _shape(size.tensor)[size.dim]
            return (
                self._source_of_dimension(size) if static == DYNAMIC_INDEX else static
            )
        if (number := _number(size)) is not None:
            return number
        if isinstance(op := size.owner, tensor.DimOp) and _is_ranked(op.source):
            index = _number(op.index)
            if index is not None and 0 <= index < len(_shape(op.source)):
                return _Dimension(op.source, index)
        return None

    def _source_of_dimension(self, dimension: _Dimension) -> _Traced | None:
        """What tells the size in that dimension, which the tensor's type does not."""
        value, index = dimension
        if isinstance(value, BlockArgument):
            parent = value.block.parent_op()
            return None if parent is None else self._carried(parent, dimension)
        op = value.owner
        assert isinstance(op, Operation)
        name = op_name(op)
        if name in _MADE_OF_SIZES:
            dynamic = op.operands[_MADE_OF_SIZES[name] :]
            if dynamic and _is_ranked(dynamic[0]):
                # An alloc_tensor that is a copy of this.
                return _Dimension(dynamic[0], index)
            if len(dynamic) == _shape(value).count(DYNAMIC_INDEX):
                return dynamic[_shape(value)[:index].count(DYNAMIC_INDEX)]
        elif name == "tensor.extract_slice":
            sizes = slice_of(op, first_dynamic=1).sizes
            if len(sizes) == len(_shape(value)):
                return sizes[index]
        elif name == "tensor.cast":
            if _is_ranked(op.operands[0]):
                return _Dimension(op.operands[0], index)
        elif (style := DestinationStyleOpInterface.of(op)) is not None:
            for init in style.inits(op):
                if style.tied_result(op, init) is value:
                    return _Dimension(op.operands[init], index)
        return self._carried(op, dimension)

    def _carried(self, op: Operation, dimension: _Dimension) -> _Traced | None:
        """
        The size of what a loop starts with, if each iteration hands on a tensor that is
        as large, or as large as the one it was given.
        """
        value, index = dimension
        if not self._through_loops:
            return None
        if op_name(op) == "scf.forall":
            # Its outputs are updated in place.
            place = _place(value, op.regions[0].block.args, len(op.results))
            outputs = op.operands[len(op.operands) - len(op.results) :]
            return None if place is None else _Dimension(outputs[place], index)
        if not isinstance(op, scf.ForOp):
            return None
        place = _place(value, op.body.block.args, len(op.results))
        yielded = op.body.block.last_op
        if place is None or yielded is None:
            return None
        start = _Dimension(op.iter_args[place], index)
        given = _Dimension(op.body.block.args[place + 1], index)
        end = self.origin(_Dimension(yielded.operands[place], index), until=given)
        return start if end == given or end == self.origin(start) else None


def _place(
    value: SSAValue, arguments: Sequence[BlockArgument], carried: int
) -> int | None:
    """The place of a result, or of one of the last arguments, among what is carried."""
    if isinstance(value, OpResult):
        return value.index
    assert isinstance(value, BlockArgument)
    place = value.index - (len(arguments) - carried)
    return place if place >= 0 else None


def _number(value: SSAValue) -> int | None:
    constant = ConstantLike.get_constant_value(value)
    return constant.value.data if isinstance(constant, IntegerAttr) else None


def _is_ranked(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType)


def _shape(value: SSAValue) -> tuple[int, ...]:
    return cast(TensorType[Attribute], value.type).get_shape()
