"""
Ops that take a part out of a tensor, or put one in.

Source: MLIR's SubsetOpInterface, https://mlir.llvm.org/docs/Interfaces/
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from typing import Final, NamedTuple

from xdsl.builder import Builder
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.registry import OpInterface


class Slice(NamedTuple):
    """
    A hyper-rectangular subset; of each dimension an offset, a size and a stride, which
    count elements and are numbers where they are known.
    """

    offsets: tuple[SSAValue | int, ...]
    sizes: tuple[SSAValue | int, ...]
    strides: tuple[SSAValue | int, ...]


WHOLE: Final[Hashable] = "whole"
"""The subset that is all of its container."""


class SubsetOpInterface(OpInterface):
    """An op on a subset of a tensor, its *container*."""

    @abstractmethod
    def container(self, op: Operation) -> SSAValue:
        """The tensor, or memref, of which the op reads or writes a part."""

    @abstractmethod
    def subset(self, op: Operation) -> Hashable:
        """
        Describes which part that is, whatever the shape in which the op sees it.

        Two ops with equal containers and equal descriptions are about the same elements.
        Nothing follows from different descriptions.
        """


# Named as a base once more, so that it has answers of its own in the registry.
class SubsetExtractionOpInterface(SubsetOpInterface, OpInterface):
    """An op that takes a subset out of its container."""

    def extracted(self, op: Operation) -> OpResult:
        """The result that has the subset's elements."""
        return op.results[0]


class SubsetInsertionOpInterface(SubsetOpInterface, OpInterface):
    """An op that overwrites a subset of its container."""

    def source_operand(self, op: Operation) -> int:
        """The index of the operand with the new elements."""
        return 0

    def destination_operand(self, op: Operation) -> int:
        """The index of the operand that is the container."""
        return 1

    def container(self, op: Operation) -> SSAValue:
        return op.operands[self.destination_operand(op)]

    def updated_destination(self, op: Operation) -> OpResult | None:
        """
        The result that is the container with the new elements in it; `None` if the op
        itself has none, as when it writes a memref.
        """
        return op.results[0] if op.results else None

    def extraction_operands(self, op: Operation) -> Sequence[SSAValue]:
        """The values that have to be defined where `build_extraction` inserts ops."""
        return ()

    def build_extraction(self, op: Operation, builder: Builder) -> SSAValue | None:
        """
        Insert what takes the subset that `op` overwrites out of the destination.

        The result is a tensor in the shape in which `op` has the source, but its type may
        know other sizes; `None` if there is no such op, and nothing has been inserted.
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
