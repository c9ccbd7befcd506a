"""
How each `memref.dealloc` is moved behind the last use of the memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import memref
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.buffers.buffer_flow import BufferFlow
from xdsl_bufferization.buffers.memref_flow_graph import MemrefFlowGraph
from xdsl_bufferization.support.shaped_types import is_memref_type


def free_early(function: Operation, deallocs: Sequence[memref.DeallocOp]) -> None:
    """Move these deallocs of the function up within their blocks."""
    flow = BufferFlow(function, complete=False)
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
    By class of memrefs and block the last op that defines or uses one of them, itself or in
    its regions.
    """
    last: dict[tuple[SSAValue, Block], Operation] = {}
    for op in flow.position:
        if isinstance(op, memref.DeallocOp):
            continue
        for value in (*op.operands, *op.results):
            if not is_memref_type(value.type):
                continue
            ancestor: Operation | None = op
            while ancestor is not None and ancestor in flow.position:
                block = ancestor.parent
                assert block is not None
                known = last.get((classes[value], block))
                if known is None or flow.position[known] < flow.position[ancestor]:
                    last[classes[value], block] = ancestor
                ancestor = ancestor.parent_op()
    return last
