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

A tensor that is assembled in an empty one is assembled in the argument instead:

      %a = tensor.insert_slice %u into %e[0, 0] [4, 8] [1, 1]
      %t = tensor.insert_slice %v into %a[4, 0] [4, 8] [1, 1]   // copied to the buffer of %h

Finding them takes time in proportion to the number of tensors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xdsl.dialects import tensor
from xdsl.ir import BlockArgument, Operation, SSAValue

from xdsl_bufferization.models.shared.slices import are_of_one_size
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.edits import Edit, EditKind
from xdsl_bufferization.tensors.eliminate_copies.rewriting import (
    Rewriting,
    is_dead,
    operands_in_buffer,
)


def copied_to(
    program: AnalysedModule, rewriting: Rewriting
) -> Mapping[SSAValue, BlockArgument]:
    """
    By tensor that a terminator copies, or that is in the same buffer as one of these: the argument
    whose buffer it is copied to. Of several arguments it is the first.
    """
    analysis = rewriting.analysis
    found: dict[SSAValue, BlockArgument] = {}
    seen: set[SSAValue] = set()
    for copy in program.decisions.forwarded_copies_in(analysis):
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


def assemble_in_arguments(
    rewriting: Rewriting, copied_to: Mapping[SSAValue, BlockArgument]
) -> None:
    """
    Let the argument that a tensor is `copied_to` take the place of the empty tensor that it is
    assembled in, if the argument is dead from there on.
    """
    if (analysis := rewriting.one_shot) is None:
        return
    for value, argument in copied_to.items():
        empty, users = value.owner, [use.operation for use in value.uses]
        block = argument.block
        if (
            isinstance(empty, tensor.EmptyOp)
            and are_of_one_size(value, argument, analysis.program)
            and rewriting.admits(edit := Edit(EditKind.ASSEMBLE_IN_ARGUMENT, empty))
            and all(block.find_ancestor_op_in_block(user) for user in users)
            and _is_dead_from(analysis, argument, users)
        ):
            rewriting.changes.replace_uses(value, argument)
            rewriting.changes.remove(empty)
            rewriting.edits.add(edit)


def _is_dead_from(
    analysis: OneShotAnalysis, argument: BlockArgument, users: Iterable[Operation]
) -> bool:
    """Whether the argument is dead from the first of the ops on."""
    program = analysis.program
    infos = [program.info(op) for op in (*users, argument.block.last_op) if op]
    positions = [info.enter for info in infos if info is not None]
    return len(positions) == len(infos) and is_dead(
        analysis, program.values[argument], min(positions), positions[-1]
    )
