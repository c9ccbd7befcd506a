"""
Frees memory right after its last use.

Source: the pass `optimize-allocation-liveness` of
https://mlir.llvm.org/docs/Passes/#bufferization-passes
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.buffers.buffer_flow import BufferFlow
from xdsl_bufferization.buffers.memref_flow_graph import MemrefFlowGraph
from xdsl_bufferization.support.call_graph import functions_in
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.shaped_types import is_memref_type
from xdsl_bufferization.support.walk import walk


@dataclass(frozen=True)
class OptimizeAllocationLivenessPass(BufferizationPass):
    """
    Move each `memref.dealloc` up within its block, behind the last op that uses the memory,
    through whatever view of it.
    """

    name = "optimize-allocation-liveness"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_in(op):
            deallocs = [
                op_ for op_ in walk([function]) if isinstance(op_, memref.DeallocOp)
            ]
            if deallocs:
                _move_up(deallocs, BufferFlow(function, complete=False))


def _move_up(deallocs: list[memref.DeallocOp], flow: BufferFlow) -> None:
    classes = MemrefFlowGraph(flow).alias_classes()
    last_uses = _last_uses(flow, {v: classes.find(v) for v in flow.memrefs()})
    for dealloc in deallocs:
        block = dealloc.parent
        if block is None or dealloc not in flow.position:
            continue
        last = last_uses.get((classes.find(dealloc.memref), block))
        if last is None or flow.position[last] >= flow.position[dealloc]:
            continue
        dealloc.detach()
        block.insert_op_after(dealloc, last)


def _last_uses(
    flow: BufferFlow, classes: Mapping[SSAValue, SSAValue]
) -> Mapping[tuple[SSAValue, Block], Operation]:
    """
    Of each class of memrefs, in each block, the last op that defines or uses one of them,
    itself or within its regions.
    """
    last: dict[tuple[SSAValue, Block], Operation] = {}
    for op in flow.position:
        if isinstance(op, memref.DeallocOp):
            continue
        for value in (*op.operands, *op.results):
            if not is_memref_type(value.type):
                continue
            place: Operation | None = op
            while place is not None and place in flow.position:
                block = place.parent
                assert block is not None
                known = last.get((classes[value], block))
                if known is None or flow.position[known] < flow.position[place]:
                    last[classes[value], block] = place
                place = place.parent_op()
    return last
