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
    """Tells which types an op's results have if nothing else is said."""

    @abstractmethod
    def infer_result_types(self, op: Operation) -> Sequence[Attribute]:
        """The type of each result."""
