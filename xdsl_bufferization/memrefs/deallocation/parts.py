"""
Parts of buffers, which `memref.dealloc` does not free as they are.

The type of a part has an offset or strides, as a rule. Some views hide that they are parts, so that
only the allocation itself is known to be whole:

    %v = memref.view %m[%shift][] : memref<64xi8> to memref<4xf32>   // it may start anywhere in %m
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType, StridedLayoutAttr
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.interfaces.view_like import viewed_by
from xdsl_bufferization.support.data_layout import bytes_of_contents
from xdsl_bufferization.support.memref_types import has_identity_layout
from xdsl_bufferization.support.regions import walk


def deallocs_of(buffer: SSAValue, *, may_be_part: bool) -> Sequence[Operation]:
    """
    Ops that free a memref, or the allocation that it is a part of if its type says so, or it
    `may_be_part`; not inserted.
    """
    if not (may_be_part or _is_strided(buffer)):
        return (memref.DeallocOp.create(operands=[buffer]),)
    metadata = memref.ExtractStridedMetaDataOp(buffer)
    return metadata, memref.DeallocOp.get(metadata.base_buffer)


def _is_strided(buffer: SSAValue) -> bool:
    """Whether the type of a memref says that it may be a part."""
    return isinstance(buffer.type, MemRefType) and isinstance(
        buffer.type.layout, StridedLayoutAttr
    )


def may_hide_part(buffer: SSAValue) -> bool:
    """Whether a memref may be a hidden part, in a program that hides parts."""
    return isinstance(buffer.type, MemRefType) and not (
        isinstance(buffer, OpResult) and buffer in allocated_by(buffer.op)
    )


def hides_parts(program: Operation) -> bool:
    """Whether an op in the program hides that its result is a part of a buffer."""
    return any(map(_hides_part, walk([program])))


def _hides_part(op: Operation) -> bool:
    """Whether the op gives a part of a buffer a type that a whole one may have."""
    return any(
        not _is_strided(view)
        and not _is_whole(view, op.operands[viewed])
        and not _is_only_freed(view)
        for view in op.results
        for viewed in viewed_by(view)
    )


def _is_only_freed(memref_: SSAValue) -> bool:
    """Whether nothing but `memref.dealloc` uses the memref, such as one of `deallocs_of`."""
    return all(isinstance(use.operation, memref.DeallocOp) for use in memref_.uses)


def _is_whole(view: SSAValue, viewed: SSAValue) -> bool:
    """Whether the view has all elements, as far as the types tell."""
    if _is_strided(viewed) or not has_identity_layout(viewed.type):
        return False
    sizes = bytes_of_contents(view), bytes_of_contents(viewed)
    return None in sizes or sizes[0] == sizes[1]
