"""
Slices of tensors, by offset, size and stride along each dimension.

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorextract_slice-tensorextractsliceop
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation

from xdsl_bufferization.semantics.errors import UndefinedBehaviorError
from xdsl_bufferization.semantics.values import Array, Value, mixed
from xdsl_bufferization.support.attributes import integers


class StridedSlice(NamedTuple):
    """Offsets, sizes and strides of a slice, by dimension of the tensor."""

    offsets: tuple[int, ...]
    sizes: tuple[int, ...]
    strides: tuple[int, ...]

    def view(self, tensor: Array) -> Array:
        """The slice's elements, in the tensor's memory."""
        if not all(self.sizes):
            return np.empty(self.sizes, tensor.dtype)
        if all(stride > 0 for stride in self.strides):
            slices = (
                slice(offset, offset + size * stride, stride)
                for offset, size, stride in zip(*self, strict=True)
            )
            # With the ellipsis, the slice of a tensor of rank 0 is an array, too.
            return tensor[(..., *slices)]
        start = tensor[tuple(slice(offset, None) for offset in self.offsets)]
        strides = [a * b for a, b in zip(self.strides, start.strides, strict=True)]
        return np.lib.stride_tricks.as_strided(start, self.sizes, strides)


def slice_of(
    op: Operation, shape: Sequence[int], dynamic: Sequence[Sequence[Value]]
) -> StridedSlice:
    """
    The slice with the op's static offsets, sizes and strides, and the dynamic ones. Raises
    `UndefinedBehaviorError` if it is not inside a tensor of that shape.
    """
    part = StridedSlice(
        *(
            mixed(integers(op, f"static_{name}"), values)
            for name, values in zip(
                ("offsets", "sizes", "strides"), dynamic, strict=True
            )
        )
    )
    for dimension, (offset, size, stride, extent) in enumerate(
        zip(*part, shape, strict=True)
    ):
        last = offset + (size - 1) * stride
        if (
            offset < 0
            or size < 0
            or (size and not (offset < extent and 0 <= last < extent))
        ):
            raise UndefinedBehaviorError(
                f"the slice with offset {offset}, size {size} and stride {stride} is "
                f"out of the bounds of dimension {dimension} of size {extent}"
            )
    return part


def kept_dimensions(sizes: Sequence[int], reduced: Sequence[int]) -> list[int] | None:
    """
    The dimensions of `sizes` that the rank-reduced shape keeps; `None` if it is no reduced
    form of them. The dropped dimensions have size 1, and are as far right as possible. A
    dynamic size matches every static one but 1.
    """
    kept: list[int] = []
    for dimension, size in enumerate(sizes):
        wanted = reduced[len(kept)] if len(kept) < len(reduced) else None
        if wanted is not None and (
            size == wanted or (size != 1 and DYNAMIC_INDEX in (size, wanted))
        ):
            kept.append(dimension)
        elif size != 1:
            return None
    return kept if len(kept) == len(reduced) else None


def write_slice(tensor: Array, part: StridedSlice, source: Array) -> None:
    """Overwrite the slice with the source, which may be rank-reduced."""
    if kept_dimensions(part.sizes, source.shape) is None:
        raise UndefinedBehaviorError(
            f"shape {list(source.shape)} does not fit a slice of {list(part.sizes)}"
        )
    part.view(tensor)[...] = source.reshape(part.sizes)
