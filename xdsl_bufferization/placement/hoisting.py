"""Moves allocations to other blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation

from xdsl_bufferization.buffers.allocation_uses import Allocation, AllocationUses
from xdsl_bufferization.buffers.call_effects import CallEffects
from xdsl_bufferization.buffers.called_functions import call_effects
from xdsl_bufferization.interfaces.allocation import HoistingKind, may_be_hoisted
from xdsl_bufferization.support.call_graph import functions_in
from xdsl_bufferization.support.dominance import DominatorTree
from xdsl_bufferization.support.regions import terminator_of
from xdsl_bufferization.support.walk import walk


def hoist(
    module: ModuleOp,
    kind: HoistingKind,
    target: Callable[[Allocation, DominatorTree], Block],
) -> None:
    """Move each allocation that allows this kind of hoisting to the block `target` returns."""
    # No function changes before all are known to be valid.
    calls = call_effects(module)
    movable = [(f, _movable_allocations(f, kind, calls)) for f in functions_in(module)]
    for function, allocations in movable:
        if allocations:
            tree = DominatorTree(function.regions)
            for allocation in allocations:
                move_to_block(allocation.op, target(allocation, tree))


def _movable_allocations(
    function: Operation, kind: HoistingKind, calls: CallEffects
) -> Sequence[Allocation]:
    ops = {
        op
        for op in walk([function])
        if may_be_hoisted(op, kind) and op.parent is not function.regions[0].first_block
    }
    return [
        allocation
        for allocation in (AllocationUses(function, calls).allocations() if ops else ())
        if not allocation.is_freed and allocation.op in ops
    ]


def move_to_block(op: Operation, block: Block) -> None:
    """
    Move the op to a block that dominates its own: before the op there that contains it, or
    before the terminator.
    """
    if op.parent is block:
        return
    following = block.find_ancestor_op_in_block(op) or terminator_of(block)
    op.detach()
    block.insert_op_before(op, following)
