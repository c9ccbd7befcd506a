"""
Splats as one value.

xDSL keeps each element of a dense attribute, those of a splat too. A large one here keeps
the bytes of one element; whoever asks for all bytes or all values gets them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr, TensorType, i8
from xdsl.ir import Attribute, BuiltinAttribute, Data
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from xdsl_bufferization.repairs.elements import element_size

_LARGE = 1024
"""From how many bytes on a splat is kept as one value."""

_Dense = DenseIntOrFPElementsAttr[Any]


class RepeatedBytes(Data[bytes], BuiltinAttribute):
    """
    The bytes of one element, repeated. `data` are all of them, made when asked for.

    It counts as a `BytesAttr`, of which xDSL allows no subclass.
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

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, RepeatedBytes)
            and self.count == other.count
            and self.element == other.element
        )

    def __hash__(self) -> int:
        return hash((self.element, self.count))

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
    if len(element) * count < _LARGE:
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


def is_broken() -> bool:
    dense = _Dense.from_list(cast(Any, TensorType(i8, [_LARGE])), [0])
    return type(dense.data) is BytesAttr and len(dense.data.data) == _LARGE


def mend() -> None:
    unchanged_from_list = _Dense.from_list
    unchanged_iter_values = _Dense.iter_values

    def post_init(self: _Dense) -> None:
        """Whoever makes a large splat, it is kept as one value, so that equal ones are."""
        if not isinstance(self.data, RepeatedBytes) and len(self.data.data) >= _LARGE:
            element = splat_element(self)
            if element is not None:
                count = len(self.data.data) // len(element)
                object.__setattr__(self, "data", RepeatedBytes(element, count))
        Attribute.__post_init__(self)

    def length(self: _Dense) -> int:
        if isinstance(self.data, RepeatedBytes):
            return self.data.count
        return len(self.data.data) // element_size(self.get_element_type())

    def from_list(type: Any, data: Any) -> _Dense:
        if len(data) != 1 or (count := prod(type.get_shape())) <= 1:
            return unchanged_from_list(type, data)
        one = unchanged_from_list(TensorType(type.get_element_type(), [1]), data)
        data = cast(BytesAttr, repeated(one.data.data, count))
        return DenseIntOrFPElementsAttr(type, data)

    def is_splat(self: _Dense) -> bool:
        return splat_element(self) is not None

    def iter_values(self: _Dense) -> Iterator[Any]:
        if isinstance(self.data, RepeatedBytes):
            element = self.get_element_type().unpack(self.data.element, 1)[0]
            return repeat(element, self.data.count)
        return unchanged_iter_values(self)

    for name, function in (
        ("__post_init__", post_init),
        ("__len__", length),
        ("from_list", staticmethod(from_list)),
        ("is_splat", is_splat),
        ("iter_values", iter_values),
    ):
        setattr(DenseIntOrFPElementsAttr, name, function)
