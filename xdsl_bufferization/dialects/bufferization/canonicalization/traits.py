"""
The traits through which the canonicalization patterns and folders of the dialect are found.

They import the patterns, which build ops, when they are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import (
    HasCanonicalizationPatternsTrait,
    HasFolder,
)


class AllocTensorCanonicalization(HasCanonicalizationPatternsTrait):
    """Sizes that are known, and what asks for them."""

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
    """Clones of which the source, or which themselves, are not needed afterwards."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        from xdsl_bufferization.dialects.bufferization.canonicalization import (
            memory as patterns,
        )

        return (
            patterns.UnusedClone(),
            patterns.CloneOfCast(),
            patterns.RedundantClone(),
        )


class DeallocCanonicalization(HasCanonicalizationPatternsTrait):
    """Operands that are not needed."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        from xdsl_bufferization.dialects.bufferization.canonicalization import (
            memory as patterns,
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
    """Casts of the operands, and sizes of the result."""

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
    """Casts and `to_tensor` before, loads and sizes after."""

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
    """Sizes of the tensor."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        from xdsl_bufferization.dialects.bufferization.canonicalization import (
            conversions as patterns,
        )

        return (patterns.DimOfToTensor(),)


class ToBufferFolder(HasFolder):
    """The memref of a `to_tensor`."""

    @classmethod
    def fold(cls, op: Operation) -> Sequence[SSAValue | Attribute] | None:
        from xdsl_bufferization.dialects.bufferization.canonicalization import (
            conversions as patterns,
        )

        return patterns.fold_to_buffer(op)


class ToTensorFolder(HasFolder):
    """The tensor of a `to_buffer`."""

    @classmethod
    def fold(cls, op: Operation) -> Sequence[SSAValue | Attribute] | None:
        from xdsl_bufferization.dialects.bufferization.canonicalization import (
            conversions as patterns,
        )

        return patterns.fold_to_tensor(op)
