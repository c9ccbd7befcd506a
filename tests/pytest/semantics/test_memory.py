"""Memory that is checked: what each op may do to it, and what is recorded."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import MemRefType, f32

from tests.semantics import fill
from xdsl_bufferization.semantics.errors import MemoryFault
from xdsl_bufferization.semantics.memory import ALIGNMENT, Memory
from xdsl_bufferization.semantics.values import Kind, MemRef, memory_dtype_of, subview

F32 = np.dtype(np.float32)
OP, OTHER = test.TestOp(), test.TestOp()


@pytest.fixture
def memory() -> Memory:
    return Memory(fill)


def test_a_use_after_free_names_who_allocated_and_freed(memory: Memory):
    memref = memory.allocate([2], F32, OP)
    memory.free(memref, OTHER)

    with pytest.raises(MemoryFault, match="use after free") as fault:
        memory.load(memref, [0], OP)

    assert fault.value.related == [("allocated by", OP), ("freed by", OTHER)]
    with pytest.raises(MemoryFault, match="double free"):
        memory.free(memref, OP)
    with pytest.raises(MemoryFault, match="write of freed memory"):
        memory.store(memref, [0], 1, OP)


@pytest.mark.parametrize("kind", [Kind.STACK, Kind.GLOBAL, Kind.ARGUMENT, Kind.TENSOR])
def test_only_heap_memory_is_freed(memory: Memory, kind: Kind):
    memref = memory.allocate([2], F32, OP, kind)

    with pytest.raises(MemoryFault, match=f"free of {kind.value} memory"):
        memory.free(memref, OP)


def test_a_part_is_not_freed(memory: Memory):
    memref = memory.allocate([4], F32, OP)

    with pytest.raises(MemoryFault, match="a part of a buffer"):
        memory.free(subview(memref, [0], [2], [1], [0]), OP)

    # All of it, by whatever view, is.
    whole = replace(memref, sizes=(2, 2), strides=(2, 1))
    memory.free(subview(whole, [0, 0], [2, 2], [1, 1], [0, 1]), OP)


def test_what_is_counted(memory: Memory):
    a = memory.allocate([4], F32, OP)
    b = memory.allocate([2], F32, OP)
    memory.write(a, 1.0, OP)
    memory.copy(subview(a, [1], [2], [1], [0]), b, OP)
    memory.free(a, OP)
    c = memory.clone(b, OP)
    memory.allocate([100], F32, OP, Kind.STACK)

    counted = memory.statistics([c.buffer])

    assert counted._asdict() == {
        "allocations": 3,
        "allocated_bytes": 32,
        "frees": 1,
        "freed_bytes": 16,
        "copies": 2,
        "copied_bytes": 16,
        "peak_bytes": 24,
        "leaked_bytes": 8,
    }
    assert list(memory.leaks([c.buffer])) == [b.buffer]


def test_stored_memrefs_leak_with_the_memory_that_holds_them(memory: Memory):
    box_type = memory_dtype_of(MemRefType(f32, [2]))
    held = [memory.allocate([2], F32, OP) for _ in range(3)]
    kinds = Kind.GLOBAL, Kind.HEAP, Kind.STACK
    boxes = [memory.allocate([1], box_type, OP, kind) for kind in kinds]
    for box, memref in zip(boxes, held, strict=True):
        memory.store(box, [0], memref, OP)
    memory.store(boxes[0], [0], held[0], OP)

    _, heap, _ = boxes
    assert list(memory.leaks([])) == [held[1].buffer, held[2].buffer, heap.buffer]
    assert list(memory.leaks([heap.buffer])) == [held[2].buffer]


def test_neither_of_two_clones_is_written(memory: Memory):
    source = memory.initialised(np.ones(2, F32), OP, Kind.HEAP)
    result = memory.clone(source, OTHER)

    for memref in (source, result):
        with pytest.raises(MemoryFault, match="of a clone") as fault:
            memory.store(memref, [0], 2, OP)
        assert fault.value.related == [("cloned by", OTHER)]

    memory.free(source, OP)
    memory.store(result, [0], 2, OP)


def test_read_only_memory(memory: Memory):
    memref = memory.constant(np.ones(2, F32), OP, "it is a constant")

    with pytest.raises(MemoryFault, match="read-only: it is a constant"):
        memory.write(memref, 0, OP)

    assert memory.load(memref, [1], OP) == 1


def test_copies_between_overlapping_memrefs(memory: Memory):
    memref = memory.initialised(np.arange(6, dtype=F32), OP, Kind.HEAP)

    with pytest.raises(MemoryFault, match="overlap in part"):
        memory.copy(
            subview(memref, [0], [4], [1], [0]), subview(memref, [1], [4], [1], [0]), OP
        )

    memory.copy(memref, memref, OP)
    # They interleave.
    memory.copy(
        subview(memref, [0], [3], [2], [0]), subview(memref, [1], [3], [2], [0]), OP
    )
    assert memref.view().tolist() == [0, 0, 2, 2, 4, 4]


def test_arrays_of_indices(memory: Memory):
    memref = memory.initialised(np.arange(6, dtype=F32), OP, Kind.HEAP)

    assert memory.load(memref, [np.array([[1], [4]])], OP).tolist() == [[1], [4]]
    memory.store(memref, [np.array([0, 5])], np.array([7, 8]), OP)
    assert memref.view().tolist() == [7, 1, 2, 3, 4, 8]
    with pytest.raises(MemoryFault, match="out of the bounds"):
        memory.load(memref, [np.array([1, 6])], OP)
    with pytest.raises(MemoryFault, match="2 indices of 1 dimensions"):
        memory.load(memref, [0, 0], OP)


def test_who_wrote_last():
    memory = Memory(fill, trace=True)
    memref = memory.allocate([2, 2], F32, OP)
    memory.store(memref, [0, 1], 1, OP)
    memory.write(subview(memref, [1, 0], [1, 2], [1, 1], [1]), 0, OTHER)

    writers = [memory.last_writer(memref, i) for i in np.ndindex(2, 2)]

    assert writers == [None, OP, OTHER, OTHER]


def test_memory_that_is_given_away(memory: Memory):
    memref = memory.initialised(np.zeros(3, F32), OP, Kind.ARGUMENT)
    memory.mark_unspecified(memref, OP)
    memory.store(memref, [1], 1, OP)

    assert memref.buffer.unspecified is not None
    unspecified = memref.per_element(memref.buffer.unspecified)
    assert unspecified.tolist() == [True, False, True]


def test_addresses(memory: Memory):
    """No two are the same, also of memory without bytes, or that was freed."""
    memrefs: list[MemRef] = []
    for size in (0, 16, 0, 17):
        memrefs.append(memory.allocate([size], F32, OP))
        memory.free(memrefs[-1], OP)

    addresses = [memref.aligned_pointer for memref in memrefs]

    assert len({*addresses}) == len(addresses)
    assert all(address and address % ALIGNMENT == 0 for address in addresses)
