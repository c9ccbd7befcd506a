"""
Moves to tensors that parts are inserted into: the parts are inserted into the source instead.

    %t = linalg.transpose ins(%x : tensor<4x8xf32>) ... permutation = [1, 0]
    %s = tensor.insert_slice %row into %t[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into ...
    %r = linalg.transpose ins(%s : tensor<8x4xf32>) ... permutation = [1, 0]
    // becomes, and then %r is %s
    %c = tensor.collapse_shape %row [[0, 1]] : tensor<1x4xf32> into tensor<4xf32>
    %s = tensor.insert_slice %c into %x[0, %i] [4, 1] [1, 1] : tensor<4xf32> into ...

A scatter is lowered to that, with the insertion in a loop.

Invariant: each tensor between the move and its readers is used once, so they all are in one
buffer, which is the source's afterwards. The move permutes dimensions; parts keep the order of
their elements, so that no part is moved. Takes time in proportion to the ranks of the insertions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.builder import Builder
from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Operation, SSAValue, Use
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import Rewriter

from xdsl_bufferization.interfaces.loop_like import LoopCarried, LoopLikeOpInterface
from xdsl_bufferization.support.attributes import integers, slice_op
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.regions import block_of
from xdsl_bufferization.support.shaped_types import (
    is_rank_reduced,
    ranked_shape,
    ranked_tensor,
)
from xdsl_bufferization.tensors.eliminate_moves.readers import (
    mixed_sizes,
    permuted,
)
from xdsl_bufferization.tensors.eliminate_moves.views import build_view
from xdsl_bufferization.tensors.indexing_maps import order_of


class Insertions(NamedTuple):
    """Insertions into the result of a move, also in loops that carry it."""

    uses: Sequence[Use]
    """The only use of each tensor: by an insertion, as an init, or by a yield; in this order."""
    order: Sequence[int]
    """By dimension of the source: that of the move's result."""
    tensors: Sequence[SSAValue]
    """The result of the move, and the tensor after each use."""


class Inserted(NamedTuple):
    """The same insertions into the source of the move."""

    tensors: Sequence[SSAValue]
    """The source, and the tensor after each use."""
    ops: Sequence[tuple[Operation, Sequence[Operation]]]
    """The former insertions, each with the ops in its place."""


def insertions_into(
    source: SSAValue, map: AffineMap, moved: SSAValue
) -> Insertions | None:
    """
    The insertions into the result of a move that can be insertions into its source; `None` if
    there are none, or some cannot.
    """
    order = order_of(map.results)
    if (
        order is None
        or len(order) != map.num_dims
        or [*ranked_shape(source)] != permuted(ranked_shape(moved), order)
    ):
        return None
    uses: list[Use] = []
    loops: list[LoopCarried] = []
    """The loops around `value` that carry it, the innermost last."""
    tensors, value = [moved], moved
    while (use := value.get_unique_use()) is not None:
        op = use.operation
        if (carried := _carried(use)) is not None:
            loops.append(carried)
            value = carried.argument
        elif loops and loops[-1].yielded is value:
            value = loops.pop().result
        elif op.parent is block_of(value) and _can_insert(use, order):
            value = op.results[0]
        else:
            break
        uses.append(use)
        tensors.append(value)
    if loops or not any(_is_insertion(use.operation) for use in uses):
        return None
    return Insertions(uses, order, tensors)


def insert_before_move(source: SSAValue, insertions: Insertions) -> Inserted:
    """Insert into the source of a move instead of its result."""
    value = source
    tensors = [source]
    ops: list[tuple[Operation, Sequence[Operation]]] = []
    for use, former in zip(insertions.uses, insertions.tensors[1:], strict=True):
        op = use.operation
        if _is_insertion(op):
            new = _insert(op, value, insertions.order)
            value = new[-1].results[0]
            ops.append((op, new))
        else:
            op.operands[use.index] = value
            value = Rewriter.replace_value_with_new_type(former, source.type)
        tensors.append(value)
    return Inserted(tensors, ops)


def _carried(use: Use) -> LoopCarried | None:
    model = LoopLikeOpInterface.of(use.operation)
    return None if model is None else model.carried(use.operation, use.index)


def _is_insertion(op: Operation) -> bool:
    return isinstance(op, tensor.InsertOp | tensor.InsertSliceOp)


def _can_insert(use: Use, order: Sequence[int]) -> bool:
    """Whether the use is an insertion into the tensor that keeps the order of the part."""
    op = use.operation
    if isinstance(op, tensor.InsertOp):
        return op.operands[use.index] is op.dest
    if not isinstance(op, tensor.InsertSliceOp) or use.index != 1:
        return False
    sizes = integers(op, "static_sizes")
    return (
        DYNAMIC_INDEX not in sizes
        and len(sizes) == len(order)
        and _without_units(permuted(range(len(sizes)), order), sizes)
        == _without_units(range(len(sizes)), sizes)
    )


def _without_units(dimensions: Sequence[int], sizes: Sequence[int]) -> Sequence[int]:
    return [dimension for dimension in dimensions if sizes[dimension] != 1]


def _insert(
    op: Operation, value: SSAValue, order: Sequence[int]
) -> Sequence[Operation]:
    """
    Put an insertion into the value, with its dimensions in that order, in the place of the op,
    after reshapes of the part. Returns these ops, the insertion last.
    """
    before = op.prev_op
    builder = builder_for(op)
    if isinstance(op, tensor.InsertSliceOp):
        new = _slice_inserted(op, value, order, builder)
    else:
        scalar, _, *indices = op.operands
        new = tensor.InsertOp.create(
            operands=(scalar, value, *permuted(indices, order)),
            result_types=(value.type,),
        )
    builder.insert(new)
    new.attributes.update(op.attributes)
    new.results[0].name_hint = op.results[0].name_hint
    op.results[0].replace_all_uses_with(new.results[0])
    Rewriter.erase_op(op)
    return [*_ops_between(before, new), new]


def _ops_between(before: Operation | None, last: Operation) -> Sequence[Operation]:
    ops: list[Operation] = []
    while (op := (ops[-1] if ops else last).prev_op) is not None and op is not before:
        ops.append(op)
    return ops[::-1]


def _slice_inserted(
    op: tensor.InsertSliceOp, value: SSAValue, order: Sequence[int], builder: Builder
) -> Operation:
    offsets, sizes, strides = (
        permuted(mixed_sizes(op, name, dynamic), order)
        for name, dynamic in (
            ("static_offsets", op.offsets),
            ("static_sizes", ()),
            ("static_strides", op.strides),
        )
    )
    part, shape = op.source, ranked_shape(op.source)
    if not is_rank_reduced(shape, [size for size in sizes if isinstance(size, int)]):
        element = ranked_tensor(part.type).element_type
        kept = [size for size in shape if size != 1]
        part = build_view(part, TensorType(element, kept), builder)
    return slice_op(
        tensor.InsertSliceOp, [part, value], value.type, offsets, sizes, strides
    )
