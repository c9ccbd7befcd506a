"""
Buffers, which are blocks of memory, and memrefs, which are strided views of buffers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import prod
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xdsl_bufferization.semantics.errors import MemoryFault
from xdsl_bufferization.semantics.values import Array


class Kind(Enum):
    """Where memory comes from, which decides who frees it."""

    HEAP = "heap"
    STACK = "stack"
    GLOBAL = "global"
    ARGUMENT = "argument"
    """Owned and freed by the caller."""
    TENSOR = "tensor"
    """Made for a tensor, and never freed."""


@dataclass(eq=False)
class Buffer:
    """A block of memory."""

    data: Array
    """Its bytes, an array of one dimension."""
    kind: Kind
    address: int
    allocated_by: Operation | None
    freed_by: Operation | None = None
    alive: bool = True
    alignment: int | None = None
    """In bytes, what its address is known to be a multiple of; `None`: whatever is needed."""
    read_only: str = ""
    """Why it must not be written; empty if it may be."""
    clones: list[tuple[MemRef, Buffer, Operation]] = field(
        default_factory=list["tuple[MemRef, Buffer, Operation]"]
    )
    """
    The clones of parts of this buffer, and what a part is a clone of, each with the op. While
    both are alive neither may be written, since they may be the same memory.
    """
    writers: Array | None = None
    """For each byte the index in `Memory.ops` of its last writer, if that is recorded."""
    unspecified: Array | None = None
    """Which bytes have unspecified contents, besides uninitialised ones; `None`: none."""
    typed: dict[np.dtype[Any], Array] = field(
        default_factory=dict[np.dtype[Any], Array]
    )
    """By element type: the bytes as an array of elements, made on first use."""


@dataclass(frozen=True, eq=False)
class MemRef:
    """
    A strided view of a buffer. Offset and strides count elements, from `shift` bytes on.
    """

    buffer: Buffer
    dtype: np.dtype[Any]
    offset: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    shift: int = 0
    is_part: bool = False
    """Whether it is a view of a part of a memref, and so cannot be freed."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes, by the name that arrays have for theirs."""
        return self.sizes

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.sizes)

    @property
    def nbytes(self) -> int:
        """The bytes of all elements together."""
        return self.size * self.dtype.itemsize

    @property
    def aligned_pointer(self) -> int:
        """The address that offsets count from."""
        return self.buffer.address + self.shift

    def extent(self) -> tuple[int, int]:
        """The range of bytes of the buffer, `(first, end)`, that the elements lie in."""
        if not self.size:
            return 0, 0
        reach = [
            (size - 1) * stride
            for size, stride in zip(self.sizes, self.strides, strict=True)
        ]
        first = self.offset + sum(r for r in reach if r < 0)
        last = self.offset + sum(r for r in reach if r > 0)
        itemsize = self.dtype.itemsize
        return self.shift + first * itemsize, self.shift + (last + 1) * itemsize

    def overlaps(self, other: MemRef) -> bool:
        """Whether the ranges of bytes of the two memrefs intersect."""
        if self.buffer is not other.buffer or not self.size or not other.size:
            return False
        (first, end), (other_first, other_end) = self.extent(), other.extent()
        return first < other_end and other_first < end

    def is_same_view(self, other: MemRef) -> bool:
        """Whether the memrefs are equivalent: same elements at the same indices."""
        return self.buffer is other.buffer and self.layout == other.layout

    @property
    def layout(self) -> tuple[object, ...]:
        """A key that is equal for memrefs whose elements have the same offsets in bytes."""
        # The stride of a dimension of size 1 does not matter.
        strides = [
            stride if size > 1 else 0
            for size, stride in zip(self.sizes, self.strides, strict=True)
        ]
        return self.dtype, self.offset, self.sizes, tuple(strides), self.shift

    def element(self, indices: Sequence[int]) -> tuple[Array, Any]:
        """An array and the index in it of the element at the indices; faster than `view`."""
        buffer, itemsize = self.buffer, self.dtype.itemsize
        if self.shift % itemsize or buffer.data.size % itemsize:
            return self.view(), tuple(indices)
        elements = buffer.typed.get(self.dtype)
        if elements is None:
            elements = buffer.typed[self.dtype] = buffer.data.view(self.dtype)
        index_in_buffer = self.shift // itemsize + self.offset
        for index, stride in zip(indices, self.strides, strict=True):
            index_in_buffer += index * stride
        if not 0 <= index_in_buffer < elements.size:
            # `view` raises the error.
            return self.view(), tuple(indices)
        return elements, index_in_buffer

    def per_element(self, per_byte: Array, dtype: Any = None) -> Array:
        """
        For each element, the entry for its first byte of an array over the buffer's bytes; as
        elements of the type `dtype`, if there is one.
        """
        itemsize, width = self.dtype.itemsize, per_byte.itemsize
        return np.ndarray(
            self.sizes,
            per_byte.dtype if dtype is None else dtype,
            per_byte.data,
            width * (self.shift + self.offset * itemsize) if self.size else 0,
            [width * stride * itemsize for stride in self.strides],
        )

    def view(self) -> Array:
        """The elements as an array in the buffer. Raises `MemoryFault` if out of bounds."""
        first, end = self.extent()
        if first < 0 or end > self.buffer.data.size:
            raise MemoryFault(
                f"bytes {first} to {end} of a buffer of {self.buffer.data.size} bytes "
                "are out of its bounds",
                related=[("allocated by", self.buffer.allocated_by)],
            )
        return self.per_element(self.buffer.data, self.dtype)


def contiguous_strides(sizes: Sequence[int]) -> tuple[int, ...]:
    """The strides, in elements, of the identity layout."""
    strides: list[int] = []
    stride = 1
    for size in reversed(sizes):
        strides.append(stride)
        stride *= size
    return tuple(reversed(strides))
