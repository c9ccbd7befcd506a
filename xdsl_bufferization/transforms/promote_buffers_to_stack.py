"""
Allocate small buffers on the stack.

Source: https://mlir.llvm.org/docs/Passes/#-promote-buffers-to-stack
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Attribute, Block, Operation
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.buffers.allocation_uses import Allocation, AllocationUses
from xdsl_bufferization.buffers.block_tree import BlockTree
from xdsl_bufferization.interfaces.allocation import (
    AllocationOpInterface,
    AutomaticAllocationScope,
)
from xdsl_bufferization.placement.hoisting import move_to_block
from xdsl_bufferization.placement.hoisting_targets import (
    executed_at_most_once,
    outside_of_loops,
)
from xdsl_bufferization.support.call_graph import functions_in, is_function
from xdsl_bufferization.support.data_layout import size_in_bits
from xdsl_bufferization.support.pass_options import BufferizationPass


@dataclass(frozen=True)
class PromoteBuffersToStackPass(BufferizationPass):
    """
    Turn `memref.alloc` into `memref.alloca` where the memory is small and not used any more
    when the function, or another scope of the stack, ends.

    What is allocated in a loop is allocated before it instead, as the stack would grow with
    each run; it stays on the heap if that is not possible. Run the pass before
    deallocation: what is freed already is left alone.
    """

    name = "promote-buffers-to-stack"

    max_alloc_size_in_bytes: int = 1024
    """The most that an allocation of known size may take."""
    max_rank_of_allocated_memref: int = 1
    """The most dimensions of one with unknown sizes, which must be ranks of memrefs."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_in(op):
            small = [
                a for a in AllocationUses(function).allocations() if self._is_small(a)
            ]
            if small:
                tree = BlockTree(function)
                for allocation in small:
                    if (block := _block_on_stack(allocation, tree)) is not None:
                        _promote(allocation.op, block)

    def _is_small(self, allocation: Allocation) -> bool:
        type = cast("MemRefType[Attribute]", allocation.memref.type)
        if type.has_static_shape():
            bits = size_in_bits(type.element_type)
            number = math.prod(type.get_shape())
            limit = self.max_alloc_size_in_bytes
            return bits is not None and number * bits <= 8 * limit
        return type.get_num_dims() <= self.max_rank_of_allocated_memref and all(
            isinstance(operand.owner, memref.RankOp)
            for operand in allocation.op.operands
        )


def _block_on_stack(allocation: Allocation, tree: BlockTree) -> Block | None:
    """Where to allocate on the stack instead, if that is possible."""
    model = AllocationOpInterface.of(allocation.op)
    if (
        allocation.is_freed
        or allocation.is_returned
        or allocation.is_lost
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
    op = block.parent_op()
    while op is not None and not is_function(op):
        if AutomaticAllocationScope.of(op) is not None:
            return op.regions[0].first_block
        op = op.parent_op()
    return None


def _promote(op: Operation, block: Block) -> None:
    model = AllocationOpInterface.of(op)
    assert model is not None
    promoted = model.build_promoted(op, Builder(InsertPoint.before(op)))
    if promoted is None:
        return
    assert isinstance(promoted.owner, Operation)
    allocated = model.allocated(op)[0]
    promoted.name_hint = allocated.name_hint
    allocated.replace_all_uses_with(promoted)
    op.detach()
    op.erase()
    move_to_block(promoted.owner, block)
