"""Bytes of tensors and of parts of them, 0 where sizes are unknown."""

from __future__ import annotations

from math import prod

from xdsl.ir import SSAValue

from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.support.data_layout import bytes_of_contents
from xdsl_bufferization.support.shaped_types import ranked_shape


def size_of(value: SSAValue) -> int:
    """The bytes of a tensor; 0 if they are unknown."""
    return bytes_of_contents(value) or 0


def size_outside(part: Slice, whole: SSAValue) -> int:
    """The bytes of a tensor that are not in the part of it, at least."""
    size = size_of(whole)
    if not size:
        return 0
    sizes = [size for size in part.sizes if isinstance(size, int)]
    if len(sizes) < len(part.sizes):
        return 0
    element = size // prod(ranked_shape(whole))
    return max(0, size - element * prod(sizes))


def common(a: int, b: int, whole: int) -> int:
    """How many bytes two parts of something have in common, at least."""
    return max(0, a + b - whole) if a and b else 0
