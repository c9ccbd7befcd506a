"""
The effects of ops, and of the functions that they call, on memrefs besides reads and writes: they
may free them, store them in memory, or return them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.buffers.stored_memrefs import stored_operands
from xdsl_bufferization.interfaces.buffer_effects import BufferEffect, effect_on
from xdsl_bufferization.support.call_graph import CallGraph, is_call
from xdsl_bufferization.support.shaped_types import is_memref_type


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
    The effects of the functions of a module on their arguments; see `call_effects`. Without a
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

    def freed_operands(self, op: Operation) -> Sequence[int]:
        """The operands, memrefs, that the op may free, or a function that it calls."""
        if not is_call(op):
            return freed_operands(op)
        if isinstance(op, func.CallOp):
            return sorted(self._of_call(op, ArgumentEffect()).freed)
        return [1 + i for i in sorted(self._of_indirect_call(op).freed)]

    def stored_operands(self, op: Operation) -> Sequence[int]:
        """The operands that the op may store in memory, or a function that it calls."""
        if not is_call(op):
            return stored_operands(op)
        unknown = frozenset(stored_operands(op))
        if isinstance(op, func.CallOp):
            return sorted(self._of_call(op, ArgumentEffect(stored=unknown)).stored)
        # It may also call a function of another module.
        return sorted(unknown.union(1 + i for i in self._of_indirect_call(op).stored))

    def returned_operands(self, op: Operation) -> Sequence[int]:
        """The operands, memrefs, that a call may return, as far as is known."""
        unknown = ArgumentEffect(returned=frozenset(range(len(op.operands))))
        if isinstance(op, func.CallOp):
            return sorted(self._of_call(op, unknown).returned)
        return sorted(unknown.returned)

    def cloned_operands(self, op: Operation) -> Sequence[int]:
        """The operands, memrefs, that a function that the op calls may return clones of."""
        if not is_call(op):
            return ()
        if isinstance(op, func.CallOp):
            return sorted(self._of_call(op, ArgumentEffect()).cloned)
        return [1 + i for i in sorted(self._of_indirect_call(op).cloned)]

    def _of_call(self, call: func.CallOp, unknown: ArgumentEffect) -> ArgumentEffect:
        callee = None if self.graph is None else self.graph.callee(call)
        return unknown if callee is None else self.by_function.get(callee, unknown)

    def _of_indirect_call(self, call: Operation) -> ArgumentEffect:
        return self.by_type.get(call.operand_types[0], ArgumentEffect())


def freed_operands(op: Operation) -> Sequence[int]:
    """The operands, memrefs, that the op frees; functions that it calls are not looked into."""
    return [
        index
        for index, operand in enumerate(op.operands)
        if is_memref_type(operand.type)
        and (effect := effect_on(op, index)) is not None
        and BufferEffect.FREE in effect
    ]
