"""
Ops that forward one of their operands, element by element.

    %r = arith.select %c, %a, %b : tensor<4xf32>          // %a or %b
    %s = tensor.cast %r : tensor<4xf32> to tensor<?xf32>  // %r

A reshape is none: its elements have other positions in the result.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.registry import OpInterface, ask, operand_indices


class ForwardingOpInterface(OpInterface):
    """
    An op whose result, a tensor, is one of its operands: in place, each element has the same
    position in both, whatever their types say.
    """

    @abstractmethod
    def forwarded(self, op: Operation) -> Sequence[int]:
        """The operands that the result may be."""

    def verify_answers(self, op: Operation) -> None:
        super().verify_answers(op)
        ask(self, "forwarded", operand_indices(op), op)


def is_forwarding(op: Operation) -> bool:
    """Whether the op only forwards operands, each element at its position."""
    return ForwardingOpInterface.of(op) is not None


def cast_source(value: SSAValue) -> SSAValue | None:
    """The one operand that the value always is; `None` if its op is no cast."""
    op = value.owner
    if not isinstance(op, Operation):
        return None
    model = ForwardingOpInterface.of(op)
    operands = () if model is None else model.forwarded(op)
    return op.operands[operands[0]] if len(operands) == 1 else None
