"""Memrefs that are no memory of a tensor, unless `to_tensor` makes one of them."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.ir import OpResult, SSAValue

from xdsl_bufferization.buffers.buffer_flow import base_of
from xdsl_bufferization.interfaces.allocation import allocated_by


def is_local_memory(value: SSAValue) -> bool:
    """Whether the memref is a view of new memory, or of a global."""
    base = base_of(value)
    return isinstance(base.owner, memref.GetGlobalOp) or (
        isinstance(base, OpResult) and base in allocated_by(base.op)
    )
