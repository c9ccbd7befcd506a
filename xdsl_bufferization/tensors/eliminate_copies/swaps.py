"""
Loops that carry a second buffer, and swap it with the first in each iteration.

    %r = scf.while (%x = %x0) ... do {
    ^bb0(%x: tensor<64xf32>):
      %y = linalg.matvec ins(%a, %x) outs(%new)     // still reads %x: copied to its buffer
      scf.yield %y

becomes

    %e = tensor.empty()
    %r, %s = scf.while (%x = %x0, %z = %e) ... do {
    ^bb0(%x: tensor<64xf32>, %z: tensor<64xf32>):
      %y = linalg.matvec ins(%a, %x) outs(%z)
      scf.yield %y, %x

Invariant: the program computes the same, since an empty tensor may have any contents. The result
may be in either buffer afterwards. So the first one is memory that the function allocates, or an
argument that is donated, to which the result is copied once. What else the caller has would be
returned, or the new memory, and a flag that is known at run time only would say which.

The op is replaced by a clone with one more operand, argument of each region, and result. That takes
time in proportion to its body.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects import func, tensor
from xdsl.ir import (
    Attribute,
    Block,
    BlockArgument,
    Operation,
    SSAValue,
    Use,
)
from xdsl.rewriter import Rewriter

from xdsl_bufferization.interfaces.bufferizable import ForwardedCopy
from xdsl_bufferization.interfaces.region_branch import (
    RegionBranchOpInterface,
    exits,
    with_added_results,
)
from xdsl_bufferization.interfaces.rematerialization import empty_like
from xdsl_bufferization.interfaces.subset import SubsetExtractionOpInterface
from xdsl_bufferization.models.shared.sizes import are_of_one_size
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.facts.records import TensorOperand
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.regions import region_of
from xdsl_bufferization.support.walk import walk
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.eliminate_copies.rewriting import operands_in_buffer


class Swap(NamedTuple):
    """A tensor that a loop computes in each iteration, and copies to an iteration argument."""

    terminator: Operation
    """The terminator that forwards it."""
    argument: BlockArgument
    """The iteration argument."""
    like: SSAValue
    """A tensor of its type and sizes that is defined before the loop."""
    uses: Sequence[Use]
    """The operands that are the empty tensor in whose memory it is computed."""


def swap_of(
    analysis: BufferizationAnalysis, loop: Operation, copy: ForwardedCopy
) -> Swap | None:
    """How a second buffer can take the place of the copy, if it can."""
    argument = copy.destination
    if (
        not isinstance(argument, BlockArgument)
        or argument.block is not copy.terminator.parent
        or not _carries(loop)
        or not _may_be_swapped(analysis, loop, argument)
    ):
        return None
    # New memory may have another size in each iteration, unless it has that of an init.
    like = next(
        (o for o in loop.operands if are_of_one_size(o, argument, analysis.program)),
        None,
    )
    if like is None:
        return None
    for operand in _empty_operands(analysis, copy):
        empty = operand.value.value
        if are_of_one_size(empty, argument, analysis.program) and loop.is_ancestor(
            operand.owner.op
        ):
            parts = [u for u in empty.uses if _is_extraction(u.operation)]
            own = Use(operand.owner.op, operand.index)
            return Swap(copy.terminator, argument, like, [own, *parts])
    return None


def _empty_operands(
    analysis: BufferizationAnalysis, copy: ForwardedCopy
) -> Iterator[TensorOperand]:
    """The operands that are empty tensors in the buffer of what is copied, or would be."""
    copied = copy.terminator.operands[copy.operand]
    for operand in operands_in_buffer(analysis, copied, set()):
        if isinstance(operand.value.value.owner, tensor.EmptyOp):
            yield operand


def _is_extraction(op: Operation) -> bool:
    return SubsetExtractionOpInterface.of(op) is not None


def _carries(loop: Operation) -> bool:
    """
    Whether the op is a loop that forwards all of its last operands, and those of its
    terminators, so that it carries one more value if there is one more of each.
    """
    model = RegionBranchOpInterface.of(loop)
    if model is None or not all(
        len(region.blocks) == 1
        and model.is_repetitive(loop, index)
        and not model.is_parallel(loop, index)
        for index, region in enumerate(loop.regions)
    ):
        return False
    return all(
        bool(branches := model.branches(loop, source))
        and all(b.first + len(b.targets) == len(source.operands) for b in branches)
        for source in (loop, *exits(loop))
    )


def _may_be_swapped(
    analysis: BufferizationAnalysis, loop: Operation, argument: BlockArgument
) -> bool:
    """
    Whether all tensors of the argument's type that the loop starts with are in memory that the
    function allocates, or in donated arguments.
    """
    info = analysis.program.info(loop)
    return info is not None and all(
        analysis.is_allocation(memory) or _is_donated(memory)
        for init in info.operands
        if init.value.value.type == argument.type and analysis.is_in_place(init)
        for memory in analysis.memory_of(init.value.value)
    )


def _is_donated(memory: SSAValue) -> bool:
    """Whether the memory is an argument of the function that is donated for a result."""
    if not isinstance(memory, BlockArgument):
        return False
    function = memory.block.parent_op()
    return (
        isinstance(function, func.FuncOp)
        and memory.block.prev_block is None
        and memory.index in donated_arguments(function).values()
    )


def swap(
    loop: Operation, swaps: Sequence[Swap], changes: Changes
) -> Sequence[tuple[Operation, Operation]]:
    """Let the loop carry second buffers; returns each op of its body with a clone."""
    types = [s.like.type for s in swaps]
    builder = changes.builder(loop)
    second = [empty_like(s.like, builder) for s in swaps]
    values: dict[SSAValue, SSAValue] = {}
    clone = loop.clone(values)
    clones = dict(zip(walk([loop]), walk([clone]), strict=True))
    new = with_added_results(clone, second, types)
    # Its regions are those of the new op.
    clone.operands = ()
    added = {
        region: [_added(region.block, type) for type in types] for region in new.regions
    }
    for end in exits(new):
        own = added[region_of(end)]
        end.operands = [
            *end.operands,
            *(
                values[s.argument] if clones[s.terminator] is end else argument
                for s, argument in zip(swaps, own, strict=True)
            ),
        ]
    for index, s in enumerate(swaps):
        argument = added[region_of(clones[s.terminator])][index]
        for use in s.uses:
            user = clones[use.operation]
            empty = user.operands[use.index]
            user.operands[use.index] = argument
            if empty.first_use is None and isinstance(empty.owner, Operation):
                Rewriter.erase_op(empty.owner)
    builder.insert(new)
    for result, replacement in zip(loop.results, new.results, strict=False):
        changes.replace_uses(result, replacement)
        replacement.name_hint = result.name_hint
    changes.remove(loop)
    del clones[loop]
    return [*clones.items()]


def _added(block: Block, type: Attribute) -> SSAValue:
    return block.insert_arg(type, len(block.args))
