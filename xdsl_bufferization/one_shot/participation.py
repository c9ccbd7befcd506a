"""
Which ops are bufferized; the others stay on tensors.

An op takes part if it has a model, its dialect is not filtered out, and its parent takes
part if it forwards tensors to the parent. Functions, calls and returns take part only if
function boundaries are bufferized; then modules within the module do not.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.parallel_combining import belongs_to_parent
from xdsl_bufferization.support.call_graph import is_return
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.options import OneShotOptions


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
