"""How bufferization ops bufferize."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import UnitAttr, UnrankedTensorType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from xdsl_bufferization.dialects.bufferization import EXTENSION, AllocTensorOp
from xdsl_bufferization.interfaces.buffer_effects import (
    BufferEffect,
    BufferEffectsOpInterface,
)
from xdsl_bufferization.interfaces.bufferizable import (
    AnalysisState,
    BufferizableOpInterface,
    MemoryUse,
)
from xdsl_bufferization.interfaces.bufferizer import Bufferizer, BufferTypes
from xdsl_bufferization.interfaces.contents import RequiredLayoutOpInterface
from xdsl_bufferization.interfaces.registry import (
    OpInterface,
    always,
    answering,
    never,
    register_model,
)
from xdsl_bufferization.interfaces.subset import WHOLE
from xdsl_bufferization.memrefs.buffers.buffer_flow import is_local_memory
from xdsl_bufferization.models.shared.allocations import (
    MemRefAllocation,
    operands_to_copy,
)
from xdsl_bufferization.models.shared.destinations import (
    SecondOperandIsInit,
    SizesOfInits,
    UpdateModel,
)
from xdsl_bufferization.models.shared.loops import (
    may_overlap_itself,
    only_buffer,
)
from xdsl_bufferization.support.attributes import attribute, integers
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.memref_types import (
    has_identity_layout,
    identity_type,
)
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.shaped_types import is_tensor


class AllocTensorModel(BufferizableOpInterface):
    """`bufferization.alloc_tensor`: a new buffer, with the contents of `copy` if given."""

    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        if isinstance(op.results[0].type, UnrankedTensorType):
            raise BufferizationError(
                op,
                "cannot copy a tensor of unknown rank",
                hint="cast the tensor to a ranked type",
            )

    allocates = always

    def defines_contents(self, op: Operation, result: OpResult) -> bool:
        return _copied(op) is not None

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> Attribute:
        space = attribute(op, "memory_space")
        if space is None and (copied := _copied(op)) is not None:
            space = types.buffer_type(copied).memory_space
        elif space is None:
            space = types.default_memory_space(value.type, op)
        return identity_type(value.type, space)

    def memory_use(self, op: Operation, types: BufferTypes) -> MemoryUse:
        if op.results[0].first_use is None:
            return MemoryUse(touches=False)
        copied = [i for i, v in enumerate(op.operands) if is_tensor(v)]
        return MemoryUse(op.results, copied, touches=bool(copied))

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        if op.results[0].first_use is None:
            bufferizer.replace(op)
            return
        type = bufferizer.buffer_type(op.results[0])
        if (copied := _copied(op)) is None:
            sizes = cast(AllocTensorOp, op).dynamic_sizes
            bufferizer.replace(op, [bufferizer.alloc(type, sizes)])
            return
        source = bufferizer.buffer(copied)
        new = bufferizer.alloc_like(source, type)
        bufferizer.copy(source, new)
        bufferizer.replace(op, [new])


def _copied(op: Operation) -> SSAValue | None:
    return next(filter(is_tensor, op.operands), None)


class DeallocTensorModel(BufferizableOpInterface):
    """`bufferization.dealloc_tensor`: frees the buffer."""

    reads = never

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        bufferizer.insert(memref.DeallocOp.get(bufferizer.buffer(op.operands[0])))
        bufferizer.replace(op)


class MaterializeInDestinationModel(UpdateModel):
    """
    `bufferization.materialize_in_destination`: a copy into the destination, unless the
    source is there already.
    """

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return operand == 0

    def must_be_in_place(self, op: Operation, operand: int) -> bool:
        return operand == self.destination

    # So the source may be in the destination already.
    is_elementwise = always

    memory_use = answering(MemoryUse(copied=(0,), part=WHOLE))

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        source, destination = bufferizer.operands(op)
        if only_buffer(source, bufferizer) is not only_buffer(destination, bufferizer):
            bufferizer.copy(source, destination)
        bufferizer.replace(op, [destination] if op.results else ())


class ToBufferModel(BufferizableOpInterface):
    """
    `bufferization.to_buffer` and its former name `to_memref`: the buffer itself.

    Unless it is `read_only`, ops on memrefs may write it, so it counts as written.
    """

    def writes(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return not isinstance(op.properties.get("read_only"), UnitAttr)

    def memrefs(self, op: Operation, operand: int) -> Sequence[OpResult]:
        return op.results

    def must_be_in_place(self, op: Operation, operand: int) -> bool:
        # A tensor of unknown rank cannot be copied.
        return isinstance(op.operands[operand].type, UnrankedTensorType)

    def memory_use(self, op: Operation, types: BufferTypes) -> MemoryUse | None:
        copied = operands_to_copy(op, {0: op.results[0].type}, types)
        if copied is None:
            return None
        if not copied:
            return MemoryUse(touches=False, part=WHOLE)
        return MemoryUse(op.results, copied=copied)

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        (tensor,), (result,) = op.operands, op.results
        # Otherwise it stays, with its layout, as the tensor's op does.
        if bufferizer.has_buffer_of_type(tensor, result.type):
            buffer = bufferizer.buffer_of_type(tensor, result.type)
            bufferizer.replace(op, [buffer])


class ToBufferLayout(RequiredLayoutOpInterface):
    """`bufferization.to_buffer`: the layout of its result, which may be the identity."""

    def requires_identity(self, op: Operation, operand: int) -> bool:
        return has_identity_layout(op.results[0].type)


class ToTensorModel(BufferizableOpInterface):
    """`bufferization.to_tensor`: the memref itself."""

    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        if (
            not options.copy_before_write
            and "restrict" not in op.properties
            and not is_local_memory(op.operands[0])
        ):
            raise BufferizationError(
                op,
                "without `restrict` is not supported: nothing is known of other tensors "
                "in the same memory",
                hint="add `restrict` if no other tensor is created from this memref or "
                "an alias of it, bufferize functions after the ops in them, or use the "
                "option copy-before-write",
            )

    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        # Without `restrict`, which copy-before-write does not require, other tensors may be
        # in the same memory.
        return (
            "writable" in op.properties
            and "restrict" in op.properties
            and not may_overlap_itself(op.operands[0])
        )

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> Attribute:
        return op.operands[0].type

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        bufferizer.replace(op, [op.operands[0]])


class DeallocEffects(BufferEffectsOpInterface):
    """`bufferization.dealloc`: frees its memrefs, but not the retained ones."""

    def effect(self, op: Operation, operand: int) -> BufferEffect:
        is_freed = operand < integers(op, "operandSegmentSizes")[0]
        return BufferEffect.FREE if is_freed else BufferEffect.NONE


def register() -> None:
    """Register the models for the dialect's ops."""
    for name, model in (
        ("alloc_tensor", AllocTensorModel()),
        ("dealloc_tensor", DeallocTensorModel()),
        ("materialize_in_destination", MaterializeInDestinationModel()),
        ("to_buffer", ToBufferModel()),
        ("to_memref", ToBufferModel()),
        ("to_tensor", ToTensorModel()),
    ):
        register_model(f"bufferization.{name}", model)
    # Ops of xDSL's own classes do not carry the interfaces that the redefinitions carry.
    for op in EXTENSION.operations:
        for trait in op.traits:
            if isinstance(trait, OpInterface):
                register_model(op.name, trait)
    for name in ("to_buffer", "to_memref"):
        register_model(f"bufferization.{name}", ToBufferLayout())
    for model in (SecondOperandIsInit(), SizesOfInits()):
        register_model("bufferization.materialize_in_destination", model)
    register_model("bufferization.clone", MemRefAllocation())
    register_model("bufferization.dealloc", DeallocEffects())
