"""
Ops that take a part out of a tensor, or put one in.

Source: MLIR's SubsetOpInterface, https://mlir.llvm.org/docs/Interfaces/
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable
from typing import Final, NamedTuple, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.registry import OpInterface, register_model


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


def slice_of(op: Operation, first_dynamic: int) -> Slice:
    """
    The offsets, sizes and strides of an op that has them as operands from
    `first_dynamic` on, and as arrays with `DYNAMIC_INDEX` for each operand. Integer
    constants among the operands count as the number they are.
    """
    values = map(_constant_or_value, op.operands[first_dynamic:])

    def mixed(name: str) -> tuple[SSAValue | int, ...]:
        # Of an op that xDSL does not define, in the old generic form, an attribute.
        static = op.properties.get(name) or op.attributes[name]
        return tuple(
            next(values) if number == DYNAMIC_INDEX else number
            for number in cast(DenseArrayBase[IntegerType], static).get_values()
        )

    # The operands come in this order, too.
    return Slice(
        mixed("static_offsets"), mixed("static_sizes"), mixed("static_strides")
    )


def _constant_or_value(value: SSAValue) -> SSAValue | int:
    if isinstance(value.owner, arith.ConstantOp) and isinstance(
        number := value.owner.value, IntegerAttr
    ):
        return number.value.data
    return value


class ExtractSliceSubset(SubsetExtractionOpInterface):
    """`tensor.extract_slice`"""

    def container(self, op: Operation) -> SSAValue:
        return op.operands[0]

    def subset(self, op: Operation) -> Hashable:
        return slice_of(op, first_dynamic=1)


class InsertSliceSubset(SubsetInsertionOpInterface):
    """`tensor.insert_slice` and `tensor.parallel_insert_slice`"""

    def subset(self, op: Operation) -> Hashable:
        return slice_of(op, first_dynamic=2)


# Models for xDSL's ops, by name: so ops that xDSL does not define are served, too.

register_model("tensor.extract_slice", ExtractSliceSubset())
register_model("tensor.insert_slice", InsertSliceSubset())
register_model("tensor.parallel_insert_slice", InsertSliceSubset())
