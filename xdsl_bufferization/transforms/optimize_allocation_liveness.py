"""
Frees memory right after its last use.

    memref.store %f, %m[%i] : memref<4xf32>
    memref.store %f, %other[%i] : memref<4xf32>
    memref.dealloc %m : memref<4xf32>          // moves to right after the first store

Source: the pass `optimize-allocation-liveness` of
https://mlir.llvm.org/docs/Passes/#bufferization-passes
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, OpResult

from xdsl_bufferization.memrefs.buffers.allocation_uses import (
    Allocation,
    MemrefFlows,
)
from xdsl_bufferization.memrefs.buffers.buffer_flow import base_of
from xdsl_bufferization.support.call_graph import functions_in
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.regions import ancestors, block_of, walk


@dataclass(frozen=True)
class OptimizeAllocationLivenessPass(BufferizationPass):
    """
    Move each `memref.dealloc` of memory that the function allocates up within its block, to right
    after the last op that uses the memory or a view of it. It stays where it is if the memory is
    stored in other memory, or used through a pointer.
    """

    name = "optimize-allocation-liveness"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # No function changes before all are known to be valid.
        flows = MemrefFlows(op)
        found = [
            flows.uses(function)
            for function in functions_in(op)
            if any(isinstance(op_, memref.DeallocOp) for op_ in walk([function]))
        ]
        for uses in found:
            for allocation in uses.allocations():
                if allocation.is_freed and not allocation.escapes:
                    _free_early(allocation, uses.flow.position)


def _free_early(allocation: Allocation, position: Mapping[Operation, int]) -> None:
    last: dict[Block, Operation] = {}
    """By block the last op that defines or uses the memory, itself or in its regions."""
    deallocs: list[memref.DeallocOp] = []
    for alias in allocation.aliases:
        ops = [use.operation for use in alias.uses]
        if isinstance(alias, OpResult):
            ops.append(alias.op)
        for op in ops:
            if isinstance(op, memref.DeallocOp):
                if op in position and base_of(alias) is allocation.memref:
                    deallocs.append(op)
                continue
            for around in takewhile(position.__contains__, ancestors(op)):
                block = block_of(around)
                if block not in last or position[last[block]] < position[around]:
                    last[block] = around
    for dealloc in deallocs:
        block = block_of(dealloc)
        if block in last and position[last[block]] < position[dealloc]:
            dealloc.detach()
            block.insert_op_after(dealloc, last[block])
