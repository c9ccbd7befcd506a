"""
The traits through which xDSL finds the dialect's canonicalization patterns and folders.

They import the patterns on first use: most programs are not canonicalized.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import HasCanonicalizationPatternsTrait, HasFolder


class AllocTensorCanonicalization(HasCanonicalizationPatternsTrait):
    """Static sizes, and ops that ask for sizes of the result."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        from xdsl_bufferization.dialects.bufferization.canonicalization import (
            tensors as patterns,
        )

        return (
            patterns.AllocTensorStaticSizes(),
            patterns.CastOfAllocTensor(),
            patterns.DimOfAllocTensor(),
        )


class CloneCanonicalization(HasCanonicalizationPatternsTrait):
    """Clones that are unused, and clones whose source or result is freed at once."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        from xdsl_bufferization.dialects.bufferization.canonicalization import (
            memrefs as patterns,
        )

        return (
            patterns.UnusedClone(),
            patterns.CloneOfCast(),
            patterns.RedundantClone(),
        )


class DeallocCanonicalization(HasCanonicalizationPatternsTrait):
    """Operands, and whole ops, that have no effect."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        from xdsl_bufferization.dialects.bufferization.canonicalization import (
            memrefs as patterns,
        )

        return (
            patterns.DeallocNever(),
            patterns.DeallocDuplicateMemrefs(),
            patterns.DeallocDuplicateRetained(),
            patterns.DeallocOfBaseOfAllocation(),
            patterns.DeallocOfUnused(),
            patterns.DeallocNothing(),
        )


class MaterializeCanonicalization(HasCanonicalizationPatternsTrait):
    """Casts of the operands, and ops that ask for sizes of the result."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        from xdsl_bufferization.dialects.bufferization.canonicalization import (
            tensors as patterns,
        )

        return (
            patterns.CastIntoMaterializeInDestination(),
            patterns.DimOfMaterializeInDestination(),
        )


class ToBufferCanonicalization(HasCanonicalizationPatternsTrait):
    """Casts and `to_tensor` that define the operand; loads and sizes of the result."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        from xdsl_bufferization.dialects.bufferization.canonicalization import (
            conversions as patterns,
        )

        return (
            patterns.ToMemrefToToBuffer(),
            patterns.ToBufferOfToTensor(),
            patterns.ToBufferOfCast(),
            patterns.DimOfToBuffer(),
            patterns.LoadOfToBuffer(),
        )


class ToTensorCanonicalization(HasCanonicalizationPatternsTrait):
    """Ops that ask for sizes of the result."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        from xdsl_bufferization.dialects.bufferization.canonicalization import (
            conversions as patterns,
        )

        return (patterns.DimOfToTensor(),)


class ToBufferFolder(HasFolder):
    """`to_buffer` of `to_tensor`."""

    @classmethod
    def fold(cls, op: Operation) -> Sequence[SSAValue | Attribute] | None:
        from xdsl_bufferization.dialects.bufferization.canonicalization import (
            conversions as patterns,
        )

        return patterns.fold_to_buffer(op)


class ToTensorFolder(HasFolder):
    """`to_tensor` of `to_buffer`."""

    @classmethod
    def fold(cls, op: Operation) -> Sequence[SSAValue | Attribute] | None:
        from xdsl_bufferization.dialects.bufferization.canonicalization import (
            conversions as patterns,
        )

        return patterns.fold_to_tensor(op)
