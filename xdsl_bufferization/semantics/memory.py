"""
Memory as a sanitizer sees it: every buffer knows who allocated it, who freed it, and who
may write it; every access is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import prod
from typing import Any, NamedTuple

import numpy as np
from xdsl.ir import Operation

from xdsl_bufferization.semantics.errors import MemoryFault
from xdsl_bufferization.semantics.values import Array

ALIGNMENT = 64
"""Bytes between buffers' addresses, at least, and what each address is a multiple of."""


class Kind(Enum):
    """Where memory comes from, and so who frees it."""

    HEAP = "heap"
    STACK = "stack"
    GLOBAL = "global"
    ARGUMENT = "argument"
    """The caller's, and freed by the caller."""


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
        # The stride along a dimension of one element is never used.
        strides = [
            stride if size > 1 else 0
            for size, stride in zip(self.sizes, self.strides, strict=True)
        ]
        return self.dtype, self.offset, self.sizes, strides, self.shift

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


class Statistics(NamedTuple):
    """What a run did with heap memory."""

    allocations: int = 0
    allocated_bytes: int = 0
    frees: int = 0
    freed_bytes: int = 0
    copies: int = 0
    copied_bytes: int = 0
    peak_bytes: int = 0
    """The most that was alive at one time, arguments not included."""
    leaked_bytes: int = 0
    """What was neither freed nor returned."""


@dataclass
class Memory:
    """All memory of one run."""

    fill: Callable[[Array, np.dtype[Any], Operation | None], None]
    """Writes what uninitialised bytes hold, which are to hold elements of the type."""
    trace: bool = False
    """Whether to record who writes each byte."""
    buffers: list[Buffer] = field(default_factory=list[Buffer])
    """All heap buffers, freed or not."""
    ops: list[Operation | None] = field(default_factory=lambda: [None])
    """What wrote, by the numbers in `Buffer.writers`; 0 is nobody."""
    _numbers: dict[Operation, int] = field(default_factory=dict[Operation, int])
    _next_address: int = ALIGNMENT
    _live_bytes: int = 0
    _statistics: Statistics = field(default_factory=Statistics)

    # Allocating and freeing

    def allocate(
        self,
        sizes: Sequence[int],
        dtype: np.dtype[Any],
        op: Operation | None,
        kind: Kind = Kind.HEAP,
        *,
        offset: int = 0,
        strides: Sequence[int] | None = None,
    ) -> MemRef:
        """
        Uninitialised memory for elements of the type, in the given layout; the identity
        layout if there are no strides.
        """
        sizes = tuple(int(size) for size in sizes)
        if any(size < 0 for size in sizes):
            raise MemoryFault(f"allocation with a negative size: {sizes}", op)
        if strides is None:
            strides = contiguous_strides(sizes)
        span = 0
        if prod(sizes):
            span = 1 + offset
            span += sum((n - 1) * s for n, s in zip(sizes, strides, strict=True))
        nbytes = span * dtype.itemsize
        buffer = Buffer(np.empty(nbytes, np.uint8), kind, self._next_address, op)
        if self.trace:
            buffer.writers = np.zeros(nbytes, np.int32)
        self._next_address += -(-(nbytes + 1) // ALIGNMENT) * ALIGNMENT
        if nbytes:
            self.fill(buffer.data, dtype, op)
        if kind is Kind.HEAP:
            self.buffers.append(buffer)
            self._live_bytes += nbytes
            self._count(
                allocations=1,
                allocated_bytes=nbytes,
                peak_bytes=max(0, self._live_bytes - self._statistics.peak_bytes),
            )
        return MemRef(buffer, dtype, offset, sizes, tuple(strides))

    def initialised(
        self, contents: Array, op: Operation | None, kind: Kind, read_only: str = ""
    ) -> MemRef:
        """Memory that holds the array's elements."""
        memref = self.allocate(contents.shape, contents.dtype, op, kind)
        memref.view()[...] = contents
        memref.buffer.read_only = read_only
        return memref

    def free(self, memref: MemRef, op: Operation) -> None:
        """Free the heap buffer, which has to be given as it was allocated, not a part."""
        buffer = memref.buffer
        related = [("allocated by", buffer.allocated_by)]
        if not buffer.alive:
            related.append(("freed by", buffer.freed_by))
            raise MemoryFault("double free", op, related)
        if buffer.kind is not Kind.HEAP:
            raise MemoryFault(
                f"free of {buffer.kind.value} memory, which is not the program's to free",
                op,
                related,
            )
        if memref.shift:
            raise MemoryFault("free of a part of a buffer", op, related)
        self.release(buffer, op)
        self._live_bytes -= buffer.data.size
        self._count(frees=1, freed_bytes=buffer.data.size)

    def release(self, buffer: Buffer, op: Operation | None) -> None:
        """End the life of a buffer, also of one on the stack."""
        buffer.alive = False
        buffer.freed_by = op
        for other, _ in buffer.clones:
            other.clones = [pair for pair in other.clones if pair[0] is not buffer]
        buffer.clones = []
        # A freed buffer may be reused: whoever looks shall not find what was there.
        buffer.data = np.empty(0, np.uint8)
        buffer.writers = None

    def clone(self, source: MemRef, op: Operation) -> MemRef:
        """A copy, of which nobody may tell whether it is one: neither may change."""
        result = self.allocate(source.sizes, source.dtype, op)
        self.copy(source, result, op)
        source.buffer.clones.append((result.buffer, op))
        result.buffer.clones.append((source.buffer, op))
        return result

    # Access

    def read(self, memref: MemRef, op: Operation) -> Array:
        """All elements, as they are now; whoever keeps them has to copy them."""
        self._check_alive(memref, op, "read")
        return self._view(memref, op)

    def load(self, memref: MemRef, indices: Sequence[Any], op: Operation) -> Any:
        """
        The element at the indices; with arrays of indices, an array of elements.
        """
        return self.read(memref, op)[_checked(memref, indices, op)]

    def write(self, memref: MemRef, contents: Any, op: Operation) -> None:
        """Overwrite all elements."""
        self.writable(memref, op)[...] = contents

    def store(
        self, memref: MemRef, indices: Sequence[Any], element: Any, op: Operation
    ) -> None:
        """Overwrite the element at the indices."""
        place = _checked(memref, indices, op)
        self._check_writable(memref, op)
        self._view(memref, op)[place] = element
        if memref.buffer.writers is not None:
            self._writers(memref)[place] = self._number(op)

    def writable(self, memref: MemRef, op: Operation) -> Array:
        """The elements as an array that the op may write, all of which it writes."""
        self._check_writable(memref, op)
        if memref.buffer.writers is not None:
            self._writers(memref)[...] = self._number(op)
        return self._view(memref, op)

    def copy(self, source: MemRef, target: MemRef, op: Operation) -> None:
        """
        Copy all elements, and count it. Source and target may be the same memory, but not
        overlap in part.
        """
        if source.sizes != target.sizes:
            raise MemoryFault(f"copy of shape {source.sizes} to {target.sizes}", op)
        elements = self.read(source, op)
        if source.overlaps(target) and not source.is_same_view(target):
            view = self._view(target, op)
            if np.shares_memory(elements, view):
                raise MemoryFault(
                    "copy between memrefs that overlap in part",
                    op,
                    [("allocated by", source.buffer.allocated_by)],
                )
        self.write(target, elements, op)
        self._count(copies=1, copied_bytes=source.nbytes)

    # What became of it

    def leaks(self, returned: Sequence[Buffer]) -> Iterator[Buffer]:
        """The heap buffers that live, except those."""
        kept = {id(buffer) for buffer in returned}
        return (b for b in self.buffers if b.alive and id(b) not in kept)

    def statistics(self, returned: Sequence[Buffer] = ()) -> Statistics:
        """What was done so far; what is returned is no leak."""
        leaked = sum(buffer.data.size for buffer in self.leaks(returned))
        return self._statistics._replace(leaked_bytes=leaked)

    def last_writer(self, memref: MemRef, index: Sequence[int]) -> Operation | None:
        """Who wrote the element last, if writes were recorded and somebody did."""
        if memref.buffer.writers is None:
            return None
        return self.ops[int(self._writers(memref)[tuple(index)])]

    # Helpers

    def _view(self, memref: MemRef, op: Operation) -> Array:
        try:
            return memref.view()
        except MemoryFault as fault:
            fault.op = op
            raise

    def _check_alive(self, memref: MemRef, op: Operation, access: str) -> None:
        buffer = memref.buffer
        if not buffer.alive:
            raise MemoryFault(
                f"{access} of memory that is no longer there"
                if buffer.kind is Kind.STACK
                else f"use after free: {access} of freed memory",
                op,
                [
                    ("allocated by", buffer.allocated_by),
                    (
                        "freed at the end of"
                        if buffer.kind is Kind.STACK
                        else "freed by",
                        buffer.freed_by,
                    ),
                ],
            )

    def _check_writable(self, memref: MemRef, op: Operation) -> None:
        self._check_alive(memref, op, "write")
        buffer = memref.buffer
        if buffer.read_only:
            raise MemoryFault(
                f"write to memory that is read-only: {buffer.read_only}",
                op,
                [("defined by", buffer.allocated_by)],
            )
        if buffer.clones:
            raise MemoryFault(
                "write to the source or the result of a clone, while the other is alive",
                op,
                [("cloned by", buffer.clones[0][1])],
            )

    def _writers(self, memref: MemRef) -> Array:
        """For each element the number of who wrote its first byte last."""
        assert memref.buffer.writers is not None
        writers, itemsize = memref.buffer.writers, memref.dtype.itemsize
        return np.ndarray(
            memref.sizes,
            writers.dtype,
            writers.data,
            4 * (memref.shift + memref.offset * itemsize) if memref.size else 0,
            [4 * stride * itemsize for stride in memref.strides],
        )

    def _number(self, op: Operation) -> int:
        if op not in self._numbers:
            self._numbers[op] = len(self.ops)
            self.ops.append(op)
        return self._numbers[op]

    def _count(self, **more: int) -> None:
        statistics = self._statistics
        self._statistics = statistics._replace(
            **{name: getattr(statistics, name) + n for name, n in more.items()}
        )


def _checked(memref: MemRef, indices: Sequence[Any], op: Operation) -> tuple[Any, ...]:
    """The indices, all within the memref's sizes."""
    if len(indices) != len(memref.sizes):
        raise MemoryFault(
            f"{len(indices)} indices of {len(memref.sizes)} dimensions", op
        )
    for index, size in zip(indices, memref.sizes, strict=True):
        if np.any(np.less(index, 0) | np.greater_equal(index, size)):
            shown = [np.asarray(i).tolist() for i in indices]
            raise MemoryFault(
                f"indices {shown} are out of the bounds of a memref of sizes "
                f"{list(memref.sizes)}",
                op,
                [("allocated by", memref.buffer.allocated_by)],
            )
    return tuple(indices)
