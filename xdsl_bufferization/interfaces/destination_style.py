"""
Ops in destination-passing style: each tensor result is an updated operand.

Source: MLIR's DestinationStyleOpInterface, https://mlir.llvm.org/docs/Interfaces/
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType, UnrankedTensorType
from xdsl.ir import Operation, OpResult

from xdsl_bufferization.interfaces.registry import OpInterface


class DestinationStyleOpInterface(OpInterface):
    """
    Which operands of an op are its *inits*: destinations it writes its results to.

    An init that is a tensor is tied to the result that has the updated contents; an init
    that is a memref is updated itself and has no result.
    """

    @abstractmethod
    def inits(self, op: Operation) -> Sequence[int]:
        """The indices of the operands that are inits, in ascending order."""

    def is_init(self, op: Operation, operand: int) -> bool:
        """Whether the operand with that index is an init."""
        return operand in self.inits(op)

    def tied_result(self, op: Operation, operand: int) -> OpResult | None:
        """
        The result that has the updated contents of the operand with that index; `None`
        for an operand that is no init, or is a memref.
        """
        tensors = [
            init
            for init in self.inits(op)
            if isinstance(op.operands[init].type, TensorType | UnrankedTensorType)
        ]
        return op.results[tensors.index(operand)] if operand in tensors else None
