"""Dense attributes that keep a large splat as one value compute with that value."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from math import prod
from typing import Any

from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr, TensorType, i8

from xdsl_bufferization.dense.elements import (
    LARGE,
    RepeatedBytes,
    element_size,
    repeated,
    size_of,
    splat_element,
)

_Dense = DenseIntOrFPElementsAttr[Any]


def is_broken() -> bool:
    dense = _Dense.from_list(TensorType(i8, [LARGE]), [0])
    return type(dense.data) is BytesAttr and len(dense.data.data) == LARGE


def mend() -> None:
    unchanged_from_list = _Dense.from_list
    unchanged_iter_values = _Dense.iter_values

    def length(self: _Dense) -> int:
        return size_of(self.data) // element_size(self.get_element_type())

    def from_list(type: Any, data: Any) -> _Dense:
        if len(data) != 1 or (count := prod(type.get_shape())) <= 1:
            return unchanged_from_list(type, data)
        one = unchanged_from_list(TensorType(type.get_element_type(), [1]), data)
        data = repeated(one.data.data, count)
        return DenseIntOrFPElementsAttr(type, data)

    def is_splat(self: _Dense) -> bool:
        return splat_element(self) is not None

    def iter_values(self: _Dense) -> Iterator[Any]:
        if isinstance(self.data, RepeatedBytes):
            element = self.get_element_type().unpack(self.data.element, 1)[0]
            return repeat(element, self.data.count)
        return unchanged_iter_values(self)

    for name, function in (
        ("__len__", length),
        ("from_list", staticmethod(from_list)),
        ("is_splat", is_splat),
        ("iter_values", iter_values),
    ):
        setattr(DenseIntOrFPElementsAttr, name, function)
