"""
Ops that can be computed tile by tile.

Source: MLIR's TilingInterface, https://mlir.llvm.org/docs/Interfaces/
"""

from __future__ import annotations

from abc import abstractmethod

from xdsl.ir import Operation

from xdsl_bufferization.interfaces.registry import OpInterface
from xdsl_bufferization.support.boxes import Box


class TilingInterface(OpInterface):
    """
    An op in destination-passing style whose results have all the same shape, and which, with
    the same properties and regions, computes a part of them from parts of its operands.

    MLIR: `TilingInterface`.
    """

    def is_tileable(self, op: Operation) -> bool:
        """Whether this op is such an op. By default it is."""
        return True

    @abstractmethod
    def part_of_operand(self, op: Operation, operand: int, tile: Box) -> Box | None:
        """
        The elements of a tensor operand that the op needs, and no others, for the elements
        `tile` of its results; `None` if that is not a box of the operand's rank. For an init
        it is the tile itself.
        """
