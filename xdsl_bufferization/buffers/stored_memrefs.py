"""
Memrefs, and pointers to their memory, that ops store in memory, from where any op may load
them again.

They are told by their types: a memref of memrefs, or of pointers, holds values of one type.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.interfaces.buffer_effects import BufferEffect, effect_on
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.interfaces.view_like import ViewLikeOpInterface
from xdsl_bufferization.support.call_graph import is_function
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.shaped_types import (
    are_cast_compatible,
    is_memref_type,
    is_tensor_like,
    may_hold_memory,
)

_POINTER_STORES = {"llvm.store": 0, "ptr_xdsl.store": 1}
"""By name of an op that stores to where a pointer points: the index of the stored value."""


def stored_operands(op: Operation) -> Sequence[int]:
    """
    The operands that the op may store in memory: memrefs, and values through which the memory
    of a memref may be used.

    An op stores an operand in a memref that it may write, and whose elements have the type of
    the operand. The terminator of a region, such as `memref.atomic_yield`, stores what the op
    around it does not forward, if that has a memref of such elements. Calls of functions in
    the module are looked into by `CallEffects`, not here.
    """
    if (index := _POINTER_STORES.get(op_name(op))) is not None:
        return [index] if may_point_to_memory(op.operands[index]) else []
    holders = [i for i, v in enumerate(op.operands) if may_point_to_memory(v)]
    if not holders:
        return []
    if op.next_op is None and not op.regions:
        return [*_yielded_to_memory(op, holders)]
    if len(holders) < 2 or _only_forwards(op):
        return []
    targets = [
        element
        for index in holders
        if (element := element_that_holds(op.operands[index].type)) is not None
        and _may_write(op, index)
    ]
    return [
        index
        for index in holders
        if any(may_hold(element, op.operands[index].type) for element in targets)
    ]


def may_point_to_memory(value: SSAValue) -> bool:
    """Whether the value is a memref, or of a type whose values may point to memory."""
    # Tensors are followed as such.
    return is_memref_type(value.type) or (
        may_hold_memory(value.type) and not is_tensor_like(value.type)
    )


def element_that_holds(type: Attribute) -> Attribute | None:
    """The element type of a memref whose elements may point to memory."""
    if not is_memref_type(type):
        return None
    element = type.element_type
    return element if is_memref_type(element) or may_hold_memory(element) else None


def _may_write(op: Operation, operand: int) -> bool:
    effect = effect_on(op, operand)
    return effect is None or BufferEffect.WRITE in effect


def may_hold(element: Attribute, type: Attribute) -> bool:
    """Whether an element of the type may be a value of the other type, or a cast of it."""
    return element == type or are_cast_compatible(type, element)


def _only_forwards(op: Operation) -> bool:
    """Whether the op uses its operands as views or for control flow, or copies contents."""
    return (
        ViewLikeOpInterface.of(op) is not None
        or CopyOpInterface.of(op) is not None
        or (bool(op.regions) and RegionBranchOpInterface.of(op) is not None)
    )


def _yielded_to_memory(op: Operation, holders: Sequence[int]) -> Iterator[int]:
    """The operands of a terminator that the op around it may store."""
    parent = op.parent_op()
    if (
        parent is None
        or op.successors
        or is_function(parent)
        or not any(element_that_holds(v.type) is not None for v in parent.operands)
    ):
        return
    model = RegionBranchOpInterface.of(parent)
    branches = () if model is None else model.branches(parent, op)
    for index in holders:
        if not any(b.first <= index < b.first + len(b.targets) for b in branches):
            yield index
