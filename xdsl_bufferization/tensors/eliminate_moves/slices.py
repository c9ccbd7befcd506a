"""
Ops that read a move's result, also through slices of it: the slices are taken of the source, with
offsets, sizes and strides in another order of dimensions.

    %t = linalg.transpose ins(%x : tensor<64x32xf32>) ... permutation = [1, 0]
    %s = tensor.extract_slice %t[%i, %j] [8, 16] [1, 1] : tensor<32x64xf32> to tensor<8x16xf32>
    // becomes, and %s is read with its dimensions in the other order
    %s = tensor.extract_slice %x[%j, %i] [16, 8] [1, 1] : tensor<64x32xf32> to tensor<16x8xf32>

Tiled loops read transposed matrices in this way. Invariant: each dimension of the source is one of
the result, and a slice has as many dimensions as its source; so the map of the move is also the map
of the slices. Takes time in proportion to the slices and their ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    TensorType,
)
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap

from xdsl_bufferization.interfaces.reify import Size
from xdsl_bufferization.support.attributes import integers
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.shaped_types import ranked_shape, ranked_tensor
from xdsl_bufferization.support.xdsl_releases import slice_op
from xdsl_bufferization.tensors.eliminate_moves.obstacles import Obstacle
from xdsl_bufferization.tensors.eliminate_moves.readers import Reader, readers_of
from xdsl_bufferization.tensors.indexing_maps import order_of

_T = TypeVar("_T")


def permuted(values: Sequence[_T], order: Sequence[int]) -> list[_T]:
    """By dimension of a tensor, given those that they are in another one: the values there."""
    return [values[dimension] for dimension in order]


def mixed_sizes(
    op: Operation, name: str, dynamic: Sequence[SSAValue]
) -> Sequence[Size]:
    """The numbers of a property of the op, and the operands where it has none."""
    values = iter(dynamic)
    return [
        next(values) if number == DYNAMIC_INDEX else number
        for number in integers(op, name)
    ]


class Read(NamedTuple):
    """The result of a move, or a slice of it, with the ops that use it and take no slice."""

    value: SSAValue
    readers: Sequence[Reader | Obstacle]

    @property
    def able(self) -> Sequence[Reader]:
        """Those that are no obstacles."""
        return [reader for reader in self.readers if isinstance(reader, Reader)]


def reads_of(result: SSAValue, map: AffineMap) -> Sequence[Read]:
    """The result of a move with that map, and its slices, each after what it is a slice of."""
    can_be_sliced = order_of(map.results) is not None
    reads: list[Read] = []
    pending = [result]
    while pending:
        value = pending.pop()
        readers: list[Reader | Obstacle] = []
        for op, reader in readers_of(value).items():
            if can_be_sliced and _keeps_rank(op):
                pending.append(op.results[0])
            else:
                readers.append(reader)
        reads.append(Read(value, readers))
    return reads


def users_of(reads: Sequence[Read]) -> Sequence[Operation]:
    """All ops that use the tensors, slices included."""
    return [use.operation for read in reads for use in read.value.uses]


def slice_source(op: Operation, source: SSAValue, map: AffineMap) -> Operation:
    """
    The slice of the source whose elements the slice of a move's result has, put before that,
    given the map of the move.
    """
    order = order_of(map.results)
    assert order is not None
    offsets, sizes, strides = (
        permuted(mixed_sizes(op, f"static_{name}", getattr(op, name)), order)
        for name in ("offsets", "sizes", "strides")
    )
    element = ranked_tensor(source.type).element_type
    type = TensorType(element, permuted(ranked_shape(op.results[0]), order))
    new = slice_op(tensor.ExtractSliceOp, [source], type, offsets, sizes, strides)
    builder_for(op).insert(new)
    new.attributes.update(op.attributes)
    new.result.name_hint = op.results[0].name_hint
    return new


def _keeps_rank(op: Operation) -> bool:
    return isinstance(op, tensor.ExtractSliceOp) and (
        len(ranked_shape(op.source)) == len(ranked_shape(op.result))
    )
