"""
The functions of a module all of whose buffers are enclosed.

A call of such a function is like an allocation: the function neither frees its arguments nor stores
them, and what it returns is new, a buffer of its own or a clone.

    func.func @callee(%a: memref<4xf32>) -> memref<4xf32> { func.return %a }   // returns a clone
    %m = func.call @callee(%n) : (memref<4xf32>) -> memref<4xf32>             // not %n

Callees come first, so each function is walked once.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

from xdsl.dialects import func
from xdsl.ir import Operation

from xdsl_bufferization.deallocation.enclosed_buffers import (
    EnclosedBuffers,
    enclosed_buffers,
)
from xdsl_bufferization.support.call_graph import CallGraph
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.shaped_types import is_memref_type


def enclosed_functions(
    graph: CallGraph, dynamic: Container[Operation]
) -> Mapping[Operation, EnclosedBuffers]:
    """
    The functions of the call graph with enclosed buffers only, and these. `dynamic` functions
    return an `i1` for each memref that they return.
    """
    found: dict[Operation, EnclosedBuffers] = {}

    def returns_new(call: Operation) -> bool:
        callee = graph.callee(call) if isinstance(call, func.CallOp) else None
        if callee is None or donated_arguments(callee):
            return False
        if not callee.body.blocks:
            # Two results may be the same memory.
            return sum(map(is_memref_type, call.result_types)) < 2
        return callee in found

    for component in graph.callees_first():
        for function in component:
            memory = enclosed_buffers(
                function,
                returns_flags=function in dynamic,
                returns_new=returns_new,
            )
            if memory is not None:
                found[function] = memory
    return found
