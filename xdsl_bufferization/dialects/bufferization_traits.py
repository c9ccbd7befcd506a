"""
What other code can ask the ops of the `bufferization` dialect: memory effects, interfaces
and canonicalization patterns.

Source: https://mlir.llvm.org/docs/Dialects/BufferizationOps/
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.dialects import memref
from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import (
    EffectInstance,
    HasCanonicalizationPatternsTrait,
    HasFolder,
    MemoryEffect,
    MemoryEffectKind,
)

from xdsl_bufferization.interfaces.allocation import AllocationOpInterface
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.infer_type import InferTypeOpInterface
from xdsl_bufferization.interfaces.reify import (
    ReifyRankedShapedTypeOpInterface,
    Size,
    sizes_of,
    with_dynamic,
)
from xdsl_bufferization.interfaces.subset import WholeInsertion
from xdsl_bufferization.shaped_types import is_memref_type, tensor_type_of

# Memory effects ------------------------------------------------------------------------


class AllocTensorEffects(MemoryEffect):
    """Allocates: may be left out, but not shared with another `alloc_tensor`."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance]:
        return {EffectInstance(MemoryEffectKind.ALLOC, op.results[0])}


class CloneEffects(MemoryEffect):
    """Reads the input, allocates and writes the output."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance]:
        return {
            EffectInstance(MemoryEffectKind.READ, op.operands[0]),
            EffectInstance(MemoryEffectKind.ALLOC, op.results[0]),
            EffectInstance(MemoryEffectKind.WRITE, op.results[0]),
        }


class MaterializeEffects(MemoryEffect):
    """Writes the destination if that is a memref; tensors are values, not memory."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance]:
        destination = op.operands[1]
        if is_memref_type(destination.type):
            return {EffectInstance(MemoryEffectKind.WRITE, destination)}
        return set()


# Interfaces ----------------------------------------------------------------------------


class AllocTensorShape(ReifyRankedShapedTypeOpInterface):
    """The dynamic sizes, or the sizes of what is copied."""

    def reify(self, op: Operation, builder: Builder) -> Sequence[Sequence[Size]]:
        type = op.results[0].type
        assert isinstance(type, TensorType), "only ranked results have sizes"
        for operand in op.operands:
            if isinstance(operand.type, TensorType):
                return (sizes_of(operand, builder),)
        return (with_dynamic(type.get_shape(), op.operands),)


class CloneAllocation(AllocationOpInterface):
    """Freed with `memref.dealloc`, copied with another clone."""

    def build_dealloc(
        self, op: Operation, builder: Builder, allocated: SSAValue
    ) -> Operation | None:
        return builder.insert(memref.DeallocOp.get(allocated))

    def build_clone(
        self, op: Operation, builder: Builder, allocated: SSAValue
    ) -> SSAValue | None:
        # The op is defined in terms of this module.
        from xdsl_bufferization.dialects.bufferization import CloneOp

        return builder.insert(CloneOp(allocated)).output


class CloneCopy(CopyOpInterface):
    """From the operand to the result."""

    def target(self, op: Operation) -> SSAValue:
        return op.results[0]


class DeallocResultTypes(InferTypeOpInterface):
    """One `i1` for each retained memref."""

    def infer_result_types(self, op: Operation) -> Sequence[Attribute]:
        # Each memref to deallocate has a condition, and everything else is retained.
        conditions = sum(operand.type == i1 for operand in op.operands)
        return (i1,) * (len(op.operands) - 2 * conditions)


class MaterializeDestination(DestinationStyleOpInterface):
    """The destination is the only init."""

    def inits(self, op: Operation) -> Sequence[int]:
        return (1,)


class MaterializeShape(ReifyRankedShapedTypeOpInterface):
    """The sizes of the destination."""

    def reify(self, op: Operation, builder: Builder) -> Sequence[Sequence[Size]]:
        return (sizes_of(op.operands[1], builder),) if op.results else ()


class MaterializeSubset(WholeInsertion):
    """Overwrites all of the destination, a tensor or a memref."""

    def build_extraction(self, op: Operation, builder: Builder) -> SSAValue | None:
        # The op is defined in terms of this module.
        from xdsl_bufferization.dialects.bufferization import ToTensorOp

        destination = op.operands[1]
        if not is_memref_type(destination.type):
            return destination
        if "restrict" not in op.properties:
            # There may be other tensors in that memory.
            return None
        return builder.insert(ToTensorOp(destination, True, True)).tensor


class ToTensorResultTypes(InferTypeOpInterface):
    """A tensor of the memref's shape."""

    def infer_result_types(self, op: Operation) -> Sequence[Attribute]:
        type = op.operands[0].type
        assert is_memref_type(type)
        return (tensor_type_of(type),)


# Canonicalization ----------------------------------------------------------------------


# The patterns build the ops, so they are imported when they are asked for.


class AllocTensorCanonicalization(HasCanonicalizationPatternsTrait):
    """Sizes that are known, and what asks for them."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        from xdsl_bufferization.transforms.canonicalization_patterns import (
            bufferization_tensors as patterns,
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
        from xdsl_bufferization.transforms.canonicalization_patterns import (
            bufferization_memory as patterns,
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
        from xdsl_bufferization.transforms.canonicalization_patterns import (
            bufferization_memory as patterns,
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
        from xdsl_bufferization.transforms.canonicalization_patterns import (
            bufferization_tensors as patterns,
        )

        return (
            patterns.CastIntoMaterializeInDestination(),
            patterns.DimOfMaterializeInDestination(),
        )


class ToBufferCanonicalization(HasCanonicalizationPatternsTrait):
    """Casts and `to_tensor` before, loads and sizes after."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        from xdsl_bufferization.transforms.canonicalization_patterns import (
            bufferization_conversions as patterns,
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
        from xdsl_bufferization.transforms.canonicalization_patterns import (
            bufferization_conversions as patterns,
        )

        return (patterns.DimOfToTensor(),)


class ToBufferFolder(HasFolder):
    """The memref of a `to_tensor`."""

    @classmethod
    def fold(cls, op: Operation) -> Sequence[SSAValue | Attribute] | None:
        from xdsl_bufferization.transforms.canonicalization_patterns import (
            bufferization_conversions as patterns,
        )

        return patterns.fold_to_buffer(op)


class ToTensorFolder(HasFolder):
    """The tensor of a `to_buffer`."""

    @classmethod
    def fold(cls, op: Operation) -> Sequence[SSAValue | Attribute] | None:
        from xdsl_bufferization.transforms.canonicalization_patterns import (
            bufferization_conversions as patterns,
        )

        return patterns.fold_to_tensor(op)
