"""
The bytes of the elements of dense attributes, as xDSL keeps them and as MLIR writes them,
splats as one value, and long hex strings as the text that was read.

Both differ only for integers that are not as wide as a machine word: MLIR packs the
bits of `i1`, and pads others with zeros to whole bytes; xDSL extends them with the sign to a
power of two. xDSL keeps each element of a dense attribute, even of a splat. A large splat here
keeps the bytes of one element, and a long hex string its place in the text; all bytes and all
values are made when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
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
"""A splat of this many bytes, or more, is kept as one value, and a hex string as its text."""

MAX_COMPARED = 1 << 30
"""
Bytes of the largest splat that is equal to the same bytes kept by xDSL: to hash a splat like
those, all of its bytes are made for a moment.
"""

_Dense = DenseIntOrFPElementsAttr[Any]


class _LazyBytes(Data[bytes], BuiltinAttribute):
    """
    Bytes that `data` makes each time they are asked for.

    Subclasses are registered as a `BytesAttr`: xDSL allows no subclass of that. They are equal to
    the same bytes as xDSL keeps them, with the same hash, up to `MAX_COMPARED`.
    """

    name = "bytes"
    size: int

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BytesAttr) or size_of(other) != self.size:
            return False
        return self.size <= MAX_COMPARED and self.data == other.data

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(BytesAttr(self.data))

    def __reduce__(self) -> tuple[type[BytesAttr], tuple[bytes]]:
        return BytesAttr, (self.data,)

    def print_builtin(self, printer: Printer) -> None:
        printer.print_bytes_literal(self.data)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> bytes:
        raise NotImplementedError  # It is printed, and read, as a BytesAttr.

    def print_parameter(self, printer: Printer) -> None:
        self.print_builtin(printer)


class RepeatedBytes(_LazyBytes):
    """The bytes of one element, repeated."""

    element: bytes
    count: int

    def __init__(self, element: bytes, count: int):
        # Attributes are frozen.
        vars(self).update(element=element, count=count, size=len(element) * count)
        if self.size > MAX_COMPARED:
            vars(self).update(_hash=hash((element, count)))

    @property
    def data(self) -> bytes:  # pyright: ignore[reportIncompatibleVariableOverride]
        """All bytes."""
        return self.element * self.count

    def __eq__(self, other: object) -> bool:
        if isinstance(other, RepeatedBytes) and len(self.element) == len(other.element):
            return self.count == other.count and self.element == other.element
        return super().__eq__(other)

    __hash__ = _LazyBytes.__hash__

    def __repr__(self) -> str:
        return f"RepeatedBytes({self.element!r}, {self.count})"


class HexBytes(_LazyBytes):
    """The bytes of a hex string, which is kept as a place in the text that it was read from."""

    _text: str
    _start: int

    def __init__(self, text: str, start: int, data: bytes):
        """The digits start at `start`, and stand for `data`, which is not kept."""
        hashed = hash(BytesAttr(data))
        vars(self).update(_text=text, _start=start, size=len(data), _hash=hashed)

    @property
    def data(self) -> bytes:  # pyright: ignore[reportIncompatibleVariableOverride]
        """All bytes."""
        return b"".join(map(bytes.fromhex, self.digits()))

    def digits(self) -> Iterator[str]:
        """The digits, in parts that need little memory."""
        end = self._start + 2 * self.size
        for start in range(self._start, end, _PART):
            yield self._text[start : min(start + _PART, end)]


_PART = 1 << 20
"""An even number of hex digits."""

BytesAttr.register(RepeatedBytes)
BytesAttr.register(HexBytes)


def size_of(data: BytesAttr) -> int:
    """The number of bytes."""
    return data.size if isinstance(data, _LazyBytes) else len(data.data)


def repeated(element: bytes, count: int) -> BytesAttr | RepeatedBytes:
    """The bytes of `count` equal elements."""
    if len(element) * count < LARGE:
        return BytesAttr(element * count)
    return RepeatedBytes(element, count)


def splat_element(dense: _Dense) -> bytes | None:
    """The bytes of the element that all are; `None` if there are different ones, or none."""
    if isinstance(dense.data, RepeatedBytes):
        return dense.data.element
    if isinstance(dense.data, HexBytes):
        return None  # A splat is read as `RepeatedBytes`.
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
