"""Moves allocations to other blocks, and from the heap to the stack."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.buffers.allocation_uses import Allocation, AllocationUses
from xdsl_bufferization.buffers.call_effects import CallEffects
from xdsl_bufferization.buffers.called_functions import call_effects
from xdsl_bufferization.interfaces.allocation import (
    AllocationOpInterface,
    AutomaticAllocationScope,
    HoistingKind,
    insert_promoted,
    may_be_hoisted,
)
from xdsl_bufferization.placement.hoisting_targets import (
    executed_at_most_once,
    outside_of_loops,
)
from xdsl_bufferization.support.call_graph import functions_in, within_function
from xdsl_bufferization.support.dominance import DominatorTree
from xdsl_bufferization.support.locations import builder_for
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


def promote_to_stack(allocation: Allocation, tree: DominatorTree) -> None:
    """Allocate on the stack, outside of loops, if that is possible."""
    op = allocation.op
    if (block := _block_on_stack(allocation, tree)) is None:
        return
    promoted = insert_promoted(op, builder_for(op, InsertPoint.before(op)))
    if promoted is not None:
        promoted.name_hint = allocation.memref.name_hint
        allocation.memref.replace_all_uses_with(promoted)
        Rewriter.erase_op(op)
        move_to_block(promoted.op, block)


def _block_on_stack(allocation: Allocation, tree: DominatorTree) -> Block | None:
    """The block to allocate in on the stack, if that is possible."""
    model = AllocationOpInterface.of(allocation.op)
    if (
        allocation.is_freed
        or allocation.is_returned
        or allocation.escapes
        or allocation.is_cloned
        or model is None
        or not model.is_freed(allocation.op)
    ):
        return None
    block = outside_of_loops(allocation, tree)
    if not executed_at_most_once(block, tree):
        return None
    scope = _first_block_of_scope(block)
    if scope is not None and not tree.covers(scope, tree.hull(allocation.blocks)):
        return None
    return block


def _first_block_of_scope(block: Block) -> Block | None:
    """The first block of the region at whose end the stack is freed; not of a function."""
    around = () if (op := block.parent_op()) is None else within_function(op)
    scopes = filter(AutomaticAllocationScope.of, around)
    return next((scope.regions[0].first_block for scope in scopes), None)
