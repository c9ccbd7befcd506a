"""
What other code can ask the ops of the `bufferization` dialect: memory effects, interfaces
and canonicalization patterns.

Source: https://mlir.llvm.org/docs/Dialects/BufferizationOps/
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import (
    EffectInstance,
    MemoryEffect,
    MemoryEffectKind,
)

from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.infer_type import InferTypeOpInterface
from xdsl_bufferization.interfaces.reify import (
    ReifyRankedShapedTypeOpInterface,
    Size,
    sizes_of,
    with_dynamic,
)
from xdsl_bufferization.support.shaped_types import is_memref_type, tensor_type_of

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


class ToTensorResultTypes(InferTypeOpInterface):
    """A tensor of the memref's shape."""

    def infer_result_types(self, op: Operation) -> Sequence[Attribute]:
        type = op.operands[0].type
        assert is_memref_type(type)
        return (tensor_type_of(type),)


# Canonicalization ----------------------------------------------------------------------


# The patterns build the ops, so they are imported when they are asked for.
