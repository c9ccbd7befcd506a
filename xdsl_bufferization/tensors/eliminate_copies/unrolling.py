"""
Loops unrolled by two, so that two buffers take turns.

    %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%x = %x0) {
      %y = linalg.matvec ins(%a, %x) outs(%new)     // still reads %x: copied to its buffer
      scf.yield %y
    }

becomes

    %r = scf.for %i = %c0 to %c10 step %c2 iter_args(%x = %x0) {
      %y = linalg.matvec ins(%a, %x) outs(%new)
      %z = linalg.matvec ins(%a, %y) outs(%x)       // nothing reads %x any more
      scf.yield %z
    }

Invariant: the program computes the same. Bounds and step have to be constants. The last of an odd
number of iterations is computed after the loop.

Takes time in proportion to the body, which grows to twice its size; a body of more than
`MAX_UNROLLED_OPS` ops is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.builder import Builder
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.one_shot.facts.linear import induction_range
from xdsl_bufferization.support.limits import MAX_UNROLLED_OPS
from xdsl_bufferization.support.regions import terminator_of
from xdsl_bufferization.support.walk import walk
from xdsl_bufferization.tensors.changes import Changes

_UPPER_BOUND, _STEP = 1, 2
"""The indices of these operands of a `scf.for`."""


def can_be_unrolled(loop: scf.ForOp) -> bool:
    """Whether `unroll` can take the loop, and its body is short."""
    numbers = induction_range(loop.body.block.args[0])
    return (
        numbers is not None
        and len(numbers) > 1
        and MAX_UNROLLED_OPS.within(walk(loop.body.block.ops)) is not None
    )


def unroll(loop: scf.ForOp, changes: Changes) -> Sequence[tuple[Operation, Operation]]:
    """
    Compute two iterations of the loop in one; returns the ops of the body, each with a clone of
    it.
    """
    body = loop.body.block
    variable, end = body.args[0], terminator_of(body)
    numbers = induction_range(variable)
    assert numbers is not None
    ops = [op for op in body.ops if op is not end]
    clones: list[tuple[Operation, Operation]] = []
    if len(numbers) % 2:
        clones += _compute_last(loop, ops, end, numbers[-1], changes)
    before = changes.builder(loop)
    within = changes.builder(end)
    second = within.insert(arith.AddiOp(variable, loop.step)).result
    values = _values(body, second, end.operands)
    clones += _clone(ops, values, within)
    for index, yielded in enumerate(end.operands):
        changes.set_operand(end, index, values.get(yielded, yielded))
    step = before.insert(_constant(2 * numbers.step, variable)).result
    changes.set_operand(loop, _STEP, step)
    return clones


def _compute_last(
    loop: scf.ForOp,
    ops: Sequence[Operation],
    end: Operation,
    number: int,
    changes: Changes,
) -> Sequence[tuple[Operation, Operation]]:
    """Compute the last iteration, whose number is given, after the loop."""
    uses = [[*result.uses] for result in loop.results]
    before = changes.builder(loop)
    after = changes.builder(loop, InsertPoint.after(loop))
    last = before.insert(_constant(number, loop.body.block.args[0])).result
    changes.set_operand(loop, _UPPER_BOUND, last)
    values = _values(loop.body.block, last, loop.results)
    clones = _clone(ops, values, after)
    for yielded, used in zip(end.operands, uses, strict=True):
        for use in used:
            changes.set_operand(use.operation, use.index, values.get(yielded, yielded))
    return clones


def _values(
    body: Block, number: SSAValue, carried: Iterable[SSAValue]
) -> dict[SSAValue, SSAValue]:
    """By argument of the body: its value in the iteration of that number."""
    return dict(zip(body.args, (number, *carried), strict=True))


def _constant(number: int, like: SSAValue) -> arith.ConstantOp:
    """The number in the type of an induction variable."""
    type = like.type
    assert isinstance(type, IndexType | IntegerType)
    return arith.ConstantOp(IntegerAttr(number, type))


def _clone(
    ops: Sequence[Operation], values: dict[SSAValue, SSAValue], builder: Builder
) -> Sequence[tuple[Operation, Operation]]:
    """Insert clones of the ops, and note in `values` what takes the place of their results."""
    return [(op, builder.insert(op.clone(values))) for op in ops]
