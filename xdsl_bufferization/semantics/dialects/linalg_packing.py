"""
`linalg.pack` and `linalg.unpack` on arrays.

Source: https://mlir.llvm.org/docs/Dialects/Linalg/#linalgpack-linalgpackop
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import Operation

from xdsl_bufferization.dialects.linalg.tiling import Tiling
from xdsl_bufferization.semantics.errors import (
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.semantics.values import Array, Value


def pack(op: Operation, source: Array, shape: Sequence[int], padding: Value) -> Array:
    """
    The packed tensor of that shape. If `padding` is `None`, all tiles have to be full.
    """
    tiling = _tiling(op, source.ndim, shape)
    groups = tiling.groups
    tiled = [_product(shape, group) for group in groups]
    for size, whole, group in zip(source.shape, tiled, groups, strict=True):
        tile = _product(shape, group[1:])
        fits = size <= whole < size + tile if tile else not size
        if not fits or (padding is None and size != whole):
            raise _misfit(source.shape, shape)
    padded = source
    if source.shape != tuple(tiled):
        padded = np.full(tiled, padding, source.dtype)
        padded[tuple(map(slice, source.shape))] = source
    split = padded.reshape([shape[dim] for group in groups for dim in group])
    order = [dim for group in groups for dim in group]
    return split.transpose([order.index(dim) for dim in range(len(order))])


def unpack(op: Operation, packed: Array, shape: Sequence[int]) -> Array:
    """The unpacked tensor of that shape, without padding."""
    tiling = _tiling(op, len(shape), packed.shape)
    groups = tiling.groups
    split = packed.transpose([dim for group in groups for dim in group])
    tiled = [_product(packed.shape, group) for group in groups]
    for size, whole, group in zip(shape, tiled, groups, strict=True):
        if size > whole or (len(group) == 1 and size != whole):
            raise _misfit(shape, packed.shape)
    return split.reshape(tiled)[tuple(map(slice, shape))]


def _tiling(op: Operation, rank: int, packed: Sequence[int]) -> Tiling:
    tiling = Tiling.of(op, rank)
    if tiling is None or sum(map(len, tiling.groups)) != len(packed):
        raise MissingSemanticsError("has tiles that do not fit its types")
    return tiling


def _product(sizes: Sequence[int], dimensions: Sequence[int]) -> int:
    product = 1
    for dimension in dimensions:
        product *= sizes[dimension]
    return product


def _misfit(unpacked: Sequence[int], packed: Sequence[int]) -> UndefinedBehaviorError:
    return UndefinedBehaviorError(
        f"a tensor of shape {list(unpacked)} does not fill the tiles of one of shape "
        f"{list(packed)}"
    )
