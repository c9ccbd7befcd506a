"""How an allocation is moved to another block."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation

from xdsl_bufferization.buffers.allocation_uses import Allocation, AllocationUses
from xdsl_bufferization.buffers.block_tree import BlockTree
from xdsl_bufferization.interfaces.allocation import AllocationOpInterface, HoistingKind
from xdsl_bufferization.support.call_graph import functions_in


def hoist(
    module: ModuleOp,
    kind: HoistingKind,
    place: Callable[[Allocation, BlockTree], Block],
) -> None:
    """Move the allocations that may be moved in that way to the blocks that `place` says."""
    for function in functions_in(module):
        movable = [
            a
            for a in AllocationUses(function).allocations()
            if not a.is_freed and kind in _hoisting_kind(a.op)
        ]
        if movable:
            tree = BlockTree(function)
            for allocation in movable:
                move_to(allocation.op, place(allocation, tree))


def move_to(op: Operation, block: Block) -> None:
    """
    Move the op to a block that dominates its own, and there before the op whose regions it
    is in, or to the end.
    """
    if op.parent is block:
        return
    place: Operation | None = op
    while place is not None and place.parent is not block:
        place = place.parent_op()
    place = place or block.last_op
    assert place is not None
    op.detach()
    block.insert_op_before(op, place)


def _hoisting_kind(op: Operation) -> HoistingKind:
    model = AllocationOpInterface.of(op)
    return HoistingKind.NONE if model is None else model.hoisting_kind(op)
