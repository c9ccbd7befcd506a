"""The accesses of ops of a program on tensors to memory through memrefs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from xdsl.dialects import memref
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.bufferization import (
    ToBufferOp,
    ToMemrefOp,
    ToTensorOp,
)
from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.interfaces.buffer_effects import (
    BufferEffect,
    effect_on,
)
from xdsl_bufferization.memrefs.buffers.buffer_flow import base_of
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.support.call_graph import is_call
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.support.shaped_types import is_memref_type
from xdsl_bufferization.tensors.effects import may_access_memory

_Memory = AbstractSet[SSAValue] | None
"""Values that stand for pieces of memory which do not overlap; `None`: any memory."""


class TensorsInMemory:
    """Tells whether ops of an analysed program depend on each other through memory."""

    def __init__(self, analysis: BufferizationAnalysis):
        self._analysis = analysis
        self._read_as_tensors: dict[SSAValue, list[int]] = defaultdict(list)
        """By memref: the positions of the ops that make it, or a view of it, a tensor."""
        for info in analysis.program.ops:
            if info.op.name == ToTensorOp.name:
                self._read_as_tensors[base_of(info.op.operands[0])].append(info.enter)

    def are_independent(
        self, first: Operation, ops: Iterable[Operation], others: Iterable[Operation]
    ) -> bool:
        """
        Whether the ops can change places with the others, given the first of all of them,
        if they do not use each other's results.
        """
        accesses, other_accesses = self._accesses(ops), self._accesses(others)
        if accesses is None or other_accesses is None:
            return False
        info = self._analysis.program.info(first)
        start = -1 if info is None else info.enter
        for base, effect in (*accesses.items(), *other_accesses.items()):
            # A tensor from before may be this memory.
            if BufferEffect.WRITE in effect and any(
                position < start for position in self._read_as_tensors[base]
            ):
                return False
        return not any(
            BufferEffect.WRITE in effect | other_effect
            and self._may_overlap(base, other_base)
            for base, effect in accesses.items()
            for other_base, other_effect in other_accesses.items()
        )

    def _accesses(
        self, ops: Iterable[Operation]
    ) -> dict[SSAValue, BufferEffect] | None:
        """
        The accesses of the ops, nested ones included, by the memory that memrefs are views of;
        `None` if they are not known.
        """
        accesses: dict[SSAValue, BufferEffect] = defaultdict(lambda: BufferEffect.NONE)
        for op in walk(ops):
            if isinstance(op, ToBufferOp | ToMemrefOp):
                continue
            memrefs = [i for i, v in enumerate(op.operands) if is_memref_type(v.type)]
            if is_call(op) or (not memrefs and may_access_memory(op)):
                return None
            for index in memrefs:
                effect = (
                    BufferEffect.TOUCH
                    if isinstance(op, ToTensorOp)
                    else effect_on(op, index)
                )
                if effect is None:
                    return None
                if BufferEffect.FREE in effect:
                    effect |= BufferEffect.TOUCH
                accesses[base_of(op.operands[index])] |= effect
        return accesses

    def _may_overlap(self, a: SSAValue, b: SSAValue) -> bool:
        memory, other = self._memory(a), self._memory(b)
        return a is b or memory is None or other is None or not memory.isdisjoint(other)

    def _memory(self, base: SSAValue) -> _Memory:
        op = base.owner
        if not isinstance(op, Operation):
            return None
        if isinstance(op, ToBufferOp | ToMemrefOp):
            memory = self._analysis.memory_of(op.operands[0])
            if any(isinstance(value.owner, ToTensorOp) for value in memory):
                return None
            return memory
        is_own = base in allocated_by(op) or isinstance(op, memref.AllocaOp)
        return {base} if is_own else None
