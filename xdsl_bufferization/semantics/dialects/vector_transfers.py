"""
The elements that `vector.transfer_read` and `vector.transfer_write` move.

Source: https://mlir.llvm.org/docs/Dialects/Vector/#vectortransfer_read-vectortransferreadop
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from xdsl_bufferization.semantics.errors import (
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.semantics.memory.buffers import MemRef
from xdsl_bufferization.semantics.values import VECTOR, Array, Value
from xdsl_bufferization.support.attributes import attribute, integers


class Transfer(NamedTuple):
    """The indices of a vector's elements, and the mask of those that are moved."""

    indices: list[Value]
    mask: Array


def transfer(
    op: Operation,
    moved_with: MemRef | Array,
    indices: Sequence[Value],
    vector: Sequence[int],
    mask: Array | None,
) -> Transfer:
    """
    The elements that the op moves between a tensor or memref, from the indices on, and a
    vector of shape `vector`; `mask` is the operand of the op. An element may be a vector,
    whose dimensions are the last ones of `vector`.

    Raises `UndefinedBehaviorError` if an element that `in_bounds` covers is out of bounds.
    """
    is_memref = isinstance(moved_with, MemRef)
    source = moved_with.sizes if is_memref else moved_with.shape
    if moved_with.dtype.names:
        vector = vector[: len(vector) - len(moved_with.dtype[VECTOR].shape)]
    map = attribute(op, "permutation_map")
    dimensions = _dimensions(
        map.data
        if isinstance(map, AffineMapAttr)
        else AffineMap.minor_identity(len(source), len(vector))
    )
    in_bounds = [bool(value) for value in integers(op, "in_bounds")]
    moved_indices: list[Value] = list(indices)
    moved = np.ones(tuple(vector), np.bool_)
    if mask is not None:
        moved &= _along_vector(mask, dimensions)
    wanted = moved.copy()
    # The index of a dimension that the vector does not extend along has to be in bounds.
    promised = [True] * len(source)
    for axis, dimension in enumerate(dimensions):
        if dimension is not None:
            along = [-1 if i == axis else 1 for i in range(len(vector))]
            steps = np.arange(vector[axis]).reshape(along)
            moved_indices[dimension] = moved_indices[dimension] + steps
            promised[dimension] = bool(in_bounds) and in_bounds[axis]
    for dimension, (index, size) in enumerate(zip(moved_indices, source, strict=True)):
        exists = np.greater_equal(index, 0) & np.less(index, size)
        if promised[dimension] and np.any(wanted & ~exists):
            raise UndefinedBehaviorError(
                f"dimension {dimension} of size {size} is said to have all the indices "
                f"{np.unique(index).tolist()}"
            )
        moved &= exists
    return Transfer(moved_indices, moved)


def _dimensions(map: AffineMap) -> list[int | None]:
    """By dimension of the vector: the dimension of the source; `None` for a broadcast."""
    dimensions: list[int | None] = []
    for result in map.results:
        if isinstance(result, AffineDimExpr):
            dimensions.append(result.position)
        elif isinstance(result, AffineConstantExpr) and result.value == 0:
            dimensions.append(None)
        else:
            raise MissingSemanticsError(
                f"the permutation map {map} has no meaning here"
            )
    return dimensions


def _along_vector(mask: Array, dimensions: Sequence[int | None]) -> Array:
    """The mask, transposed from the order of the source's dimensions to the vector's order."""
    used = sorted(dimension for dimension in dimensions if dimension is not None)
    permuted = mask.transpose([used.index(d) for d in dimensions if d is not None])
    return permuted[tuple(None if d is None else slice(None) for d in dimensions)]
