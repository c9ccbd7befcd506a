"""
Tensors that are copied to the buffer of an argument, and could be computed there.

A loop copies what it yields to the buffer of an iteration argument, and a function copies a
result to the argument that is donated for it, unless the tensor is there already.

    %r = scf.for ... iter_args(%h = %h0) -> (tensor<8x8xf32>) {
      %e = tensor.empty() : tensor<8x8xf32>
      %p = linalg.matmul ins(%h, %w) outs(%f)
      %t = linalg.exp ins(%p) outs(%e)          // copied to the buffer of %h
      scf.yield %t : tensor<8x8xf32>

Nobody reads `%h` after the product, so `%t` can be computed with `outs(%h)`. The same holds
for what `%t` would be computed in if more ops followed: all tensors in the buffer of the
copied one are its *origins*.

Finding them takes time in proportion to the number of tensors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xdsl.ir import BlockArgument, Operation, SSAValue

from xdsl_bufferization.interfaces.bufferizable import BufferRelation, ForwardedCopy
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis


def copied_to(
    analysis: BufferizationAnalysis, copies: Iterable[ForwardedCopy]
) -> Mapping[SSAValue, BlockArgument]:
    """
    By tensor that one of the copies reads, or that is in the same buffer as one of these: the
    argument whose buffer it is copied to. Of several arguments it is the first.
    """
    found: dict[SSAValue, BlockArgument] = {}
    for copy in copies:
        destination = copy.destination
        if isinstance(destination, BlockArgument):
            pending = [copy.terminator.operands[copy.operand]]
            while pending:
                value = pending.pop()
                record = analysis.program.values.get(value)
                if record is None or value in found:
                    continue
                found[value] = destination
                pending += [
                    operand.value.value
                    for operand, alias in record.sources
                    if alias.relation is BufferRelation.EQUIVALENT
                    and analysis.is_in_place(operand)
                ]
    return found


def is_defined_at(argument: BlockArgument, op: Operation) -> bool:
    """Whether the op is in the block of the argument, or in a region of an op there."""
    return argument.block.find_ancestor_op_in_block(op) is not None
