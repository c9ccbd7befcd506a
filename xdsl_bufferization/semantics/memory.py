"""
All memory of a run, checked like a sanitizer does: every buffer knows which op allocated
it, which freed it, and whether it may be written; every access is checked.

The contents of uninitialised memory: one of two patterns, so that a program whose result
depends on them gives different results with the two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from xdsl.ir import Operation

from xdsl_bufferization.semantics.errors import MemoryFault
from xdsl_bufferization.semantics.values import (
    INDEX,
    MEMREF,
    Array,
    Buffer,
    Kind,
    MemRef,
    Value,
    contiguous_strides,
    misplaced,
    numbers_of,
)
from xdsl_bufferization.support.regions import reachable

_FIRST_NUMBER = 0x6D656D726566 << 15
"""The number of the first memref in memory; uninitialised memory hardly has such numbers."""
ALIGNMENT = 64
"""In bytes: addresses of buffers are multiples of it."""


Layout: TypeAlias = tuple[int, Sequence[int] | None]
"""Offset and strides; without strides, those of the identity layout."""


class Statistics(NamedTuple):
    """Heap memory that a run has used; sizes in bytes."""

    allocations: int = 0
    allocated_bytes: int = 0
    frees: int = 0
    freed_bytes: int = 0
    copies: int = 0
    copied_bytes: int = 0
    peak_bytes: int = 0
    """The most that was live at one time, without arguments."""
    leaked_bytes: int = 0
    """Neither freed nor returned."""


def most(a: Statistics, b: Statistics) -> Statistics:
    """The larger one of each number."""
    return Statistics(*map(max, a, b))


@dataclass
class Memory:
    """All memory of one run."""

    fill: Callable[[Array, np.dtype[Any], Operation | None], None]
    """Fills uninitialised bytes, for elements of the type, made by the op."""
    trace: bool = False
    """Whether to record the last writer of each byte."""

    def __post_init__(self) -> None:
        self.heap: dict[Buffer, None] = {}
        """The live heap buffers, in the order of their allocation."""
        self._writers: dict[Operation, int] = {}
        """The numbers of the ops that write, from 1 on; recorded with `trace`."""
        self._stored: dict[int, MemRef] = {}
        """The memrefs that were stored in memory, by the numbers that stand for them there."""
        self._holders: list[Buffer] = []
        """The buffers of memrefs."""
        self._next_address = ALIGNMENT
        self._live_bytes = self._peak_bytes = 0
        self._counted = Counter[str]()
        """Other numbers of the statistics."""

    # Allocating and freeing

    def allocate(
        self,
        sizes: Sequence[int],
        dtype: np.dtype[Any],
        op: Operation | None,
        kind: Kind = Kind.HEAP,
        *,
        layout: Layout = (0, None),
        contents: Array | None = None,
        alignment: int | None = None,
    ) -> MemRef:
        """
        A new buffer, as a memref of the layout. It holds the contents, if there are any, and is
        uninitialised otherwise. If an `alignment` is given, in bytes, accesses must not rely on
        more. Raises `MemoryFault` for a negative size.
        """
        sizes = tuple(int(size) for size in sizes)
        if any(size < 0 for size in sizes):
            raise MemoryFault(f"allocation with a negative size: {sizes}", op)
        offset, strides = layout
        if strides is None:
            strides = contiguous_strides(sizes)
        span = 0
        if prod(sizes):
            span = 1 + offset
            span += sum((n - 1) * s for n, s in zip(sizes, strides, strict=True))
        nbytes = span * dtype.itemsize
        address = self._new_address(nbytes)
        buffer = Buffer(
            np.empty(nbytes, np.uint8), kind, address, op, alignment=alignment
        )
        if _holds_memrefs(dtype):
            self._holders.append(buffer)
        if self.trace:
            buffer.writers = np.zeros(nbytes, np.int32)
        memref = MemRef(buffer, dtype, offset, sizes, tuple(strides))
        if nbytes and (contents is None or nbytes != memref.nbytes):
            self.fill(buffer.data, dtype, op)
        if contents is not None:
            memref.view()[...] = contents
        if kind is Kind.HEAP:
            self.heap[buffer] = None
            self._live_bytes += nbytes
            self._peak_bytes = max(self._peak_bytes, self._live_bytes)
            self._counted.update(allocations=1, allocated_bytes=nbytes)
        return memref

    def uninitialised(
        self, shape: Sequence[int], dtype: np.dtype[Any], op: Operation
    ) -> Array:
        """A new array with uninitialised elements, such as a tensor's."""
        if any(size < 0 for size in shape):
            raise MemoryFault(f"negative size: {list(shape)}", op)
        elements = np.empty(prod(shape) * dtype.itemsize, np.uint8)
        if elements.size:
            self.fill(elements, dtype, op)
        return elements.view(dtype).reshape(shape)

    def initialised(
        self,
        contents: Array,
        op: Operation | None,
        kind: Kind,
        layout: Layout = (0, None),
    ) -> MemRef:
        """A new buffer with these contents."""
        shape, dtype = contents.shape, contents.dtype
        return self.allocate(shape, dtype, op, kind, layout=layout, contents=contents)

    def constant(self, contents: Array, op: Operation, why: str) -> MemRef:
        """A read-only memref of the array's own memory; `why` is said on writes."""
        elements = np.ascontiguousarray(contents)
        buffer = Buffer(
            elements.reshape(-1).view(np.uint8),
            Kind.GLOBAL,
            self._new_address(elements.nbytes),
            op,
            read_only=why,
        )
        strides = contiguous_strides(contents.shape)
        return MemRef(buffer, contents.dtype, 0, contents.shape, strides)

    def free(self, memref: MemRef, op: Operation) -> None:
        """Free a heap buffer; the memref must be all of it."""
        buffer = memref.buffer
        if not buffer.alive:
            related = [*buffer.origin, ("freed by", buffer.freed_by)]
            raise MemoryFault("double free", op, related)
        if buffer.kind is not Kind.HEAP:
            raise MemoryFault(
                f"free of {buffer.kind.value} memory, which is not the program's to free",
                op,
                buffer.origin,
            )
        if memref.shift or memref.is_part:
            raise MemoryFault("free of a part of a buffer", op, buffer.origin)
        nbytes = buffer.data.size
        self.release(buffer, op)
        self._live_bytes -= nbytes
        self._counted.update(frees=1, freed_bytes=nbytes)

    def release(self, buffer: Buffer, op: Operation | None) -> None:
        """End the live range of a buffer, on the heap or on the stack."""
        buffer.alive = False
        buffer.freed_by = op
        self.heap.pop(buffer, None)
        for _, other, _ in buffer.clones:
            other.clones = [clone for clone in other.clones if clone[1] is not buffer]
        buffer.clones = []
        # No later access may find the old contents.
        buffer.data = np.empty(0, np.uint8)
        buffer.writers = buffer.unspecified = None

    def clone(
        self, source: MemRef, op: Operation, layout: Layout = (0, None)
    ) -> MemRef:
        """A copy that the program must not tell from the source: both become read-only."""
        result = self.initialised(self.read(source, op), op, Kind.HEAP, layout)
        self._counted.update(copies=1, copied_bytes=source.nbytes)
        source.buffer.clones.append((source, result.buffer, op))
        result.buffer.clones.append((result, source.buffer, op))
        return result

    # Access

    def read(self, memref: MemRef, op: Operation) -> Array:
        """All elements, as a view: callers that keep them have to copy them."""
        self._check_alive(memref, op, "read")
        return memref.view()

    def contents(self, value: Value, op: Operation) -> Value:
        """The elements of a memref as an array; any other value as it is."""
        return self.read(value, op) if isinstance(value, MemRef) else value

    def load(self, memref: MemRef, indices: Sequence[Any], op: Operation) -> Any:
        """
        The element at the indices; with arrays of indices, an array of elements. Raises
        `MemoryFault` if it should be a memref, and nothing stored one there.
        """
        self._check_alive(memref, op, "read")
        elements, index = _at(memref, indices, op)
        # An element that is a vector is a value, not a part of the memory.
        element = numbers_of(elements)[index].copy()
        if not _holds_memrefs(memref.dtype):
            return element
        if (loaded := self._stored.get(int(element))) is None:
            raise MemoryFault(
                "load of a memref from where nothing has stored one",
                op,
                memref.buffer.origin,
            )
        return loaded

    def write(self, memref: MemRef, contents: Any, op: Operation) -> None:
        """Overwrite all elements."""
        self.writable(memref, op)[...] = contents

    def store(
        self, memref: MemRef, indices: Sequence[Any], element: Any, op: Operation
    ) -> None:
        """Overwrite the element at the indices."""
        self._check_writable(memref, op)
        elements, index = _at(memref, indices, op)
        if isinstance(element, MemRef):
            number = _FIRST_NUMBER + len(self._stored)
            self._stored[number] = element
            element = number
        numbers_of(elements)[index] = element
        self._note(memref, tuple(indices), op)

    def writable(self, memref: MemRef, op: Operation) -> Array:
        """All elements, as a view that the op is going to overwrite."""
        self._check_writable(memref, op)
        elements = memref.view()
        self._note(memref, ..., op)
        return elements

    def copy(self, source: MemRef, target: MemRef, op: Operation) -> None:
        """
        Copy all elements, and count the copy. Source and target may be equivalent, but
        must not overlap in part.
        """
        if source.sizes != target.sizes:
            raise MemoryFault(f"copy of shape {source.sizes} to {target.sizes}", op)
        elements = self.read(source, op)
        if source.overlaps(target) and not source.is_same_view(target):
            view = target.view()
            if np.shares_memory(elements, view):
                raise MemoryFault(
                    "copy between memrefs that overlap in part",
                    op,
                    source.buffer.origin,
                )
        self.write(target, elements, op)
        self._counted.update(copies=1, copied_bytes=source.nbytes)

    def mark_unspecified(self, memref: MemRef, op: Operation) -> None:
        """The elements may be overwritten with anything, until the program writes them."""
        self._check_writable(memref, op)
        buffer = memref.buffer
        if buffer.unspecified is None:
            buffer.unspecified = np.zeros(buffer.data.size, np.bool_)
        memref.per_element(buffer.unspecified)[...] = True

    # Results of a run

    def leaks(self, returned: Iterable[Buffer]) -> Iterator[Buffer]:
        """
        The live heap buffers, without the returned ones, and without those whose memrefs are
        stored in these, in globals or in arguments.
        """
        holders = {buffer for buffer in self._holders if buffer.alive}
        outside = Kind.GLOBAL, Kind.ARGUMENT
        kept = reachable(
            [*returned, *(buffer for buffer in holders if buffer.kind in outside)],
            lambda buffer: self._held_by(buffer) if buffer in holders else (),
        )
        return (buffer for buffer in self.heap if buffer not in kept)

    def statistics(self, returned: Iterable[Buffer] = ()) -> Statistics:
        """The statistics so far; live heap buffers leak unless they are returned."""
        leaked = sum(buffer.data.size for buffer in self.leaks(returned))
        return Statistics(
            **self._counted, peak_bytes=self._peak_bytes, leaked_bytes=leaked
        )

    def last_writer(self, memref: MemRef, index: Sequence[int]) -> Operation | None:
        """The op that wrote the element last; `None` without a record or a write."""
        if memref.buffer.writers is None:
            return None
        number = memref.per_element(memref.buffer.writers)[tuple(index)]
        return [None, *self._writers][int(number)]

    # Helpers

    def _held_by(self, buffer: Buffer) -> Iterator[Buffer]:
        """The live buffers whose memrefs are stored in a buffer of memrefs."""
        for number in buffer.data.view(INDEX):
            if (held := self._stored.get(int(number))) and held.buffer.alive:
                yield held.buffer

    def _new_address(self, nbytes: int) -> int:
        """An address of its own also for a buffer of no bytes."""
        address = self._next_address
        self._next_address += (nbytes // ALIGNMENT + 1) * ALIGNMENT
        return address

    def _check_alive(self, memref: MemRef, op: Operation, access: str) -> None:
        buffer = memref.buffer
        if buffer.alive:
            return
        message, how = f"use after free: {access} of freed memory", "freed by"
        if buffer.kind is Kind.STACK:
            message = f"{access} of memory that is no longer there"
            how = "freed at the end of"
        raise MemoryFault(message, op, [*buffer.origin, (how, buffer.freed_by)])

    def _check_writable(self, memref: MemRef, op: Operation) -> None:
        self._check_alive(memref, op, "write")
        buffer = memref.buffer
        if buffer.read_only:
            raise MemoryFault(
                f"write to memory that is read-only: {buffer.read_only}",
                op,
                [("defined by", buffer.allocated_by)],
            )
        for part, _, clone in buffer.clones:
            if memref.overlaps(part):
                raise MemoryFault(
                    "write to the source or the result of a clone, while the other is "
                    "alive",
                    op,
                    [("cloned by", clone)],
                )

    def _note(self, memref: MemRef, index: Any, op: Operation) -> None:
        """Record that the op writes the elements at the index."""
        buffer = memref.buffer
        if buffer.writers is not None:
            number = self._writers.setdefault(op, len(self._writers) + 1)
            memref.per_element(buffer.writers)[index] = number
        if buffer.unspecified is not None:
            memref.per_element(buffer.unspecified)[index] = False


def _holds_memrefs(dtype: np.dtype[Any]) -> bool:
    """Whether elements of the type are memrefs."""
    return dtype.names == (MEMREF,)


def _at(memref: MemRef, indices: Sequence[Any], op: Operation) -> tuple[Array, Any]:
    """An array, and the index in it of the element, or elements, at the indices."""
    if problem := misplaced(indices, memref.sizes):
        raise MemoryFault(problem, op, memref.buffer.origin)
    return memref.view(), tuple(indices)


_FIRST = (12, 10, 6, 14, 5, 8, 7)
_SECOND = (-14, -12, -10, -8, -7, -5, -6)
"""
Elements of one index differ, and not by a common factor; they are exact in all types of
floats, and neither too large nor too small to make a difference in a sum.
"""


class Garbage:
    """
    Fills uninitialised memory: of the first `second` ops that make such memory with the
    second pattern, of the others with the first.
    """

    def __init__(self, second: int = 0):
        self.sources: dict[Operation | None, int] = {}
        """The ops whose memory was filled, numbered in the order in which they first ran."""
        self._second = second

    @property
    def is_second(self) -> bool:
        """Whether the second pattern is in use."""
        return self._second > 0

    def __call__(
        self, data: Array, dtype: np.dtype[Any], source: Operation | None
    ) -> None:
        number = self.sources.setdefault(source, len(self.sources))
        is_second = number < self._second
        if dtype == np.bool_:
            data[...] = not is_second
            return
        if dtype.names:
            # The numbers of vectors.
            dtype = dtype[0].base
        # In unsigned types the second pattern wraps around.
        pattern = np.array(_SECOND if is_second else _FIRST).astype(dtype)
        elements = data.view(dtype)
        for i, value in enumerate(pattern):
            elements[i :: len(pattern)] = value


ALL = 1 << 62
"""More ops than any program has: the second pattern for all of them."""
