"""
bufferization: conversions between tensors, which are values, and memrefs.

A tensor that was made from a memref is converted back to that memref, if the memref may be
overwritten or is only read. Otherwise the tensor is put into a new buffer, each time unless it is
only read.

Source: https://mlir.llvm.org/docs/Dialects/BufferizationOps/
"""

from __future__ import annotations

import weakref
from typing import ClassVar

import numpy as np
from xdsl.ir import Operation

from xdsl_bufferization.semantics.dialects.shared import uninitialised
from xdsl_bufferization.semantics.errors import MemoryFault, UndefinedBehaviorError
from xdsl_bufferization.semantics.interpreter import DialectFunctions, impl_named
from xdsl_bufferization.semantics.memory.buffers import (
    Kind,
    MemRef,
    base,
    has_type,
    layout_of,
)
from xdsl_bufferization.semantics.memory.memory import Memory
from xdsl_bufferization.semantics.values import Array, Value, segments
from xdsl_bufferization.support.attributes import attribute


class BufferizationFunctions(DialectFunctions):
    without_effects: ClassVar = ("bufferization.dealloc_tensor",)

    def __init__(self) -> None:
        self._memory_of: dict[int, tuple[weakref.ref[Array], MemRef, Operation]] = {}
        """
        By the `id` of a tensor: the memref that it is in, and the op that has put it there.
        Entries are removed with their tensors.
        """

    # Tensors

    @impl_named("bufferization.alloc_tensor")
    def alloc_tensor(self, op: Operation, *operands: Value) -> Value:
        dynamic, copied, _size_hint = segments(op, operands)
        if copied:
            source: Array = copied[0]
            # A new array object, which is not in the memref that the source may be in.
            return source.view()
        return uninitialised(self.memory, op, op.results[0].type, dynamic)

    @impl_named("bufferization.materialize_in_destination")
    def materialize_in_destination(
        self, op: Operation, source: Array, destination: MemRef | Array
    ) -> Value:
        if source.shape != destination.shape:
            raise UndefinedBehaviorError(
                f"a tensor of shape {list(source.shape)} for one of "
                f"{list(destination.shape)}"
            )
        if not isinstance(destination, MemRef):
            return source
        self.memory.write(destination, source, op)
        return None

    # Between tensors and memory

    @impl_named("bufferization.to_tensor")
    def to_tensor(self, op: Operation, memref: MemRef) -> Array:
        tensor = self.memory.read(memref, op).copy()
        self._remember(tensor, memref, op)
        if attribute(op, "writable") is not None:
            self.memory.mark_unspecified(memref, op)
        return tensor

    @impl_named("bufferization.to_buffer", "bufferization.to_memref")
    def to_buffer(self, op: Operation, tensor: Array) -> MemRef:
        read_only = attribute(op, "read_only") is not None
        _, memref, since = self._memory_of.get(id(tensor), (None, None, op))
        if memref is not None:
            _check_unchanged(self.memory, tensor, memref, since, op)
        if memref is None or not (read_only or attribute(since, "writable")):
            layout = layout_of(op.results[0].type, tensor.shape)
            memref = self.memory.initialised(tensor, op, Kind.TENSOR, layout)
            if read_only:
                memref.buffer.read_only = "this op promises it"
                self._remember(tensor, memref, op)
        return has_type(memref, op.results[0].type)

    def _remember(self, tensor: Array, memref: MemRef, op: Operation) -> None:
        key, memory_of = id(tensor), self._memory_of
        reference = weakref.ref(tensor, lambda _: memory_of.pop(key, None))
        memory_of[key] = reference, memref, op

    # Memory

    @impl_named("bufferization.clone")
    def clone(self, op: Operation, source: MemRef) -> MemRef:
        type = op.results[0].type
        layout = layout_of(type, source.sizes)
        return has_type(self.memory.clone(source, op, layout), type)

    @impl_named("bufferization.dealloc")
    def dealloc(self, op: Operation, *operands: Value) -> tuple[Value, ...]:
        memrefs, conditions, retained = segments(op, operands)
        # As in the lowering, this pointer tells which memrefs are of the same memory.
        owned = {
            memref.aligned_pointer: memref
            for memref, owns in zip(memrefs, conditions, strict=True)
            if owns
        }
        kept = {memref.aligned_pointer for memref in retained}
        for pointer, memref in owned.items():
            if pointer not in kept:
                # Of a part, the whole is freed.
                self.memory.free(base(memref), op)
        return tuple(np.bool_(memref.aligned_pointer in owned) for memref in retained)


FUNCTIONS = {"bufferization": BufferizationFunctions}


def _check_unchanged(
    memory: Memory, tensor: Array, memref: MemRef, since: Operation, op: Operation
) -> None:
    """Raises `MemoryFault` if the memref no longer holds the tensor's bits."""
    if not np.array_equal(_bytes_of(memory.read(memref, op)), _bytes_of(tensor)):
        raise MemoryFault(
            "the memory was overwritten since the tensor was taken",
            op,
            [("taken by", since), ("allocated by", memref.buffer.allocated_by)],
        )


def _bytes_of(elements: Array) -> Array:
    return np.ascontiguousarray(elements).reshape(-1).view(np.uint8)
