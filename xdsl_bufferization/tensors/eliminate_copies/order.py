"""
Ops that write move after those that read what they overwrite.

    %a = tensor.insert %f into %t[%i]    // a copy of %t, which is read later
    %x = tensor.extract %t[%j]

    %x = tensor.extract %t[%j]           // instead
    %a = tensor.insert %f into %t[%i]    // in place

If the op that reads needs what is written, the order stays. `TensorsInMemory` tells whether ops may
change places that access memory through memrefs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from xdsl.dialects import memref
from xdsl.ir import Block, Operation, SSAValue

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
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.decisions.reasons import Conflict
from xdsl_bufferization.one_shot.facts.records import TensorOperand
from xdsl_bufferization.support.call_graph import is_call
from xdsl_bufferization.support.limits import MAX_PASSED_OPS
from xdsl_bufferization.support.regions import ancestor_in, region_of, walk
from xdsl_bufferization.support.shaped_types import is_memref_type
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.edits import Edit, EditKind
from xdsl_bufferization.tensors.eliminate_copies.rewriting import Rewriting, ops_after
from xdsl_bufferization.tensors.op_order import may_access_memory

_Memory = AbstractSet[SSAValue] | None
"""Values that stand for pieces of memory which do not overlap; `None`: any memory."""


class TensorsInMemory:
    """Tells whether ops of an analysed program depend on each other through memory."""

    def __init__(self, analysis: OneShotAnalysis):
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


def sink_writers(rewriting: Rewriting, ignored: AbstractSet[TensorOperand]) -> None:
    """
    Move ops that would write a copy, and the ops that depend on them, after the last op that reads
    the tensor, where that changes nothing else. Operands that are `ignored` need no copy any more.
    """
    analysis = rewriting.analysis
    memory = TensorsInMemory(analysis)
    for operand in analysis.program.operands():
        reason = analysis.reason(operand)
        if (
            isinstance(reason, Conflict)
            and reason.write is operand
            and operand not in ignored
            and not analysis.can_omit_copy(operand)
            and rewriting.admits(edit := Edit(EditKind.SINK_WRITER, operand.owner.op))
            and _sink(analysis, memory, operand, reason.read, rewriting.changes)
        ):
            rewriting.edits.add(edit)


def _sink(
    analysis: OneShotAnalysis,
    memory: TensorsInMemory,
    write: TensorOperand,
    read: TensorOperand,
    changes: Changes,
) -> bool:
    writer, block = write.owner.op, write.owner.op.parent
    if block is None or block.parent is None:
        return False
    readers = _readers(analysis, [write.value.value, read.value.value], block)
    if readers is None:
        return False
    passed = _ops_up_to_last(writer, readers)
    moved = _dependents(writer, passed)
    if not moved.isdisjoint(readers):
        return False
    staying = [op for op in passed if op not in moved]
    if not staying or not memory.are_independent(writer, [writer, *moved], staying):
        return False
    # A terminator follows.
    following = staying[-1].next_op
    for op in [writer, *(op for op in passed if op in moved)]:
        changes.move(op, block, following)
    return True


def _readers(
    analysis: OneShotAnalysis, values: Sequence[SSAValue], block: Block
) -> AbstractSet[Operation] | None:
    """
    The ops of the block that use the tensors, or tensors and memrefs that share their memory
    because of an op that does not write them; `None` if these are many.
    """
    region = region_of(block)
    readers: set[Operation] = set()
    pending, seen = [*values], {*values}
    uses = 0
    while pending:
        for use in pending.pop().uses:
            uses += 1
            if MAX_PASSED_OPS.exceeded_by(uses):
                return None
            reader = ancestor_in(region, use.operation)
            if reader is not None and reader.parent is block:
                readers.add(reader)
            operand = analysis.program.operand(use.operation, use.index)
            if operand is not None and operand.writes:
                continue
            new = {r for r in use.operation.results if is_memref_type(r.type)}
            if operand is not None:
                new |= {alias.value for alias in operand.aliases}
            pending.extend(new - seen)
            seen |= new
    return readers


def _ops_up_to_last(
    writer: Operation, readers: AbstractSet[Operation]
) -> Sequence[Operation]:
    """
    The ops after the writer up to the last reader, terminators left out; none if these are many.
    """
    last, passed = 0, list[Operation]()
    ops = 0
    for op in ops_after(writer):
        ops += sum(1 for _ in walk([op]))
        if MAX_PASSED_OPS.exceeded_by(ops):
            break
        passed.append(op)
        if op in readers:
            last = len(passed)
    return passed[:last]


def _dependents(
    writer: Operation, following: Sequence[Operation]
) -> AbstractSet[Operation]:
    """The ops among those after the writer that need its results, also indirectly."""
    results: set[SSAValue] = set(writer.results)
    dependents: set[Operation] = set()
    for op in following:
        if any(not results.isdisjoint(nested.operands) for nested in walk([op])):
            dependents.add(op)
            results.update(op.results)
    return dependents
