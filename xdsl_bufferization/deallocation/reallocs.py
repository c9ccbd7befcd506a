"""Reallocations in programs that free memory themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from xdsl.ir import Operation

from xdsl_bufferization.buffers.buffer_flow import BufferFlow
from xdsl_bufferization.buffers.memref_flow_graph import MemrefFlowGraph
from xdsl_bufferization.dialects.memref import ReallocOp
from xdsl_bufferization.support.walk import walk


def reallocs_freed_by_program(functions: Iterable[Operation]) -> Iterator[Operation]:
    """
    Each `memref.realloc` whose result, or what may alias it, an op of the program frees. Its
    operand is the program's to free, too, if the result is a new buffer.
    """
    for function in functions:
        if not any(isinstance(op, ReallocOp) for op in walk([function])):
            continue
        flow = BufferFlow(function, complete=False)
        reallocs = [op for op in flow.position if isinstance(op, ReallocOp)]
        classes = MemrefFlowGraph(flow).alias_classes()
        for op in reallocs:
            classes.union(op.source, op.result)
        freed = {
            classes.find(memref)
            for op, memref in flow.frees()
            if not isinstance(op, ReallocOp)
        }
        yield from (op for op in reallocs if classes.find(op.result) in freed)
