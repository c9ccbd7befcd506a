"""
Offsets, sizes and strides of slices whose dimensions are put in another order.

    [%i, 0] [1, 4] [1, 1]    // in the order [1, 0]: [0, %i] [4, 1] [1, 1]

Sizes are numbers where they are constants of the op, and values otherwise. Time in proportion to
the rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IntegerType, i64
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.reify import Size
from xdsl_bufferization.support.attributes import integers

_T = TypeVar("_T")


def permuted(values: Sequence[_T], order: Sequence[int]) -> list[_T]:
    """By dimension of a tensor, given those that they are in another one: the values there."""
    return [values[dimension] for dimension in order]


def mixed_sizes(
    op: Operation, name: str, dynamic: Sequence[SSAValue]
) -> Sequence[Size]:
    """The numbers of a property of the op, and the operands where it has none."""
    values = iter(dynamic)
    return [
        next(values) if number == DYNAMIC_INDEX else number
        for number in integers(op, name)
    ]


def static_sizes(sizes: Sequence[Size]) -> DenseArrayBase[IntegerType]:
    """The property for these sizes."""
    return DenseArrayBase.from_list(
        i64, [size if isinstance(size, int) else DYNAMIC_INDEX for size in sizes]
    )


def dynamic_sizes(sizes: Sequence[Size]) -> Sequence[SSAValue]:
    """The operands for these sizes."""
    return [size for size in sizes if isinstance(size, SSAValue)]
