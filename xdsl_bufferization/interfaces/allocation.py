"""
Ops that allocate memory, and how to free, copy and move what they allocate.

Source: MLIR's AllocationOpInterface,
https://mlir.llvm.org/docs/OwnershipBasedBufferDeallocation/
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from enum import Flag, auto
from typing import ClassVar

from xdsl.builder import Builder
from xdsl.dialects import memref
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import MemoryEffectKind, has_effects

from xdsl_bufferization.interfaces.registry import (
    BOOL,
    OpInterface,
    Questions,
    answers,
    ask,
    instance_of,
    sequence_of,
)
from xdsl_bufferization.interfaces.view_like import ViewLikeOpInterface
from xdsl_bufferization.support.failures import is_of_other_package
from xdsl_bufferization.support.shaped_types import is_memref_type


class HoistingKind(Flag):
    """
    To where an op that allocates may be moved, if its operands are available there.

    MLIR: `HoistingKind`.
    """

    NONE = 0
    BLOCK = auto()
    """To a block that dominates its own."""
    LOOP = auto()
    """Out of loops."""


class AllocationOpInterface(OpInterface):
    """An op that allocates; it builds the ops that free and copy what it allocates."""

    def allocated(self, op: Operation) -> Sequence[OpResult]:
        """The results that are new memory. By default all memrefs."""
        return [result for result in op.results if is_memref_type(result.type)]

    def is_freed(self, op: Operation) -> bool:
        """
        Whether the memory has to be freed: so it is by default, but not for memory on the
        stack.
        """
        return True

    def hoisting_kind(self, op: Operation) -> HoistingKind:
        """
        To where the op may be moved. By default nowhere.

        MLIR: `getHoistingKind`.
        """
        return HoistingKind.NONE

    @abstractmethod
    def build_dealloc(
        self, op: Operation, builder: Builder, allocated: SSAValue
    ) -> Operation | None:
        """
        Insert and return the op that frees `allocated`, which is a result of `op` or
        another value for the same memory; `None` if such memory is not to be freed.

        MLIR: `buildDealloc`.
        """

    @abstractmethod
    def build_clone(
        self, op: Operation, builder: Builder, allocated: SSAValue
    ) -> SSAValue | None:
        """
        Insert the ops that copy `allocated` into new memory, and return the new memory;
        `None` if that is not possible.

        MLIR: `buildClone`.
        """

    def build_promoted(self, op: Operation, builder: Builder) -> SSAValue | None:
        """
        Insert the op that allocates the same on the stack, and return what it allocates.
        `None`, the default, if that is not possible.

        MLIR: `buildPromotedAlloc`.
        """
        return None

    questions: ClassVar[Questions] = answers(
        allocated=sequence_of(OpResult, "results of the op"),
        is_freed=BOOL,
        hoisting_kind=instance_of(HoistingKind, "a HoistingKind"),
    )


_OP_OR_NONE = instance_of(Operation, "the op that frees the memory").or_none()
_NEW_MEMORY_OR_NONE = instance_of(
    OpResult, "the result of an op that allocates on the stack"
).or_none()


class AutomaticAllocationScope(OpInterface):
    """
    An op whose end frees what the ops in its regions have allocated on the stack.

    MLIR: the trait `AutomaticAllocationScope`.
    """


def may_be_hoisted(op: Operation, kind: HoistingKind) -> bool:
    """Whether the op allocates memory that allows this kind of hoisting."""
    model = AllocationOpInterface.of(op)
    return model is not None and kind in model.hoisting_kind(op)


def allocated_by(op: Operation) -> Sequence[OpResult]:
    """
    The results of `op` that are new memory and have to be freed.

    Without a model, an op with xDSL's `MemoryAllocEffect` allocates all memrefs among its
    results.
    """
    if (model := AllocationOpInterface.of(op)) is not None:
        return model.allocated(op) if model.is_freed(op) else ()
    # The traits of an op with regions may be about the ops in them.
    if (
        op.results
        and not op.regions
        and ViewLikeOpInterface.of(op) is None
        and has_effects(op, MemoryEffectKind.ALLOC)
    ):
        return [result for result in op.results if is_memref_type(result.type)]
    return ()


def is_allocated(value: SSAValue) -> bool:
    """Whether the value is new memory that has to be freed."""
    return isinstance(value, OpResult) and value in allocated_by(value.op)


def insert_dealloc(
    op: Operation, builder: Builder, allocated: SSAValue
) -> Operation | None:
    """
    Insert and return the op that frees `allocated`, memory of an op with a model, as
    `build_dealloc` of the model says.

    Raises `BufferizationError` if the model makes a mistake.
    """
    model = AllocationOpInterface.of(op)
    return ask(model, "build_dealloc", _OP_OR_NONE, op, builder, allocated)


def insert_promoted(op: Operation, builder: Builder) -> OpResult | None:
    """
    Insert the op that allocates the same as `op`, which has a model, on the stack, and return
    what it allocates, as `build_promoted` of the model says.

    Raises `BufferizationError` if the model makes a mistake.
    """
    model = AllocationOpInterface.of(op)
    return ask(model, "build_promoted", _NEW_MEMORY_OR_NONE, op, builder)


def has_own_dealloc(op: Operation) -> bool:
    """Whether another op than `memref.dealloc` frees the memory that `op` allocates."""
    if (model := AllocationOpInterface.of(op)) is None:
        return False
    if op.name == memref.AllocOp.name and not is_of_other_package(type(model)):
        return False  # Most allocations are, and building ops takes long.
    scratch = Block()
    results = model.allocated(op)
    if results:
        insert_dealloc(op, Builder(InsertPoint.at_end(scratch)), results[0])
    own = not all(isinstance(built, memref.DeallocOp) for built in scratch.ops)
    for built in reversed([*scratch.ops]):
        Rewriter.erase_op(built)
    return own
