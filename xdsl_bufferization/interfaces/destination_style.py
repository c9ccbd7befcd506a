"""
Ops in destination-passing style: each tensor result is the new value of an operand.

Source: MLIR's DestinationStyleOpInterface, https://mlir.llvm.org/docs/Interfaces/
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.registry import OpInterface, ask, operand_indices
from xdsl_bufferization.support.failures import mistake
from xdsl_bufferization.support.shaped_types import is_tensor


class DestinationStyleOpInterface(OpInterface):
    """
    An op with *inits*: operands that are the destinations of its results.

    An init that is a tensor is tied to the result that has its new contents. An init that
    is a memref is written, and tied to no result.
    """

    @abstractmethod
    def inits(self, op: Operation) -> Sequence[int]:
        """
        The indices of the operands that are inits, in ascending order.

        MLIR: `getDpsInits`.
        """

    def is_init(self, op: Operation, operand: int) -> bool:
        """
        Whether the operand is an init.

        MLIR: `isDpsInit`.
        """
        return operand in self.inits(op)

    def tied_result(self, op: Operation, operand: int) -> OpResult | None:
        """
        The result that has the new contents of the operand; `None` if the operand is no
        init, or a memref.

        MLIR: `getTiedOpResult`.
        """
        operands, result = op.operands, 0
        for init in self.inits(op):
            is_updated = is_tensor(operands[init])
            if init == operand:
                return op.results[result] if is_updated else None
            result += is_updated
        return None

    def verify_answers(self, op: Operation) -> None:
        inits = ask(self, "inits", operand_indices(op), op)
        tensors = [init for init in inits if is_tensor(op.operands[init])]
        results = [result for result in op.results if is_tensor(result)]
        if len({*tensors}) != len(results) or len(tensors) != len(results):
            raise mistake(
                op,
                f"{type(self).__name__}.inits returns {len({*tensors})} different tensors, "
                "but there is to be one for each tensor among the results, which are "
                f"{len(results)}",
            )
        super().verify_answers(op)


def on_other_operands(op: Operation, operands: Sequence[SSAValue]) -> Operation:
    """The op, in no block yet, on other operands: each result has the type of its init."""
    inits = DestinationStyleOpInterface.expect(op).inits(op)
    return type(op).create(
        operands=operands,
        result_types=[operands[init].type for init in inits],
        properties=op.properties.copy(),
        attributes=op.attributes.copy(),
        regions=[region.clone() for region in op.regions],
    )
