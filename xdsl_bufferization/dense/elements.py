"""
The bytes of the elements of dense attributes, as xDSL keeps them and as MLIR writes them, and
splats as one value.

Both differ only for integers that are not as wide as a machine word: MLIR packs the
bits of `i1`, and pads others with zeros to whole bytes; xDSL extends them with the sign to a
power of two. xDSL keeps each element of a dense attribute, even of a splat. A large splat here
keeps the bytes of one element; all bytes and all values are made when they are asked for.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    BytesAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute, BuiltinAttribute, Data
from xdsl.parser import AttrParser
from xdsl.printer import Printer

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
    match type:
        case (IntegerType() as integer) | ComplexType(
            element_type=IntegerType() as integer
        ):
            return None if integer.width.data in _WORDS else integer
        case _:
            return None


LARGE = 1024
"""A splat of this many bytes, or more, is kept as one value."""

MAX_COMPARED = 1 << 30
"""
Bytes of the largest splat that is equal to the same bytes kept by xDSL: to hash a splat like
those, all of its bytes are made for a moment.
"""

_Dense = DenseIntOrFPElementsAttr[Any]


class RepeatedBytes(Data[bytes], BuiltinAttribute):
    """
    The bytes of one element, repeated. `data` are all of them, made when asked for.

    It is registered as a `BytesAttr`: xDSL allows no subclass of that.
    """

    name = "bytes"
    element: bytes
    count: int

    def __init__(self, element: bytes, count: int):
        # Attributes are frozen.
        object.__setattr__(self, "element", element)
        object.__setattr__(self, "count", count)

    @property
    def data(self) -> bytes:  # pyright: ignore[reportIncompatibleVariableOverride]
        """All bytes."""
        return self.element * self.count

    # Equal to the same bytes as xDSL keeps them, with the same hash, up to `MAX_COMPARED`.
    def __eq__(self, other: object) -> bool:
        if isinstance(other, RepeatedBytes) and len(self.element) == len(other.element):
            return self.count == other.count and self.element == other.element
        if not isinstance(other, BytesAttr) or len(other.data) != self._size:
            return False
        return self._size <= MAX_COMPARED and self.data == other.data

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        if self._size > MAX_COMPARED:
            return hash((self.element, self.count))
        return hash(BytesAttr(self.data))

    @property
    def _size(self) -> int:
        return len(self.element) * self.count

    def __reduce__(self) -> tuple[type[BytesAttr], tuple[bytes]]:
        return BytesAttr, (self.data,)

    def __repr__(self) -> str:
        return f"RepeatedBytes({self.element!r}, {self.count})"

    def print_builtin(self, printer: Printer) -> None:
        printer.print_bytes_literal(self.data)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> bytes:
        raise NotImplementedError  # It is printed, and read, as a BytesAttr.

    def print_parameter(self, printer: Printer) -> None:
        self.print_builtin(printer)


BytesAttr.register(RepeatedBytes)


def repeated(element: bytes, count: int) -> BytesAttr | RepeatedBytes:
    """The bytes of `count` equal elements."""
    if len(element) * count < LARGE:
        return BytesAttr(element * count)
    return RepeatedBytes(element, count)


def splat_element(dense: _Dense) -> bytes | None:
    """The bytes of the element that all are; `None` if there are different ones, or none."""
    if isinstance(dense.data, RepeatedBytes):
        return dense.data.element
    data, size = dense.data.data, element_size(dense.get_element_type())
    first = data[:size]
    # Most attributes that are no splats differ in the second element.
    if not data or data[size : 2 * size] not in (first, b""):
        return None
    return first if data == first * (len(data) // size) else None


def splat_number(dense: _Dense) -> IntegerAttr | FloatAttr | None:
    """The integer or float that all elements are; `None` if there is none."""
    type = dense.get_element_type()
    if (element := splat_element(dense)) is None:
        return None
    if isinstance(type, AnyFloat):
        return FloatAttr(type.unpack(element, 1)[0], type)
    if isinstance(type, IntegerType):
        return IntegerAttr(type.unpack(element, 1)[0], type)
    return None
