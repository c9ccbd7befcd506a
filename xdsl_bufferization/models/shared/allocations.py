"""Allocations of memrefs, in whatever dialect the op is that makes them."""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects import memref
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.allocation import AllocationOpInterface


class MemRefAllocation(AllocationOpInterface):
    """Memory that is freed with `memref.dealloc` and copied with `bufferization.clone`."""

    def build_dealloc(
        self, op: Operation, builder: Builder, allocated: SSAValue
    ) -> Operation | None:
        return builder.insert(memref.DeallocOp.get(allocated))

    def build_clone(
        self, op: Operation, builder: Builder, allocated: SSAValue
    ) -> SSAValue | None:
        # Few passes clone memory, and to import the dialect takes long.
        from xdsl_bufferization.dialects.bufferization import CloneOp

        return builder.insert(CloneOp(allocated)).output
