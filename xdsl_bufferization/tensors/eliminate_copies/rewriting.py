"""
A rewriting of a tensor program, and the questions that rewrites have in common.

    %y = linalg.exp ins(%x) outs(%e)                  // is_overwritten: %e
    %r = tensor.insert_slice %y into %t[0] [4] [1]    // inserted_operands: %y
    func.return %r                                    // operands_in_buffer: %t, and those before it

The answers are about the program as it was when it was analysed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.dialects.builtin import TensorType
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.bufferizable import BufferRelation
from xdsl_bufferization.interfaces.contents import InsertionsOpInterface
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.subset import SubsetInsertionOpInterface
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.facts.records import OpInfo, TensorOperand, ValueInfo
from xdsl_bufferization.support.call_graph import outermost_function
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.regions import reachable
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.edits import Edit, Edits


class Rewriting(NamedTuple):
    """Decisions about a program, which are out of date once it changes, and what may change."""

    analysis: OneShotAnalysis
    functions: AbstractSet[Operation]
    """The functions to be rewritten."""
    changes: Changes
    edits: Edits

    def admits(self, edit: Edit) -> bool:
        """Whether the edit may be made, and is in one of the functions."""
        return outermost_function(edit.op) in self.functions and self.edits.admits(edit)


def is_dead(analysis: OneShotAnalysis, value: ValueInfo, first: int, last: int) -> bool:
    """Whether nothing reads the memory of the tensor between two positions, or later."""
    ranges = analysis.alias_sets.find(value).ranges
    return not any(True for _ in ranges.overlapping(first, last))


def may_be_overwritten(
    analysis: OneShotAnalysis, value: ValueInfo, kept: AbstractSet[SSAValue]
) -> bool:
    """
    Whether the memory of the tensor may get other contents once it is dead: it is none of those in
    memory that callers have `kept`, and no view of a constant, since writing that copies it.
    """
    return value.value not in kept and analysis.writability.read_only(value) is None


def is_overwritten(operand: TensorOperand) -> bool:
    """
    Whether the operand is an init whose contents the op does not read, and an empty tensor can be
    made in its place.
    """
    op = operand.owner.op
    if not isinstance(operand.value.value.type, TensorType):
        return False
    if operand.reads or (style := DestinationStyleOpInterface.of(op)) is None:
        return False
    return style.is_init(op, operand.index)


def inserted_operands(info: OpInfo) -> Sequence[TensorOperand]:
    """The operands that the op inserts into a tensor."""
    if InsertionsOpInterface.of(info.op) is not None:
        return info.operands
    insertion = SubsetInsertionOpInterface.of(info.op)
    if insertion is None:
        return ()
    source = info.operand(insertion.source_operand(info.op))
    return () if source is None else (source,)


def operands_in_buffer(
    analysis: OneShotAnalysis, value: SSAValue, seen: set[SSAValue]
) -> Iterator[TensorOperand]:
    """
    The operands that the tensor is equivalent to if they are in place, each with those before it
    if it is. Tensors that are `seen`, to which others are added, are passed over.
    """
    pending = [value]
    while pending:
        value = pending.pop()
        record = analysis.program.values.get(value)
        if record is None or value in seen:
            continue
        seen.add(value)
        for operand, alias in record.sources:
            if alias.relation is BufferRelation.EQUIVALENT:
                yield operand
                if analysis.is_in_place(operand):
                    pending.append(operand.value.value)


def in_memory_of_arguments(
    analysis: OneShotAnalysis, donated: AbstractSet[SSAValue] = frozenset()
) -> AbstractSet[SSAValue]:
    """
    The tensors that may be in the memory of an argument of a function, other than those that are
    donated, without those in regions that are passed to these: a loop writes its iteration
    arguments anyway.
    """

    def results_in(value: SSAValue) -> Iterator[SSAValue]:
        for use in value.uses:
            operand = analysis.program.operand(use.operation, use.index)
            if operand is not None and analysis.is_in_place(operand):
                for alias in operand.aliases:
                    if isinstance(alias.value, OpResult):
                        yield alias.value

    return reachable(_kept_arguments(analysis) - donated, results_in).keys()


def _kept_arguments(analysis: OneShotAnalysis) -> set[SSAValue]:
    """The arguments of blocks of functions, without those that are donated for a result."""

    @cache
    def donated(function: func.FuncOp) -> Collection[int]:
        return donated_arguments(function).values()

    return {
        value
        for value, info in analysis.program.values.items()
        if info.owner is None
        and isinstance(value, BlockArgument)
        and isinstance(function := value.block.parent_op(), func.FuncOp)
        and not (value.block.prev_block is None and value.index in donated(function))
    }


def ops_after(op: Operation) -> Iterator[Operation]:
    """The ops after the op in its block, without the terminator."""
    following = op.next_op
    while following is not None and following.next_op is not None:
        yield following
        following = following.next_op
