"""
Views of memrefs: the same buffer, with other offsets, sizes and strides.

All functions raise `UndefinedBehaviorError` if there is no such view.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from math import prod

import numpy as np

from xdsl_bufferization.semantics.errors import UndefinedBehaviorError
from xdsl_bufferization.semantics.memory.buffers import MemRef, contiguous_strides


def subview(
    memref: MemRef,
    offsets: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int],
    kept: Sequence[int] | None,
) -> MemRef:
    """A part inside the memref's bounds, without the dimensions that are not `kept`."""
    rank = len(memref.sizes)
    if not len(offsets) == len(sizes) == len(strides) == rank:
        raise UndefinedBehaviorError(
            f"{len(offsets)} offsets, {len(sizes)} sizes and {len(strides)} strides for "
            f"a memref of {rank} dimensions"
        )
    for dimension, (offset, size, stride, extent) in enumerate(
        zip(offsets, sizes, strides, memref.sizes, strict=True)
    ):
        last = offset + (size - 1) * stride
        if size < 0 or (size and not (0 <= offset < extent and 0 <= last < extent)):
            raise UndefinedBehaviorError(
                f"the subview with offset {offset}, size {size} and stride {stride} is "
                f"out of the bounds of dimension {dimension} of size {extent}",
                related=[("allocated by", memref.buffer.allocated_by)],
            )
    if kept is None:
        raise UndefinedBehaviorError(
            f"dropping dimensions of size one of {list(sizes)} does not give the result"
        )
    starts = zip(offsets, memref.strides, strict=True)
    return replace(
        memref,
        offset=memref.offset + sum(start * stride for start, stride in starts),
        sizes=tuple(sizes[i] for i in kept),
        strides=tuple(strides[i] * memref.strides[i] for i in kept),
        is_part=memref.is_part or prod(sizes) != memref.size,
    )


def reinterpreted(
    memref: MemRef, offset: int, sizes: Sequence[int], strides: Sequence[int]
) -> MemRef:
    """Any offset, sizes and strides, from the memref's aligned pointer on."""
    if any(size < 0 for size in sizes):
        raise UndefinedBehaviorError(f"negative size: {list(sizes)}")
    return replace(
        memref, offset=offset, sizes=tuple(sizes), strides=tuple(strides), is_part=False
    )


def shifted(
    memref: MemRef, dtype: np.dtype[np.generic], shift: int, sizes: Sequence[int]
) -> MemRef:
    """The bytes of a memref from `shift` on as contiguous elements of another type."""
    end = shift + prod(sizes) * dtype.itemsize
    if shift < 0 or any(size < 0 for size in sizes) or end > memref.nbytes:
        raise UndefinedBehaviorError(
            f"a view of sizes {list(sizes)} from byte {shift} on is out of the bounds of "
            f"{memref.nbytes} bytes",
            related=[("allocated by", memref.buffer.allocated_by)],
        )
    return MemRef(
        memref.buffer,
        dtype,
        0,
        tuple(sizes),
        contiguous_strides(sizes),
        memref.shift + memref.offset + shift,
        memref.is_part or bool(shift),
    )


def collapsed(memref: MemRef, groups: Sequence[Sequence[int]]) -> MemRef:
    """Each group of dimensions, which must be contiguous, merged into one."""
    sizes: list[int] = []
    strides: list[int] = []
    for group in groups:
        size = prod(memref.sizes[i] for i in group)
        # The stride of a dimension of size 1 does not matter.
        used = [i for i in group if memref.sizes[i] != 1] or group[-1:]
        contiguous = all(
            memref.strides[outer] == memref.strides[inner] * memref.sizes[inner]
            for outer, inner in itertools.pairwise(used)
        )
        if memref.size and not contiguous:
            raise UndefinedBehaviorError(
                f"dimensions {list(group)} of a memref of sizes {list(memref.sizes)} and "
                f"strides {list(memref.strides)} are not contiguous"
            )
        sizes.append(size)
        strides.append(memref.strides[used[-1]])
    return replace(memref, sizes=tuple(sizes), strides=tuple(strides))


def expanded(
    memref: MemRef, sizes: Sequence[int], groups: Sequence[Sequence[int]]
) -> MemRef:
    """Each dimension split into a group of dimensions; `sizes` are the result's."""
    strides = list(contiguous_strides(sizes))
    for group, size, stride in zip(groups, memref.sizes, memref.strides, strict=True):
        parts = [sizes[i] for i in group]
        if prod(parts) != size or any(part < 0 for part in parts):
            raise UndefinedBehaviorError(f"size {size} is not split into {parts}")
        for i, factor in zip(group, contiguous_strides(parts), strict=True):
            strides[i] = stride * factor
    return replace(memref, sizes=tuple(sizes), strides=tuple(strides))


def reshaped(memref: MemRef, sizes: Sequence[int]) -> MemRef:
    """A contiguous memref with other sizes and as many elements."""
    if any(size < 0 for size in sizes) or prod(sizes) != memref.size:
        raise UndefinedBehaviorError(
            f"{list(memref.sizes)} has not as many elements as {list(sizes)}"
        )
    return replace(memref, sizes=tuple(sizes), strides=contiguous_strides(sizes))


def transposed(memref: MemRef, permutation: Sequence[int]) -> MemRef:
    """The dimensions in the order of the permutation."""
    return replace(
        memref,
        sizes=tuple(memref.sizes[i] for i in permutation),
        strides=tuple(memref.strides[i] for i in permutation),
    )


def base(memref: MemRef) -> MemRef:
    """A memref of rank 0 at the memref's aligned pointer."""
    return replace(memref, offset=0, sizes=(), strides=(), is_part=False)
