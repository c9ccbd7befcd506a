"""Allocations of memrefs, by ops of any dialect, and for operands that need another layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.builder import Builder
from xdsl.dialects import memref
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.interfaces.allocation import AllocationOpInterface
from xdsl_bufferization.interfaces.bufferizer import BufferTypes
from xdsl_bufferization.support.memref_types import is_cast_guaranteed, may_have_layout
from xdsl_bufferization.support.shaped_types import is_tensor


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


def operands_to_copy(
    op: Operation, wanted: Mapping[int, Attribute], types: BufferTypes
) -> Sequence[int] | None:
    """
    The operands, by index, that are copied to new memory of the wanted types, for its layout;
    `None` if the sizes may show that one has the layout already.
    """
    copied: list[int] = []
    for index, type in wanted.items():
        value = op.operands[index]
        if is_tensor(value):
            given = types.buffer_type(value)
            if not is_cast_guaranteed(given, type):
                if may_have_layout(given, type):
                    return None
                copied.append(index)
    return copied
