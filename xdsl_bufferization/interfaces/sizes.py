"""
The sizes and `index` values that an op computes, as polynomials over those of its operands.

Unlike `interfaces/reify.py` the answers insert no ops. MLIR's ValueBoundsOpInterface is the
reference; it gives linear constraints, which cannot express the product of two sizes.

Source: https://mlir.llvm.org/docs/Interfaces/
"""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple, TypeAlias

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.registry import OpInterface
from xdsl_bufferization.support.attributes import constant_integer
from xdsl_bufferization.support.polynomials import Polynomial
from xdsl_bufferization.support.shaped_types import (
    is_memref_type,
    is_tensor_type,
    shape_of,
)


class Symbol(NamedTuple):
    """The size of a ranked tensor or memref in a dimension, or an integer value itself."""

    value: SSAValue
    dimension: int | None = None
    """The dimension; `None` for an integer."""


Expression: TypeAlias = Polynomial[Symbol]


class SizesOpInterface(OpInterface):
    """An op that computes sizes, or numbers that may be sizes."""

    @abstractmethod
    def size(
        self, op: Operation, result: OpResult, dimension: int | None
    ) -> Expression | None:
        """
        The size of the result in the dynamic dimension, or the result itself, an integer, if
        `dimension` is `None`; in terms of the op's operands. `None` if it is unknown.

        Arithmetic may be taken not to overflow: what overflows is no size.
        """


def size_of(value: SSAValue, dimension: int) -> Expression | None:
    """The size of the value in the dimension; `None` if it has no such dimension."""
    shape = shape_or_none(value)
    if shape is None or not 0 <= dimension < len(shape):
        return None
    size = shape[dimension]
    if size == DYNAMIC_INDEX:
        return Expression.of(Symbol(value, dimension))
    return Expression.constant(size)


def size_like(symbol: Symbol, value: SSAValue) -> Expression | None:
    """The size of the value in the symbol's dimension, or the integer itself."""
    if symbol.dimension is None:
        return number_of(value)
    return size_of(value, symbol.dimension)


def number_of(value: SSAValue) -> Expression:
    """The integer value."""
    constant = constant_integer(value)
    if constant is None:
        return Expression.of(Symbol(value))
    return Expression.constant(constant)


def shape_or_none(value: SSAValue) -> tuple[int, ...] | None:
    """The shape of a tensor or memref; `None` if it is neither, or has no rank."""
    type = value.type
    return shape_of(type) if is_tensor_type(type) or is_memref_type(type) else None
