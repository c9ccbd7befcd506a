"""What frees enclosed buffers, and copies what a function returns but does not own."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from xdsl.builder import Builder
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import BoolAttr
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.deallocation.enclosed_buffers import EnclosedBuffers
from xdsl_bufferization.dialects.bufferization import CloneOp, DeallocOp
from xdsl_bufferization.support.locations import builder_for, copy_location


def insert_enclosed_deallocs(
    function: Operation, memory: EnclosedBuffers, *, lowered: bool
) -> None:
    """
    Free the buffers of the function, by `memref.dealloc` if `lowered`, otherwise by a
    `bufferization.dealloc` that becomes that; and return clones of the memory of others.
    """
    for op, index in memory.cloned:
        builder = builder_for(op, InsertPoint.before(op))
        op.operands[index] = builder.insert(CloneOp(op.operands[index])).output
    dealloc = memref.DeallocOp.get if lowered else _unconditional(function)
    for buffer in memory.buffers:
        if not buffer.is_returned:
            # Of several buffers that die at an op, the last one is freed first.
            op = dealloc(buffer.value)
            copy_location(buffer.last_use, op)
            buffer.block.insert_op_after(op, buffer.last_use)


def _unconditional(function: Operation) -> Callable[[SSAValue], Operation]:
    @cache
    def true() -> SSAValue:
        first = function.regions[0].first_block
        assert first is not None
        constant = arith.ConstantOp(BoolAttr.from_bool(True))
        return Builder(InsertPoint.at_start(first)).insert(constant).result

    return lambda value: DeallocOp([value], [true()])
