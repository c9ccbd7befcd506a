"""
Blocks of memory, and the strided views of them that memrefs are.
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
from xdsl_bufferization.semantics.values import (
    Array,
)


class Kind(Enum):
    """Where memory comes from, and so who frees it."""

    HEAP = "heap"
    STACK = "stack"
    GLOBAL = "global"
    ARGUMENT = "argument"
    """The caller's, and freed by the caller."""
    TENSOR = "tensor"
    """A tensor's: nobody frees it."""


@dataclass(eq=False)
class Buffer:
    """A block of memory."""

    data: Array
    """Its bytes, of one dimension."""
    kind: Kind
    address: int
    allocated_by: Operation | None
    freed_by: Operation | None = None
    alive: bool = True
    read_only: str = ""
    """Why it must not be written, if so."""
    clones: list[tuple[Buffer, Operation]] = field(
        default_factory=list["tuple[Buffer, Operation]"]
    )
    """What must not change as long as this lives, nor may this: one may be the other."""
    writers: Array | None = None
    """Who wrote each byte last, as a number of `Memory.ops`; if it is recorded."""
    unspecified: Array | None = None
    """Which bytes may hold anything, if it is not only those that nobody has set."""
    typed: dict[np.dtype[Any], Array] = field(
        default_factory=dict[np.dtype[Any], Array]
    )
    """The bytes as elements of a type; each array is made when it is needed first."""


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
    """Whether it was made as a view of less than the whole, which cannot be freed."""

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.sizes)

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.size * self.dtype.itemsize

    @property
    def aligned_pointer(self) -> int:
        """The address that offsets count from."""
        return self.buffer.address + self.shift

    def extent(self) -> tuple[int, int]:
        """The first byte of the buffer that belongs to an element, and the one behind."""
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
        """Whether some byte may belong to both."""
        if self.buffer is not other.buffer or not self.size or not other.size:
            return False
        (first, end), (other_first, other_end) = self.extent(), other.extent()
        return first < other_end and other_first < end

    def is_same_view(self, other: MemRef) -> bool:
        """Whether each element of the one is that of the other at the same indices."""
        return self.buffer is other.buffer and self.layout == other.layout

    @property
    def layout(self) -> tuple[object, ...]:
        """What has to agree for elements to be at the same places."""
        # The stride along a dimension of one element is never used.
        strides = [
            stride if size > 1 else 0
            for size, stride in zip(self.sizes, self.strides, strict=True)
        ]
        return self.dtype, self.offset, self.sizes, tuple(strides), self.shift

    def element(self, indices: Sequence[int]) -> tuple[Array, Any]:
        """An array, and the place in it of the element at the indices, quickly."""
        buffer, itemsize = self.buffer, self.dtype.itemsize
        if self.shift % itemsize or buffer.data.size % itemsize:
            return self.view(), tuple(indices)
        elements = buffer.typed.get(self.dtype)
        if elements is None:
            elements = buffer.typed[self.dtype] = buffer.data.view(self.dtype)
        place = self.shift // itemsize + self.offset
        for index, stride in zip(indices, self.strides, strict=True):
            place += index * stride
        if not 0 <= place < elements.size:
            # It says what is wrong.
            return self.view(), tuple(indices)
        return elements, place

    def per_element(self, per_byte: Array) -> Array:
        """Of an array with a number for each byte of the buffer, those of first bytes."""
        itemsize, width = self.dtype.itemsize, per_byte.itemsize
        return np.ndarray(
            self.sizes,
            per_byte.dtype,
            per_byte.data,
            width * (self.shift + self.offset * itemsize) if self.size else 0,
            [width * stride * itemsize for stride in self.strides],
        )

    def view(self) -> Array:
        """The elements as an array on the buffer's bytes. Nothing is checked but bounds."""
        first, end = self.extent()
        if first < 0 or end > self.buffer.data.size:
            raise MemoryFault(
                f"bytes {first} to {end} of a buffer of {self.buffer.data.size} bytes "
                "are out of its bounds",
                related=[("allocated by", self.buffer.allocated_by)],
            )
        itemsize = self.dtype.itemsize
        return np.ndarray(
            self.sizes,
            self.dtype,
            self.buffer.data.data,
            self.shift + self.offset * itemsize if self.size else 0,
            [stride * itemsize for stride in self.strides],
        )


def contiguous_strides(sizes: Sequence[int]) -> tuple[int, ...]:
    """The strides, in elements, of the identity layout."""
    strides: list[int] = []
    stride = 1
    for size in reversed(sizes):
        strides.append(stride)
        stride *= size
    return tuple(reversed(strides))
