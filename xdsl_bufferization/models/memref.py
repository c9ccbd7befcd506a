"""Allocations, views, reads, writes and frees of memref ops, which have no tensors."""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects import memref
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.memref import AllocaOp
from xdsl_bufferization.interfaces.allocation import (
    AutomaticAllocationScope,
    HoistingKind,
)
from xdsl_bufferization.interfaces.buffer_effects import (
    BufferEffect,
    BufferEffectsOpInterface,
)
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.interfaces.registry import (
    always,
    answering,
    never,
    register_model,
)
from xdsl_bufferization.interfaces.view_like import ViewLikeOpInterface
from xdsl_bufferization.memrefs.buffers.call_effects import element_that_holds
from xdsl_bufferization.models.shared.allocations import MemRefAllocation
from xdsl_bufferization.models.shared.control_flow import ConditionalRegions
from xdsl_bufferization.support.names import op_name


class AllocAllocation(MemRefAllocation):
    """`memref.alloc`: may be moved anywhere, and promoted to the stack."""

    kind = HoistingKind.BLOCK | HoistingKind.LOOP

    def hoisting_kind(self, op: Operation) -> HoistingKind:
        # Memrefs that are stored in it are freed with it, so it stays in their block.
        holds = element_that_holds(op.results[0].type) is not None
        return HoistingKind.NONE if holds else self.kind

    def build_promoted(self, op: Operation, builder: Builder) -> SSAValue | None:
        if not isinstance(op, memref.AllocOp):
            return None
        alloca = AllocaOp.create(
            operands=op.operands,
            result_types=op.result_types,
            properties=op.properties.copy(),
            attributes=op.attributes.copy(),
        )
        return builder.insert(alloca).results[0]


class AllocaAllocation(AllocAllocation):
    """`memref.alloca`: freed at the end of its scope."""

    kind = HoistingKind.LOOP

    is_freed = never

    build_dealloc = answering(None)


class FirstIsViewed(ViewLikeOpInterface):
    """The first result is memory of the first operand; other results are sizes."""

    viewed = answering((0,))


class ShiftedView(FirstIsViewed):
    """`memref.view`: begins at any byte of its operand."""

    is_shifted = always

    def byte_shift(self, op: Operation) -> SSAValue | None:
        return op.operands[1]


_EFFECTS = {
    "atomic_rmw": (BufferEffect.NONE, BufferEffect.TOUCH),
    "copy": (BufferEffect.READ, BufferEffect.WRITE),
    "dealloc": (BufferEffect.FREE,),
    "dim": (BufferEffect.NONE,),
    "extract_aligned_pointer_as_index": (BufferEffect.NONE,),
    "generic_atomic_rmw": (BufferEffect.TOUCH,),
    "load": (BufferEffect.READ,),
    "prefetch": (BufferEffect.READ,),
    "rank": (BufferEffect.NONE,),
    "realloc": (BufferEffect.READ | BufferEffect.FREE,),
    "store": (BufferEffect.READ, BufferEffect.WRITE),
}


class MemRefEffects(BufferEffectsOpInterface):
    """Effects by the op's name; an op not in the table may read and write its operands."""

    def effect(self, op: Operation, operand: int) -> BufferEffect:
        effects = _EFFECTS.get(op_name(op).removeprefix("memref."), ())
        return effects[operand] if operand < len(effects) else BufferEffect.TOUCH


_VIEWS = (
    "assume_alignment cast collapse_shape expand_shape extract_strided_metadata "
    "memory_space_cast reinterpret_cast reshape subview transpose"
).split()


def register() -> None:
    """Register the models for the dialect's ops."""
    register_model("memref.*", MemRefEffects())
    for name in _VIEWS:
        register_model(f"memref.{name}", FirstIsViewed())
    register_model("memref.view", ShiftedView())
    register_model("memref.alloc", AllocAllocation())
    # Not moved, as it frees its operand, too.
    register_model("memref.realloc", MemRefAllocation())
    register_model("memref.alloca", AllocaAllocation())
    register_model("memref.copy", CopyOpInterface())
    register_model("memref.alloca_scope", ConditionalRegions())
    register_model("memref.alloca_scope", AutomaticAllocationScope())
    register_model("memref.generic_atomic_rmw", RegionBranchOpInterface())
