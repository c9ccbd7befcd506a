"""
Ops that extract a part of a tensor, or insert one.

Source: MLIR's SubsetOpInterface, https://mlir.llvm.org/docs/Interfaces/
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from typing import Final, NamedTuple

from xdsl.builder import Builder
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.registry import OpInterface


class Slice(NamedTuple):
    """
    A hyper-rectangular subset: for each dimension an offset, a size and a stride, counted
    in elements. They are integers where they are known, values of type `index` otherwise.
    """

    offsets: tuple[SSAValue | int, ...]
    sizes: tuple[SSAValue | int, ...]
    strides: tuple[SSAValue | int, ...]

    def is_all_of(self, shape: Sequence[int]) -> bool:
        """
        Whether the slice has all elements of a tensor of that shape, in their order, as far as
        that is known: it is as large, so that it can only start at the first element.
        """
        return self.sizes == tuple(shape) and all(s == 1 for s in self.strides)


WHOLE: Final[Hashable] = "whole"
"""The subset that is all of its container."""


class SubsetOpInterface(OpInterface):
    """An op on a subset of a tensor or memref, its *container*."""

    @abstractmethod
    def container(self, op: Operation) -> SSAValue:
        """
        The tensor, or memref, that the op extracts from or inserts into.

        MLIR: `getTensorContainer`.
        """

    @abstractmethod
    def subset(self, op: Operation) -> Hashable:
        """
        A description of the subset: a `Slice`, `WHOLE`, or another hashable object.

        Equal descriptions of subsets of one container mean the same elements; different
        descriptions mean nothing.
        MLIR: `operatesOnEquivalentSubset`.
        """


# Named as a base once more, so that it has answers of its own in the registry.
class SubsetExtractionOpInterface(SubsetOpInterface, OpInterface):
    """An op whose result is a subset of its container."""


class SubsetInsertionOpInterface(SubsetOpInterface, OpInterface):
    """An op that overwrites a subset of its container."""

    def source_operand(self, op: Operation) -> int:
        """
        The index of the operand with the new elements. By default 0.

        MLIR: `getSourceOperand`.
        """
        return 0

    def destination_operand(self, op: Operation) -> int:
        """
        The index of the operand that is the container. By default 1.

        MLIR: `getDestinationOperand`.
        """
        return 1

    def container(self, op: Operation) -> SSAValue:
        return op.operands[self.destination_operand(op)]

    def extraction_operands(self, op: Operation) -> Sequence[SSAValue]:
        """
        The values that have to be available where `build_extraction` inserts ops. By
        default none.

        MLIR: `getValuesNeededToBuildSubsetExtraction`.
        """
        return ()

    def build_extraction(self, op: Operation, builder: Builder) -> SSAValue | None:
        """
        Insert ops that extract the subset that `op` overwrites from the destination.

        Returns a tensor of the shape of the source of `op`, though sizes that are static
        in one type may be dynamic in the other. `None`, the default, if there are no such
        ops; then nothing is inserted.
        MLIR: `buildSubsetExtraction`.
        """
        return None


class WholeInsertion(SubsetInsertionOpInterface):
    """An op that overwrites all of a tensor, such as `linalg.copy`."""

    def subset(self, op: Operation) -> Hashable:
        return WHOLE

    def extraction_operands(self, op: Operation) -> Sequence[SSAValue]:
        return (self.container(op),)

    def build_extraction(self, op: Operation, builder: Builder) -> SSAValue | None:
        return self.container(op)
