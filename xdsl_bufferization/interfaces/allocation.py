"""
Ops that allocate memory, and how to free, to duplicate and to move what they allocate.

Source: MLIR's AllocationOpInterface,
https://mlir.llvm.org/docs/OwnershipBasedBufferDeallocation/
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from enum import Flag, auto

from xdsl.builder import Builder
from xdsl.dialects import memref
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.traits import MemoryEffectKind, has_effects

from xdsl_bufferization.interfaces.registry import OpInterface
from xdsl_bufferization.support.shaped_types import is_memref_type


class HoistingKind(Flag):
    """How an op that allocates may be moved, as long as its operands are there."""

    NONE = 0
    BLOCK = auto()
    """To a block that dominates its own."""
    LOOP = auto()
    """Out of loops."""


class AllocationOpInterface(OpInterface):
    """Builds the ops that fit to an op that allocates."""

    def allocated(self, op: Operation) -> Sequence[OpResult]:
        """The results that are new memory; all memrefs unless the model says otherwise."""
        return [result for result in op.results if is_memref_type(result.type)]

    def is_freed(self, op: Operation) -> bool:
        """Whether somebody has to free the memory; not if it is on the stack."""
        return True

    def hoisting_kind(self, op: Operation) -> HoistingKind:
        """How the op may be moved; not at all unless the model says otherwise."""
        return HoistingKind.NONE

    @abstractmethod
    def build_dealloc(
        self, op: Operation, builder: Builder, allocated: SSAValue
    ) -> Operation | None:
        """
        Insert the op that frees `allocated`, a result of `op` or a value with the same
        contents; `None` if such memory is not to be freed.
        """

    @abstractmethod
    def build_clone(
        self, op: Operation, builder: Builder, allocated: SSAValue
    ) -> SSAValue | None:
        """
        Insert the ops that copy `allocated` into new memory, and return that; `None` if
        that is not possible.
        """

    def build_promoted(self, op: Operation, builder: Builder) -> SSAValue | None:
        """
        Insert the op that allocates the same on the stack, and return what it allocates;
        `None` if that is not possible.
        """
        return None


class AutomaticAllocationScope(OpInterface):
    """An op at the end of which what was allocated on the stack in it is freed."""


def allocated_by(op: Operation) -> Sequence[OpResult]:
    """
    The results of `op` that are new memory which somebody has to free.

    An op without a model that declares to allocate, by xDSL's `MemoryAllocEffect`,
    allocates all memrefs among its results.
    """
    if (model := AllocationOpInterface.of(op)) is not None:
        return model.allocated(op) if model.is_freed(op) else ()
    # Of an op with regions, xDSL's traits may tell what the ops in them do.
    if op.results and not op.regions and has_effects(op, MemoryEffectKind.ALLOC):
        return [result for result in op.results if is_memref_type(result.type)]
    return ()


def has_own_dealloc(op: Operation) -> bool:
    """Whether what frees the memory that `op` allocates is not `memref.dealloc`."""
    if (model := AllocationOpInterface.of(op)) is None:
        return False
    scratch = Block()
    results = model.allocated(op)
    if results:
        model.build_dealloc(op, Builder(InsertPoint.at_end(scratch)), results[0])
    own = not all(isinstance(built, memref.DeallocOp) for built in scratch.ops)
    for built in reversed([*scratch.ops]):
        built.detach()
        built.erase()
    return own
