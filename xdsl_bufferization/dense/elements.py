"""
The bytes of the elements of dense attributes, as xDSL keeps them and as MLIR writes them.

They differ only for integers that are not as wide as a machine word: MLIR packs the
bits of `i1`, and pads others with zeros to whole bytes; xDSL extends them with the sign to a
power of two.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import ComplexType, IntegerType
from xdsl.ir import Attribute

_WORDS = (8, 16, 32, 64)


def element_size(type: Attribute) -> int:
    """The bytes that xDSL has for an element of the type."""
    return cast("IntegerType", type).compile_time_size


def is_packed(type: Attribute) -> bool:
    """Whether MLIR writes elements of the type as other bytes than those that xDSL keeps."""
    return _padded_integer(type) is not None


def read_bytes(data: bytes, type: Attribute, count: int) -> bytes | None:
    """
    The bytes that xDSL has for what MLIR writes as `data`: `count` elements, or one
    that stands for all. What xDSL writes is read, too, where the number of bytes tells the two
    apart. `None` if the number of bytes is wrong.
    """
    if (integer := _padded_integer(type)) is None:
        size = element_size(type)
        return data if len(data) in (size, size * count) else None
    width = integer.width.data
    parts = 1 if type == integer else 2
    if parts == 1 and width == 1:
        if data in (b"\0", b"\xff"):
            bits = [data[0] & 1]
        elif len(data) == (count + 7) // 8:
            bits = [data[i // 8] >> i % 8 & 1 for i in range(count)]
        elif len(data) == count:
            return data
        else:
            return None
        return integer.pack([integer.get_normalized_value(bit) for bit in bits])
    size = (width + 7) // 8
    if len(data) not in (size * parts, size * parts * count):
        return None
    numbers = [
        int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)
    ]
    return integer.pack([integer.get_normalized_value(number) for number in numbers])


def _padded_integer(type: Attribute) -> IntegerType | None:
    """The integers that elements are or consist of, if MLIR writes them in another way."""
    if isinstance(type, ComplexType):
        type = cast("ComplexType[IntegerType]", type).element_type
    if not isinstance(type, IntegerType):
        return None
    integer = cast("IntegerType", type)
    return None if integer.width.data in _WORDS else integer
