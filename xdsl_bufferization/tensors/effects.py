"""The memory effects of ops of a tensor program, and so whether they can be moved."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import cache

from xdsl.ir import Operation
from xdsl.traits import (
    EffectInstance,
    IsTerminator,
    MemoryEffectKind,
    RecursiveMemoryEffect,
)

from xdsl_bufferization.dialects.bufferization import MaterializeInDestinationOp
from xdsl_bufferization.host.effects import memory_effects
from xdsl_bufferization.interfaces.buffer_effects import (
    BufferEffectsOpInterface,
    has_buffers,
)
from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.support.call_graph import is_call
from xdsl_bufferization.support.shaped_types import is_memref_type


def _effects_of(op: Operation) -> AbstractSet[EffectInstance] | None:
    """
    The effects on memory of the op itself, without the ops in its regions; `None` if they
    are not known.
    """
    if _has_no_effects_of_its_own(type(op)):
        return frozenset()
    if _computes_on_tensors(op) and not has_buffers(op):
        return frozenset()
    return memory_effects(op)


def _computes_on_tensors(op: Operation) -> bool:
    """
    Whether all that the op itself does is to use its operands: where these are tensors, they are
    values, not memory.

        %w = vector.transfer_write %v, %t[%c0] : vector<4xf32>, tensor<4xf32>
        %s = vector.reduction <add>, %v : vector<4xf32> into f32
    """
    if DestinationStyleOpInterface.of(op) is not None:
        return True
    if is_call(op) or BufferEffectsOpInterface.of(op) is None:
        return False
    # What has no results and is not bufferized is there for another effect: `vector.print`.
    return bool(op.results) or BufferizableOpInterface.of(op) is not None


@cache
def _has_no_effects_of_its_own(op: type[Operation]) -> bool:
    """Whether ops of the class have no effects but those of ops in their regions, if any."""
    return any(
        op.has_trait(trait, value_if_unregistered=False)
        for trait in (IsTerminator, RecursiveMemoryEffect)
    )


def may_access_memory(op: Operation) -> bool:
    """Whether the op itself may read, write or free memory that others have."""
    if isinstance(op, MaterializeInDestinationOp) and "restrict" in op.properties:
        # `restrict` says that no other op accesses the memory that it writes.
        return False
    effects = _effects_of(op)
    return effects is None or any(
        effect.kind is not MemoryEffectKind.ALLOC for effect in effects
    )


def is_pure(op: Operation) -> bool:
    """
    Whether the op, apart from those in its regions, has no side effects and no memrefs, so
    that it can be moved to wherever its operands are available.
    """
    effects = _effects_of(op)
    return (
        effects is not None
        and not effects
        and not any(is_memref_type(value.type) for value in (*op.operands, *op.results))
    )
