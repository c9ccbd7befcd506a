"""
Ops on numbers that also take tensors, and then work on each element by itself.

Source: MLIR's traits Elementwise, Scalarizable, Vectorizable and Tensorizable,
https://mlir.llvm.org/docs/Traits/
"""

from __future__ import annotations

from xdsl.ir import Operation

from xdsl_bufferization.interfaces.registry import OpInterface
from xdsl_bufferization.support.names import op_name


class ElementwiseMappable(OpInterface):
    """
    An op such that the elements of its results, tensors of one shape, are what the same op
    makes of the elements of its operands at the same position, and of those operands that are
    no tensors.

    MLIR: `ElementwiseMappable`.
    """


def is_elementwise_mappable(op: Operation) -> bool:
    """
    Whether the op is such an op: all ops of arith and math are, except for constants, and
    those of other dialects that have the interface.
    """
    if op.regions or op.successors:
        return False
    dialect, _, name = op_name(op).partition(".")
    if dialect in ("arith", "math"):
        return (dialect, name) != ("arith", "constant")
    return ElementwiseMappable.of(op) is not None
