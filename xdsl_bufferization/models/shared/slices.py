"""
The slices that ops name, and whether a slice is all of its tensor.

Sizes may be dynamic. Two of them are known to be equal if both can be traced back to the
same constant, to the same value, or to the same dimension of the same tensor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from xdsl.builder import Builder
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    TensorType,
)
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.reify import Size
from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.support.attributes import constant_integer, integers
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.limits import MAX_SIZE_STEPS
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import defining_op, index_of
from xdsl_bufferization.support.shaped_types import is_rank_reduced, ranked_shape

_FIRST_SIZE = {
    "bufferization.alloc_tensor": 0,
    "tensor.empty": 0,
    "tensor.generate": 0,
    "tensor.splat": 1,
}
"""Ops whose last operands, from that one on, are the dynamic sizes of the result."""


def verify_slice(op: Operation, container: SSAValue, part: SSAValue) -> None:
    """
    Raise `BufferizationError` unless an op as in `slice_of` has an offset, a size and a stride
    for each dimension of the tensor, and sizes that are those of the part, which xDSL does
    not verify.
    """
    rank = len(ranked_shape(container))
    for name in ("offsets", "sizes", "strides"):
        if (found := len(integers(op, f"static_{name}"))) != rank:
            raise BufferizationError(
                op, f"has {found} {name} for a tensor of rank {rank}"
            )
    if not is_rank_reduced(ranked_shape(part), integers(op, "static_sizes")):
        raise BufferizationError(
            op,
            f"has sizes other than those of the slice, which is a {part.type}",
            hint="the type of the slice has the same sizes, dynamic ones where these are "
            "operands, except that it may leave out dimensions of size 1",
        )


def slice_of(op: Operation, first_dynamic: int) -> Slice:
    """
    The slice of an op that has offsets, sizes and strides as operands from `first_dynamic`
    on, and as arrays with `DYNAMIC_INDEX` for each operand. Operands that are constants
    count as the numbers they are.
    """
    values = iter(op.operands[first_dynamic:])

    def mixed(name: str) -> tuple[Size, ...]:
        return tuple(
            _number_or_value(next(values)) if number == DYNAMIC_INDEX else number
            for number in integers(op, name)
        )

    # The operands come in this order, too.
    return Slice(
        mixed("static_offsets"), mixed("static_sizes"), mixed("static_strides")
    )


def _number_or_value(value: SSAValue) -> Size:
    number = constant_integer(value)
    return value if number is None else number


class _Dimension(NamedTuple):
    """How large a ranked tensor is in one dimension."""

    tensor: SSAValue
    dim: int


_Traced: TypeAlias = Size | _Dimension


def is_whole(part: Slice, value: SSAValue, *, through_loops: bool = True) -> bool:
    """
    Whether the slice of the ranked tensor `value` leaves no element out: it is as large as the
    tensor, so that it can only start at the first element, as it must be within the bounds.

    Without `through_loops` no size is traced through a loop: while the program is being
    rewritten, a loop around the slice may have been rewritten already or not, and the
    answer has to be the same.
    """
    tracer = _Tracer(through_loops)
    return all(stride == 1 for stride in part.strides) and all(
        size == static
        or tracer.origin(size) == tracer.origin(_Dimension(value, dimension))
        for dimension, (size, static) in enumerate(
            zip(part.sizes, ranked_shape(value), strict=True)
        )
    )


def traced_sizes(value: SSAValue, builder: Builder) -> Sequence[Size]:
    """
    The sizes of a ranked tensor, traced back as far as they are known, so that they do not
    depend on the op that computes the tensor, if possible; ops are inserted if need be.
    """
    return [
        _traced_size(_Dimension(value, dim), builder) if size == DYNAMIC_INDEX else size
        for dim, size in enumerate(ranked_shape(value))
    ]


def _traced_size(dimension: _Dimension, builder: Builder) -> Size:
    origin = _Tracer(through_loops=True).origin(dimension)
    if not isinstance(origin, _Dimension):
        return origin
    index = builder.insert(arith.ConstantOp(IntegerAttr(origin.dim, IndexType())))
    return builder.insert(tensor.DimOp(origin.tensor, index)).result


class _Tracer:
    """Traces sizes back, for a limited number of steps."""

    def __init__(self, through_loops: bool):
        self._through_loops = through_loops
        self._steps_left: int = MAX_SIZE_STEPS

    def origin(self, size: _Traced, until: _Traced | None = None) -> _Traced:
        """What the size is known to be equal to, traced back no further than `until`."""
        while size != until and self._steps_left:
            self._steps_left -= 1
            source = self._source(size)
            if source is None:
                break
            size = source
        if not self._steps_left:
            MAX_SIZE_STEPS.met()
        return size

    def _source(self, size: _Traced) -> _Traced | None:
        if isinstance(size, int):
            return None
        if isinstance(size, _Dimension):
            static = ranked_shape(size.tensor)[size.dim]
            return (
                self._source_of_dimension(size) if static == DYNAMIC_INDEX else static
            )
        if (number := constant_integer(size)) is not None:
            return number
        if isinstance(op := size.owner, tensor.DimOp) and _is_ranked(op.source):
            index = constant_integer(op.index)
            if index is not None and 0 <= index < len(ranked_shape(op.source)):
                return _Dimension(op.source, index)
        return None

    def _source_of_dimension(self, dimension: _Dimension) -> _Traced | None:
        """What the size in that dimension, which is dynamic in the type, is equal to."""
        value, index = dimension
        if isinstance(value, BlockArgument):
            parent = value.block.parent_op()
            return None if parent is None else self._carried(parent, dimension)
        op = defining_op(value)
        name = op_name(op)
        if name in _FIRST_SIZE:
            dynamic = op.operands[_FIRST_SIZE[name] :]
            if dynamic and _is_ranked(dynamic[0]):
                # An alloc_tensor that copies this tensor.
                return _Dimension(dynamic[0], index)
            if len(dynamic) == ranked_shape(value).count(DYNAMIC_INDEX):
                return dynamic[ranked_shape(value)[:index].count(DYNAMIC_INDEX)]
        elif name == "tensor.extract_slice":
            sizes = slice_of(op, first_dynamic=1).sizes
            if len(sizes) == len(ranked_shape(value)):
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
        The size of a loop's init, for its result or its iteration argument: if the tensor
        that each iteration yields is known to be as large as the init, or as large as the
        iteration argument.
        """
        value, index = dimension
        if not self._through_loops:
            return None
        if op_name(op) == "scf.forall":
            # Its outputs are updated in place.
            position = _carried_index(value, op.regions[0].block.args, len(op.results))
            outputs = op.operands[len(op.operands) - len(op.results) :]
            return None if position is None else _Dimension(outputs[position], index)
        if op.name != "scf.for":
            return None
        body = op.regions[0].block
        position = _carried_index(value, body.args, len(op.results))
        yielded = body.last_op
        if position is None or yielded is None:
            return None
        # The bounds and the step precede the inits, and the induction variable the arguments.
        init = _Dimension(op.operands[position + 3], index)
        argument = _Dimension(body.args[position + 1], index)
        end = self.origin(_Dimension(yielded.operands[position], index), until=argument)
        return init if end == argument or end == self.origin(init) else None


def _carried_index(
    value: SSAValue, arguments: Sequence[BlockArgument], carried: int
) -> int | None:
    """The index of a result, or of a block argument, among the loop-carried values."""
    if isinstance(value, OpResult):
        return value.index
    position = index_of(value) - (len(arguments) - carried)
    return position if position >= 0 else None


def _is_ranked(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType)
