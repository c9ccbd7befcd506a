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

    def freed_operands(self, op: Operation) -> Sequence[int]:
        """The operands, memrefs, that the op may free, or a function that it calls."""
        return sorted(self.of_call(op).freed) if is_call(op) else freed_operands(op)

    def stored_operands(self, op: Operation) -> Sequence[int]:
        """The operands that the op may store in memory, or a function that it calls."""
        return sorted(self.of_call(op).stored) if is_call(op) else stored_operands(op)


def freed_operands(op: Operation) -> Sequence[int]:
    """The operands, memrefs, that the op frees; functions that it calls are not looked into."""
    return [
        index
        for index, operand in enumerate(op.operands)
        if is_memref_type(operand.type)
        and (effect := effect_on(op, index)) is not None
        and BufferEffect.FREE in effect
    ]
