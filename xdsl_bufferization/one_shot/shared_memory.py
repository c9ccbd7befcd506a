"""
Copies of memory that other tensors may share, where it becomes a tensor.

    %m = bufferization.to_buffer %t    // %t may be written in place after this
    %s = arith.select %c, %k, %m
    %u = bufferization.to_tensor %s    // from now on `restrict writable`, of a copy of %s

An earlier bufferization of other dialects leaves `to_tensor` without `restrict`. Local memory is
not copied: all its tensors are made by `to_tensor`, and without `restrict` none is written. For
arguments of functions, callers would have to be known; those are refused.
"""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType, ModuleOp, UnitAttr

from xdsl_bufferization.buffers.buffer_flow import base_of
from xdsl_bufferization.buffers.local_memory import is_local_memory
from xdsl_bufferization.dialects.bufferization import ToTensorOp
from xdsl_bufferization.one_shot.participation import left_modules, participating_model
from xdsl_bufferization.one_shot.rewriting.op_builder import BufferOpBuilder
from xdsl_bufferization.support.call_graph import is_function_argument
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.walk import walk


def copy_shared_memory(module: ModuleOp, options: OneShotOptions) -> None:
    """Copy the memrefs of the `to_tensor` ops that take part, where that is necessary."""
    if options.copy_before_write:
        return
    builder = BufferOpBuilder(options.buffer_alignment)
    for op in walk([module], without=left_modules(module, options)):
        if (
            op.name == ToTensorOp.name
            and "restrict" not in op.properties
            and isinstance((source := op.operands[0]).type, MemRefType)
            and not is_local_memory(source)
            and not is_function_argument(base_of(source))
            and participating_model(op, options) is not None
        ):
            builder.start(op)
            op.operands[0] = builder.copied(source)
            op.properties |= {"restrict": UnitAttr(), "writable": UnitAttr()}
