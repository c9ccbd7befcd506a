"""
Tensors that are copied to the buffer of an argument, and could be computed there.

A loop copies what it yields to the buffer of an iteration argument, and a function copies a
result to the argument that is donated for it, unless the tensor is there already.

    %r = scf.for ... iter_args(%h = %h0) -> (tensor<8x8xf32>) {
      %e = tensor.empty() : tensor<8x8xf32>
      %p = linalg.matmul ins(%h, %w) outs(%f)
      %t = linalg.exp ins(%p) outs(%e)          // copied to the buffer of %h
      scf.yield %t : tensor<8x8xf32>

`%h` is dead after the product, so `%t` can be computed with `outs(%h)`. The same holds for the
tensor that `%t` would be computed in if more ops followed: all tensors in the buffer of the copied
one are its *origins*.

A tensor that is put together in an empty one is put together in the argument instead:

      %a = tensor.insert_slice %u into %e[0, 0] [4, 8] [1, 1]
      %t = tensor.insert_slice %v into %a[4, 0] [4, 8] [1, 1]   // copied to the buffer of %h

Finding them takes time in proportion to the number of tensors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from xdsl.dialects import tensor
from xdsl.ir import BlockArgument, Operation, SSAValue

from xdsl_bufferization.interfaces.bufferizable import BufferRelation, ForwardedCopy
from xdsl_bufferization.models.shared.sizes import are_of_one_size
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.facts.records import TensorOperand
from xdsl_bufferization.support.call_graph import outermost_function
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.edits import Edit, EditKind, Edits


def operands_in_buffer(
    analysis: BufferizationAnalysis, value: SSAValue, seen: set[SSAValue]
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


def copied_to(
    analysis: BufferizationAnalysis, copies: Iterable[ForwardedCopy]
) -> Mapping[SSAValue, BlockArgument]:
    """
    By tensor that one of the copies reads, or that is in the same buffer as one of these: the
    argument whose buffer it is copied to. Of several arguments it is the first.
    """
    found: dict[SSAValue, BlockArgument] = {}
    seen: set[SSAValue] = set()
    for copy in copies:
        destination, operands = copy.destination, copy.terminator.operands
        if not operands or not isinstance(destination, BlockArgument):
            # The loop around the terminator may have been removed.
            continue
        value = operands[copy.operand]
        if value in analysis.program.values:
            found.setdefault(value, destination)
            for operand in operands_in_buffer(analysis, value, seen):
                if analysis.is_in_place(operand):
                    found.setdefault(operand.value.value, destination)
    return found


def put_together_in_arguments(
    analysis: BufferizationAnalysis,
    functions: AbstractSet[Operation],
    copied_to: Mapping[SSAValue, BlockArgument],
    changes: Changes,
    edits: Edits,
) -> bool:
    """
    Let the argument that a tensor is `copied_to` take the place of the empty tensor that it is
    put together in, if the argument is dead from there on, as far as `edits` admits;
    returns whether anything has changed. The analysis is out of date then.
    """
    if not isinstance(analysis, OneShotAnalysis):
        return False
    has_changed = False
    for value, argument in copied_to.items():
        empty, users = value.owner, [use.operation for use in value.uses]
        if (
            isinstance(empty, tensor.EmptyOp)
            and are_of_one_size(value, argument, analysis.program)
            and outermost_function(empty) in functions
            and edits.admits(edit := Edit(EditKind.ASSEMBLE_IN_ARGUMENT, empty))
            and all(is_defined_at(argument, user) for user in users)
            and _is_dead_from(analysis, argument, users)
        ):
            changes.replace_uses(value, argument)
            changes.remove(empty)
            edits.add(edit)
            has_changed = True
    return has_changed


def _is_dead_from(
    analysis: OneShotAnalysis, argument: BlockArgument, users: Iterable[Operation]
) -> bool:
    """Whether the argument is dead from the first of the ops on."""
    known = [analysis.program.info(user) for user in users]
    end = argument.block.last_op
    terminator = None if end is None else analysis.program.info(end)
    positions = [info.enter for info in known if info is not None]
    if terminator is None or len(positions) < len(known):
        return False
    ranges = analysis.alias_sets.find(analysis.program.values[argument]).ranges
    return not any(True for _ in ranges.overlapping(min(positions), terminator.enter))


def is_defined_at(argument: BlockArgument, op: Operation) -> bool:
    """Whether the op is in the block of the argument, or in a region of an op there."""
    return argument.block.find_ancestor_op_in_block(op) is not None
