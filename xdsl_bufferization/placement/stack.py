"""Allocations on the stack instead of the heap."""

from __future__ import annotations

from xdsl.ir import Block
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.buffers.allocation_uses import Allocation
from xdsl_bufferization.interfaces.allocation import (
    AllocationOpInterface,
    AutomaticAllocationScope,
    insert_promoted,
)
from xdsl_bufferization.placement.hoisting import move_to_block
from xdsl_bufferization.placement.hoisting_targets import (
    executed_at_most_once,
    outside_of_loops,
)
from xdsl_bufferization.support.call_graph import within_function
from xdsl_bufferization.support.dominance import DominatorTree
from xdsl_bufferization.support.locations import builder_for


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
