"""
The buffer that reshapes lead away from and back to.

    %e = memref.expand_shape %m [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
    %c = memref.collapse_shape %e [[0, 1]] : memref<2x4xf32> into memref<8xf32>    // %m
"""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.bufferizer import Bufferizer
from xdsl_bufferization.interfaces.reshape import Reshape, reshape
from xdsl_bufferization.models.shared.loops import carried_from
from xdsl_bufferization.support.attributes import reassociation
from xdsl_bufferization.support.limits import MAX_RESHAPES
from xdsl_bufferization.support.shaped_types import ranked_shape


def reshaped_from(buffer: SSAValue, bufferizer: Bufferizer) -> SSAValue:
    """
    The buffer before casts, loops that only carry it (`carried_from`), and reshapes that cancel
    each other out.
    """
    found = buffer = carried_from(buffer, bufferizer)
    pending: list[Reshape] = []
    for _ in range(2 * MAX_RESHAPES):
        op = buffer.owner
        if not isinstance(op, memref.ExpandShapeOp | memref.CollapseShapeOp):
            break
        step = reshape_of(op)
        if step is None:
            break
        if pending and pending[-1] == step.inverse:
            pending.pop()
        else:
            pending.append(step)
        buffer = carried_from(op.operands[0], bufferizer)
        if not pending:
            found = buffer
    else:
        MAX_RESHAPES.met()
    return found


def reshape_of(op: Operation) -> Reshape | None:
    """The reshape of an op that expands or collapses; `None` if its inverse is not certain."""
    return reshape(
        reassociation(op), ranked_shape(op.operands[0]), ranked_shape(op.results[0])
    )
