"""
The effects of ops, and of the functions that they call, on memrefs besides reads and writes: they
may free them, store them in memory, or return them.

Memrefs, and pointers to their memory, that ops store in memory, from where any op may load
them again.

They are told by their types: a memref of memrefs, or of pointers, holds values of one type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.interfaces.buffer_effects import BufferEffect, effect_on
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.interfaces.view_like import ViewLikeOpInterface
from xdsl_bufferization.support.call_graph import CallGraph, is_call, is_function
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
    return is_memref_type(value.type) or is_pointer_like(value.type)


def is_pointer_like(type: Attribute) -> bool:
    """Whether values of the type, other than memrefs, may point to memory."""
    # Tensors are followed as such.
    return may_hold_memory(type) and not is_tensor_like(type)


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


class ArgumentEffect(NamedTuple):
    """The arguments of a function, by index, that it may free, store in memory or return."""

    freed: frozenset[int] = frozenset()
    stored: frozenset[int] = frozenset()
    returned: frozenset[int] = frozenset()
    cloned: frozenset[int] = frozenset()
    """Returned, and not donated for a result: deallocation returns clones of these."""


@dataclass(frozen=True)
class CallEffects:
    """
    The effects of the functions of a module on their arguments; see `MemrefFlows`. Without a
    graph, nothing is known of them: then a call frees nothing, returns new memory, and stores
    operands as other ops do.
    """

    graph: CallGraph | None = None
    by_function: Mapping[Operation, ArgumentEffect] = field(
        default_factory=dict[Operation, ArgumentEffect]
    )
    """The functions with a body."""
    by_type: Mapping[Attribute, ArgumentEffect] = field(
        default_factory=dict[Attribute, ArgumentEffect]
    )
    """By function type: the effects of indirect calls."""

    def of_call(self, call: Operation) -> ArgumentEffect:
        """The operands, by index, that the functions that the call may call have effects on."""
        any_operand = frozenset(range(len(call.operands)))
        stored = frozenset(stored_operands(call))
        if isinstance(call, func.CallOp):
            unknown = ArgumentEffect(stored=stored, returned=any_operand)
            callee = None if self.graph is None else self.graph.callee(call)
            return unknown if callee is None else self.by_function.get(callee, unknown)
        of_type = self.by_type.get(call.operand_types[0], ArgumentEffect())
        freed, its_stored, _, cloned = (frozenset(i + 1 for i in e) for e in of_type)
        # It may also call a function of another module.
        return ArgumentEffect(freed, stored | its_stored, any_operand, cloned)

    def frees(self, ops: Iterable[Operation]) -> Sequence[tuple[Operation, SSAValue]]:
        """
        The ops that free memory, with the memrefs that they free, and calls with those that the
        functions that they call may free.
        """
        return self._affected(ops, freed_operands, lambda effect: effect.freed)

    def stores(self, ops: Iterable[Operation]) -> Sequence[tuple[Operation, SSAValue]]:
        """
        The ops that may store memrefs, or pointers to their memory, in memory, with what they
        store; calls included.
        """
        return self._affected(ops, stored_operands, lambda effect: effect.stored)

    def _affected(
        self,
        ops: Iterable[Operation],
        by_op: Callable[[Operation], Sequence[int]],
        by_call: Callable[[ArgumentEffect], Iterable[int]],
    ) -> Sequence[tuple[Operation, SSAValue]]:
        return [
            (op, op.operands[i])
            for op in ops
            for i in (sorted(by_call(self.of_call(op))) if is_call(op) else by_op(op))
        ]


def freed_operands(op: Operation) -> Sequence[int]:
    """The operands, memrefs, that the op frees; functions that it calls are not looked into."""
    return [
        index
        for index, operand in enumerate(op.operands)
        if is_memref_type(operand.type)
        and (effect := effect_on(op, index)) is not None
        and BufferEffect.FREE in effect
    ]
