"""
The traits through which xDSL finds the dialect's canonicalization patterns and folders.

They import the patterns on first use: most programs are not canonicalized.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import HasFolder


def alloc_tensor_patterns() -> tuple[RewritePattern, ...]:
    """Static sizes, and ops that ask for sizes of the result."""
    from xdsl_bufferization.dialects.bufferization.canonicalization import tensors

    return (
        tensors.AllocTensorStaticSizes(),
        tensors.CastOfAllocTensor(),
        tensors.DimOfAllocTensor(),
    )


def clone_patterns() -> tuple[RewritePattern, ...]:
    """Clones that are unused, and clones whose source or result is freed at once."""
    from xdsl_bufferization.dialects.bufferization.canonicalization import memrefs

    return (
        memrefs.UnusedClone(),
        memrefs.CloneOfCast(),
        memrefs.RedundantClone(),
    )


def dealloc_patterns() -> tuple[RewritePattern, ...]:
    """Operands, and whole ops, that have no effect."""
    from xdsl_bufferization.dialects.bufferization.canonicalization import memrefs

    return (
        memrefs.DeallocNever(),
        memrefs.DeallocDuplicateMemrefs(),
        memrefs.DeallocDuplicateRetained(),
        memrefs.DeallocOfBaseOfAllocation(),
        memrefs.DeallocOfUnused(),
        memrefs.DeallocNothing(),
    )


def materialize_patterns() -> tuple[RewritePattern, ...]:
    """Casts of the operands, and ops that ask for sizes of the result."""
    from xdsl_bufferization.dialects.bufferization.canonicalization import tensors

    return (
        tensors.CastIntoMaterializeInDestination(),
        tensors.DimOfMaterializeInDestination(),
    )


def to_buffer_patterns() -> tuple[RewritePattern, ...]:
    """Casts and `to_tensor` that define the operand; loads and sizes of the result."""
    from xdsl_bufferization.dialects.bufferization.canonicalization import conversions

    return (
        conversions.ToMemrefToToBuffer(),
        conversions.ToBufferOfToTensor(),
        conversions.ToBufferOfCast(),
        conversions.DimOfToBuffer(),
        conversions.LoadOfToBuffer(),
    )


def to_tensor_patterns() -> tuple[RewritePattern, ...]:
    """Ops that ask for sizes of the result."""
    from xdsl_bufferization.dialects.bufferization.canonicalization import conversions

    return (conversions.DimOfToTensor(),)


class ToBufferFolder(HasFolder):
    """`to_buffer` of `to_tensor`."""

    @classmethod
    def fold(cls, op: Operation) -> Sequence[SSAValue | Attribute] | None:
        from xdsl_bufferization.dialects.bufferization.canonicalization import (
            conversions,
        )

        return conversions.fold_to_buffer(op)


class ToTensorFolder(HasFolder):
    """`to_tensor` of `to_buffer`."""

    @classmethod
    def fold(cls, op: Operation) -> Sequence[SSAValue | Attribute] | None:
        from xdsl_bufferization.dialects.bufferization.canonicalization import (
            conversions,
        )

        return conversions.fold_to_tensor(op)
