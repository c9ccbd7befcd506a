"""
The sizes of an op's results as values.

Source: MLIR's ReifyRankedShapedTypeOpInterface, https://mlir.llvm.org/docs/Interfaces/
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeAlias

from xdsl.builder import Builder
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    MemRefType,
    TensorType,
)
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.host.releases import memref_dim
from xdsl_bufferization.interfaces.registry import OpInterface

Size: TypeAlias = SSAValue | int
"""How many elements a dimension has: a number if known, else a value of type `index`."""


class ReifyRankedShapedTypeOpInterface(OpInterface):
    """An op whose operands determine the sizes of its ranked results."""

    @abstractmethod
    def reify(self, op: Operation, builder: Builder) -> Sequence[Sequence[Size]]:
        """
        The sizes of the dimensions of each tensor or memref among the results, without a
        use of the results.

        Inserts ops if need be, where the builder is: the operands of `op` have to be
        available there.
        MLIR: `reifyResultShapes`.
        """


def as_value(size: Size, builder: Builder) -> SSAValue:
    """The size as a value: a constant is inserted for a number."""
    if isinstance(size, SSAValue):
        return size
    return builder.insert(arith.ConstantOp(IntegerAttr(size, IndexType()))).result


def sizes_of(value: SSAValue, builder: Builder) -> Sequence[Size]:
    """
    The sizes of a ranked tensor or memref; ops that compute them are inserted if need be.

    Raises `ValueError` if it is neither.
    """
    type = value.type
    if not isinstance(type, TensorType | MemRefType):
        raise ValueError(f"expected a ranked tensor or memref, got {type}")
    shape = type.get_shape()
    dim_op = tensor.DimOp if isinstance(value.type, TensorType) else memref_dim
    sizes: list[Size] = []
    for index, size in enumerate(shape):
        if size == DYNAMIC_INDEX:
            dim = dim_op(value, as_value(index, builder))
            sizes.append(builder.insert(dim).result)
        else:
            sizes.append(size)
    return sizes
