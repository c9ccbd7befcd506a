"""
The effects of ops on the memory of their operands.

xDSL's `MemoryEffect` traits say that an op reads, writes, allocates or frees something.
Passes on buffers have to know which operand's memory that is.

Source: MLIR's MemoryEffectsOpInterface,
https://mlir.llvm.org/docs/Rationale/SideEffectsAndSpeculation/
"""

from __future__ import annotations

from enum import Flag, auto
from typing import ClassVar

from xdsl.ir import Operation
from xdsl.traits import MemoryEffectKind

from xdsl_bufferization.host.effects import memory_effects
from xdsl_bufferization.interfaces.allocation import AllocationOpInterface
from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.registry import (
    OpInterface,
    Questions,
    answers,
    instance_of,
)
from xdsl_bufferization.interfaces.view_like import ViewLikeOpInterface
from xdsl_bufferization.support.shaped_types import is_memref_type

TOUCHES_ONLY = "bufferization.touches_only"
"""
Attribute of an unknown op: it may read and write the memory of its operands, and return
it, but neither allocates memory for its results nor frees any.
"""


class BufferEffect(Flag):
    """The effects of an op on an operand's memory."""

    NONE = 0
    READ = auto()
    WRITE = auto()
    FREE = auto()
    TOUCH = READ | WRITE


class BufferEffectsOpInterface(OpInterface):
    """
    An op whose effects on memory are known: it does to its operands what `effect` says,
    and allocates nothing but what `AllocationOpInterface` says.
    """

    def effect(self, op: Operation, operand: int) -> BufferEffect:
        """
        The effects of `op` on the memory of the operand, a memref. By default it may read and
        write it, but does not free it.

        MLIR: `getEffectsOnValue`.
        """
        return BufferEffect.TOUCH

    questions: ClassVar[Questions] = answers(
        effect=instance_of(BufferEffect, "a BufferEffect")
    )


def effect_on(op: Operation, operand: int) -> BufferEffect | None:
    """
    The effects of `op` on the memory of the operand, a memref; `None` if they are not known.

    Without a model, each `MemoryEffect` trait of the op is about the value that it names,
    or about all operands if it names none. Without traits, an op that has a model for
    bufferization may read and write all its operands, if it returns no memrefs:

        "dsp.scale"(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
    """
    # A model for all ops of a dialect is not about its views.
    if ViewLikeOpInterface.of(op) is not None:
        return BufferEffect.NONE
    if (model := BufferEffectsOpInterface.of(op)) is not None:
        return model.effect(op, operand)
    if AllocationOpInterface.of(op) is not None:
        return BufferEffect.READ
    if TOUCHES_ONLY in op.attributes:
        return BufferEffect.TOUCH
    if (effects := memory_effects(op)) is None:
        return BufferEffect.TOUCH if _computes_on_operands(op) else None
    if op.regions:
        return BufferEffect.TOUCH  # The traits may be about the ops in the regions.
    value = op.operands[operand]
    result = BufferEffect.NONE
    for effect in effects:
        if effect.value is None or effect.value is value:
            result |= _EFFECTS.get(effect.kind, BufferEffect.NONE)
    return result


_EFFECTS = {
    MemoryEffectKind.READ: BufferEffect.READ,
    MemoryEffectKind.WRITE: BufferEffect.WRITE,
    MemoryEffectKind.FREE: BufferEffect.FREE,
}


def has_known_effects(op: Operation) -> bool:
    """
    Whether it is known which memory the op allocates, frees, reads and writes. The op has
    memrefs among its operands or results.
    """
    return (
        BufferEffectsOpInterface.of(op) is not None
        or ViewLikeOpInterface.of(op) is not None
        or AllocationOpInterface.of(op) is not None
        or TOUCHES_ONLY in op.attributes
        or memory_effects(op) is not None
        or _computes_on_operands(op)
    )


def _computes_on_operands(op: Operation) -> bool:
    """
    Whether the op is what the bufferization of an op on tensors, which are values, left: it
    frees nothing, and as it returns no memref, it allocates nothing.
    """
    return (
        not op.regions
        and not any(is_memref_type(type) for type in op.result_types)
        and BufferizableOpInterface.of(op) is not None
    )


def has_buffers(op: Operation) -> bool:
    """Whether memrefs are among the op's operands or results."""
    for values in (op.results, op.operands):
        for value in values:
            if is_memref_type(value.type):
                return True
    return False
