"""
Sizes of allocations in loops that are the same in each iteration, computed before the loop.

    scf.for ... iter_args(%h = %x) {                %d = memref.dim %x, %c0
      %d = memref.dim %h, %c0                 ->    scf.for ... iter_args(%h = %x) {
      %m = memref.alloc(%d)                           %m = memref.alloc(%d)

Here `%h` is as large as `%x` in each iteration (`sizes/size_analysis.py`). After that, the
allocation can leave the loop.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.interfaces.allocation import HoistingKind, may_be_hoisted
from xdsl_bufferization.placement.hoisting_targets import Execution, execution_of_region
from xdsl_bufferization.sizes.computation import SizeComputation
from xdsl_bufferization.sizes.size_analysis import Sizes
from xdsl_bufferization.support.call_graph import is_function
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.regions import block_of, walk


def compute_before_loops(function: Operation) -> None:
    """
    Compute the sizes of allocations that can leave loops before these loops, where their symbols
    are available. A symbol in a block around the loop is: it is defined before the loop, as
    something in it depends on it.
    """
    sizes = Sizes()
    found = [
        (op, index, anchor)
        for op in walk([function])
        if op.operands and may_be_hoisted(op, HoistingKind.LOOP)
        for index, operand in enumerate(op.operands)
        if isinstance(operand.type, IndexType)
        and (anchor := _anchor(op, operand, sizes)) is not None
    ]
    # Nothing changes before all sizes are known.
    values = [sizes.number(op.operands[index]) for op, index, _ in found]
    computations: dict[Operation, SizeComputation] = {}
    for (op, index, anchor), value in zip(found, values, strict=True):
        if anchor not in computations:
            builder = builder_for(anchor, InsertPoint.before(anchor))
            computations[anchor] = SizeComputation(builder)
        op.operands[index] = computations[anchor].value(value)


def _anchor(op: Operation, operand: SSAValue, sizes: Sizes) -> Operation | None:
    """
    The op around the allocation before which the operand can be computed, and that is, or
    contains, a loop in which it is computed now.
    """
    around = _ops_around(op)
    depths = {block: depth for depth, (block, _) in enumerate(around)}
    defined = depths.get(block_of(operand))
    if defined is None or defined == len(around) - 1:
        return None
    innermost = len(around) - 1
    for symbol in sizes.number(operand).symbols:
        depth = depths.get(block_of(symbol.value))
        if depth is None:
            return None
        innermost = min(innermost, depth)
    is_outside = any(
        execution_of_region(block) is Execution.REPEATEDLY
        for block, _ in around[defined:innermost]
    )
    return around[innermost][1] if is_outside else None


def _ops_around(op: Operation) -> list[tuple[Block, Operation]]:
    """The blocks around the op, innermost first, each with the op in it that contains the op."""
    found: list[tuple[Block, Operation]] = []
    current: Operation | None = op
    while current is not None and current.parent is not None:
        found.append((current.parent, current))
        parent = current.parent_op()
        current = None if parent is None or is_function(parent) else parent
    return found
