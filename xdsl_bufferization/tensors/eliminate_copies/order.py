"""
Ops that write move after those that read what they overwrite.

    %a = tensor.insert %f into %t[%i]    // a copy of %t, which is read later
    %x = tensor.extract %t[%j]

    %x = tensor.extract %t[%j]           // instead
    %a = tensor.insert %f into %t[%i]    // in place

If the op that reads needs what is written, the order stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.decisions.reasons import Conflict
from xdsl_bufferization.one_shot.facts.records import TensorOperand
from xdsl_bufferization.support.limits import MAX_PASSED_OPS
from xdsl_bufferization.support.regions import ancestor_in, region_of, walk
from xdsl_bufferization.support.shaped_types import is_memref_type
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.edits import Edit, EditKind
from xdsl_bufferization.tensors.eliminate_copies.memory_accesses import TensorsInMemory
from xdsl_bufferization.tensors.eliminate_copies.rewriting import Rewriting, ops_after


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
    analysis: BufferizationAnalysis,
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
    analysis: BufferizationAnalysis, values: Sequence[SSAValue], block: Block
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
