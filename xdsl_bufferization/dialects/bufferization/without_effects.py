"""
The redefined ops of the `bufferization` dialect for commands that do not call this package.

They read and verify everything that this package prints. They have the traits of xDSL's
classes, so that `dce`, `cse` and `canonicalize` do to them what xDSL alone does: it
erases no `bufferization.to_tensor`, since it knows nothing of its effects.
"""

from __future__ import annotations

from xdsl.dialects import bufferization as xdsl_bufferization

from xdsl_bufferization.dialects.bufferization import conversion_ops as conversions
from xdsl_bufferization.dialects.bufferization import memref_ops, tensor_ops


class AllocTensorOp(tensor_ops.AllocTensorOp):
    """A new tensor; see `tensor_ops.AllocTensorOp`."""

    traits = xdsl_bufferization.AllocTensorOp.traits


class CloneOp(memref_ops.CloneOp):
    """A copy of a memref; see `memref_ops.CloneOp`."""

    traits = xdsl_bufferization.CloneOp.traits


class MaterializeInDestinationOp(tensor_ops.MaterializeInDestinationOp):
    """A copy to a destination; see `tensor_ops.MaterializeInDestinationOp`."""

    traits = xdsl_bufferization.MaterializeInDestinationOp.traits


class ToBufferOp(conversions.ToBufferOp):
    """The buffer of a tensor; see `conversion_ops.ToBufferOp`."""

    traits = xdsl_bufferization.ToBufferOp.traits


class ToTensorOp(conversions.ToTensorOp):
    """The tensor in a buffer; see `conversion_ops.ToTensorOp`."""

    traits = xdsl_bufferization.ToTensorOp.traits


WITHOUT_EFFECTS = (
    AllocTensorOp,
    CloneOp,
    MaterializeInDestinationOp,
    ToBufferOp,
    ToTensorOp,
)
"""The redefinitions that every context has."""
