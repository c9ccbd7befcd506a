"""
Ops in destination-passing style: each tensor result is an updated operand.

Source: MLIR's DestinationStyleOpInterface, https://mlir.llvm.org/docs/Interfaces/
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerType,
    TensorType,
    UnrankedTensorType,
)
from xdsl.ir import Operation, OpResult

from xdsl_bufferization.interfaces.registry import OpInterface, op_name, register_model


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


class LinalgDestination(DestinationStyleOpInterface):
    """A structured op's operands are its inputs, then its inits."""

    def inits(self, op: Operation) -> Sequence[int]:
        name = op_name(op)
        if name in ("linalg.index", "linalg.yield"):
            return ()
        if name in ("linalg.pack", "linalg.unpack"):
            return (1,)
        segments = op.properties.get("operandSegmentSizes") or op.attributes.get(
            "operandSegmentSizes"
        )
        if isinstance(segments, DenseArrayBase):
            inputs = cast(DenseArrayBase[IntegerType], segments).get_values()[0]
        # Ops that need no segments have as many inits as inputs, or one init.
        elif name == "linalg.reduce":
            inputs = len(op.operands) // 2
        else:
            inputs = len(op.operands) - 1
        return range(inputs, len(op.operands))


class InsertDestination(DestinationStyleOpInterface):
    """The second operand is the only init."""

    def inits(self, op: Operation) -> Sequence[int]:
        return (1,)


# Models for xDSL's ops, by name: so ops that xDSL does not define are served, too.

register_model("linalg.*", LinalgDestination())
register_model("tensor.insert", InsertDestination())
register_model("tensor.insert_slice", InsertDestination())
