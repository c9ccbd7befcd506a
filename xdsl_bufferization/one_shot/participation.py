"""
Which ops are bufferized; the others stay on tensors.

An op takes part if it has a model, its dialect is not filtered out, and its parent takes
part if it forwards tensors to the parent. Functions, calls and returns take part only if
function boundaries are bufferized; then modules within the module do not.

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
from xdsl.ir import Operation

from xdsl_bufferization.buffers.buffer_flow import base_of, is_local_memory
from xdsl_bufferization.dialects.bufferization import ToTensorOp
from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.parallel_combining import belongs_to_parent
from xdsl_bufferization.one_shot.rewriting.op_builder import BufferOpBuilder
from xdsl_bufferization.support.call_graph import is_function_argument, is_return
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.regions import walk


def participating_model(
    op: Operation, options: OneShotOptions
) -> BufferizableOpInterface | None:
    """The model by which the op is bufferized; `None` if it stays on tensors."""
    if not options.bufferize_function_boundaries and is_function_boundary(op):
        return None
    model = BufferizableOpInterface.of(op)
    if model is None and op.next_op is None and is_return(op):
        model = BufferizableOpInterface.named("func.return")
    if model is not None and belongs_to_parent(op):
        parent = op.parent_op()
        takes_part = parent is not None and participating_model(parent, options)
        return model if takes_part else None
    if options.dialect_filter and not options.lets_take_part(op_name(op)):
        return None
    return model


def left_modules(module: ModuleOp, options: OneShotOptions) -> set[Operation]:
    """The outermost modules within the module that stay as they are."""
    if not options.bufferize_function_boundaries:
        return set()
    return {op for op in module.ops if isinstance(op, ModuleOp)}


def is_function_boundary(op: Operation) -> bool:
    """Whether the op is a function, a call or a return of the func dialect."""
    return op_name(op).startswith("func.")


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
