"""
Reallocations in programs that free memory themselves.

    %n = memref.realloc %m(%size) : memref<?xf32> to memref<?xf32>
    memref.dealloc %n : memref<?xf32>    // so the program frees %m, too, if %n is a new buffer
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from xdsl.ir import Operation

from xdsl_bufferization.buffers.buffer_flow import BufferFlow
from xdsl_bufferization.buffers.memref_flow_graph import MemrefFlowGraph
from xdsl_bufferization.dialects.memref.ops import ReallocOp
from xdsl_bufferization.interfaces.dialect_attributes import MANUAL_DEALLOCATION


def reallocs_of_program(
    functions: Iterable[Operation],
) -> Iterator[tuple[Operation, bool]]:
    """
    Each `memref.realloc` whose result, or what may alias it, the program frees itself. Its operand
    is the program's to free, too, if the result is a new buffer. With each, whether an op with
    `bufferization.manual_deallocation` allocates, reallocates or frees such a memref.
    """
    for function in functions:
        flow = BufferFlow(function)
        classes = MemrefFlowGraph(flow).alias_classes()
        reallocs = [op for op in flow.position if isinstance(op, ReallocOp)]
        for op in reallocs:
            classes.union(op.source, op.result)
        freed = {
            classes.find(memref)
            for op, memref in flow.frees
            if not isinstance(op, ReallocOp)
        }
        manual = {
            classes.find(value)
            for op in flow.position
            if MANUAL_DEALLOCATION in op.attributes
            for value in (*op.operands, *op.results)
            if flow.is_followed(value)
        }
        for op in reallocs:
            memory = classes.find(op.result)
            if memory in freed or memory in manual:
                yield op, memory in manual
