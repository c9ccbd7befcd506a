"""
The sizes of elements in memory, by the default data layout.

Source: https://mlir.llvm.org/docs/DataLayout/#default-implementation
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    FixedBitwidthType,
    IndexType,
    VectorType,
)
from xdsl.ir import Attribute

INDEX_BITS = 64


def size_in_bits(type: Attribute) -> int | None:
    """
    The number of bits of a value of the type; the innermost dimension of vectors is padded
    to a power of two. `None` if it is unknown, such as for a memref.
    """
    if isinstance(type, IndexType):
        return INDEX_BITS
    if isinstance(type, FixedBitwidthType):
        return type.bitwidth
    return _of_parts(type, size_in_bits)


def stride_in_bytes(type: Attribute) -> int | None:
    """
    The number of bytes between neighbouring elements of the type in a memref, for numbers a
    power of two; `None` if it is unknown.
    """
    if isinstance(type, IndexType | FixedBitwidthType):
        bits = size_in_bits(type)
        return None if bits is None else _power_of_two(-(-bits // 8))
    return _of_parts(type, stride_in_bytes)


def _of_parts(
    type: Attribute, size_of: Callable[[Attribute], int | None]
) -> int | None:
    """The size of a complex or vector type, computed from that of its elements."""
    if isinstance(type, ComplexType):
        part = size_of(cast("ComplexType[AnyFloat]", type).element_type)
        return None if part is None else 2 * part
    if isinstance(type, VectorType):
        vector = cast("VectorType[Attribute]", type)
        if not any(vector.get_scalable_dims()):
            element = size_of(vector.element_type)
            *outer, inner = vector.get_shape() or (1,)
            number = math.prod(outer) * _power_of_two(inner)
            return None if element is None else number * element
    return None


def _power_of_two(number: int) -> int:
    """The smallest power of two that is not less than the number."""
    return 1 << max(number - 1, 0).bit_length()
