"""
Ops whose result types follow from their operands.

Source: MLIR's InferTypeOpInterface, https://mlir.llvm.org/docs/Interfaces/
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from xdsl.ir import Attribute, Operation

from xdsl_bufferization.interfaces.registry import OpInterface


class InferTypeOpInterface(OpInterface):
    """An op whose result types can be inferred; it may have others of its own."""

    @abstractmethod
    def infer_result_types(self, op: Operation) -> Sequence[Attribute]:
        """
        The type of each result, as it follows from operands and attributes.

        MLIR: `inferReturnTypes`.
        """
