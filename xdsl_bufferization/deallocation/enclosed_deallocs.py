"""
Functions with enclosed buffers only: frees these, and copies returned memory that a function does
not own.

A call of such a function is like an allocation: the function neither frees its arguments nor stores
them, and what it returns is new, a buffer of its own or a clone.

    func.func @callee(%a: memref<4xf32>) -> memref<4xf32> { func.return %a }   // returns a clone
    %m = func.call @callee(%n) : (memref<4xf32>) -> memref<4xf32>             // not %n

Callees come first, so each function is walked once.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from functools import cache

from xdsl.builder import Builder
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import BoolAttr
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.deallocation.enclosed_buffers import (
    EnclosedBuffers,
    enclosed_buffers,
)
from xdsl_bufferization.deallocation.enclosed_memory import EnclosedBuffer
from xdsl_bufferization.deallocation.parts import (
    dealloc_of_whole,
    is_strided,
    may_hide_part,
)
from xdsl_bufferization.dialects.bufferization import CloneOp, DeallocOp
from xdsl_bufferization.support.call_graph import CallGraph
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.locations import builder_for, copy_location
from xdsl_bufferization.support.regions import terminator_of
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


def insert_enclosed_deallocs(
    function: Operation, memory: EnclosedBuffers, *, parts: Callable[[], bool] | None
) -> bool:
    """
    Free the buffers of the function, and return clones of the memory of others.

    With `parts`, which says whether the program hides parts of buffers, by `memref.dealloc`, if
    that needs no ops but those that `bufferization-lower-deallocations` inserts in any case;
    otherwise by a `bufferization.dealloc` that becomes that. Returns whether one of these is left.
    """
    for op, index in memory.cloned:
        builder = builder_for(op, InsertPoint.before(op))
        op.operands[index] = builder.insert(CloneOp(op.operands[index])).output
    unconditional = _unconditional(function)
    is_any_left = False
    for buffer in memory.buffers:
        if buffer.leaves:
            continue
        if parts is None or (may_hide_part(buffer.value) and parts()):
            _insert(buffer, [unconditional(buffer.value)])
            is_any_left = True
        elif is_strided(buffer.value):
            _insert(buffer, dealloc_of_whole(buffer.value))
        else:
            _insert(buffer, [memref.DeallocOp.create(operands=[buffer.value])])
    return is_any_left


def _insert(buffer: EnclosedBuffer, ops: Sequence[Operation]) -> None:
    """
    Insert the ops after the last use of the buffer. Of several buffers that die at an op, the last
    one is freed first.
    """
    block, last = buffer.block, buffer.last_use
    for op in ops:
        copy_location(last or terminator_of(block), op)
    if last is not None:
        block.insert_ops_after(ops, last)
    elif (first := block.first_op) is not None:
        block.insert_ops_before(ops, first)


def _unconditional(function: Operation) -> Callable[[SSAValue], Operation]:
    @cache
    def true() -> SSAValue:
        first = function.regions[0].blocks[0]
        constant = arith.ConstantOp(BoolAttr.from_bool(True))
        return Builder(InsertPoint.at_start(first)).insert(constant).result

    return lambda value: DeallocOp([value], [true()])
