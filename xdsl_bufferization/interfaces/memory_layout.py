"""
How much memory a memref with a layout takes.

The layouts of the builtin dialect are strided ones and affine maps. A map with several results
gives an index in memory of as many dimensions, without a layout, as `normalize-memrefs` of MLIR
makes it. Layouts of other dialects tell it themselves, or a map of their own does.

Source: https://mlir.llvm.org/docs/Dialects/Builtin/#memreftype

How types and other attributes of any dialect answer the questions of an interface.

A class of attributes may be derived from the interface. For someone else's class, a class of
*models* is registered, whose objects are made of an attribute and answer for it. Packages
register them in the functions of the entry-point group `xdsl_bufferization.models`, as they do
models of ops: an attribute's dialect is the first part of its name.

Source: MLIR's attribute and type interfaces, https://mlir.llvm.org/docs/Interfaces/
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Self, TypeAlias, cast

from typing_extensions import TypeVar
from xdsl.dialects.builtin import MemRefType, NoneAttr
from xdsl.ir import Attribute, Dialect
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from xdsl_bufferization.host.releases import offset_of, strides_of
from xdsl_bufferization.interfaces.registry import load_models

AttributeT = TypeVar("AttributeT", bound=Attribute)

_models: dict[tuple[type, type[Attribute]], Callable[[Any], object]] = {}
"""
By interface and class of attributes. It is not in the classes of interfaces, as xDSL would take
it for a parameter of the attributes.
"""


class AttributeInterface:
    """
    Base of the interfaces: `Interface.of(attribute)` is what answers for the attribute, or
    `None`.
    """

    @classmethod
    def of(cls, attribute: Attribute) -> Self | None:
        """The implementation for the attribute; `None` if it does not have this interface."""
        if isinstance(attribute, cls):
            return attribute
        if "." in attribute.name:
            load_models(Dialect.split_name(attribute.name)[0])
        model = _models.get((cls, type(attribute)))
        return None if model is None else cast(Self, model(attribute))

    @classmethod
    def register(
        cls, kind: type[AttributeT], model: Callable[[AttributeT], Self]
    ) -> None:
        """Let `model(attribute)` answer for attributes of the class."""
        _models[cls, kind] = model


Range: TypeAlias = tuple[int, int]
"""The least and the greatest value."""


class MemoryLayout(AttributeInterface, ABC):
    """A layout of memrefs that tells how much memory it takes."""

    @abstractmethod
    def extent(self, shape: Sequence[int]) -> int | None:
        """
        The number of elements from the start of the memory to its end, for a memref of that
        static shape, gaps of the layout included; `None` if it is not known.
        """


def extent_of(type: MemRefType[Attribute]) -> int | None:
    """
    The number of elements from the start of the memory to the end of a memref of the type,
    the offset and gaps of its layout included; `None` if it is unknown.
    """
    shape = type.get_shape()
    if not type.has_static_shape():
        return None
    layout = type.layout
    if isinstance(layout, NoneAttr):
        return math.prod(shape)
    if (model := MemoryLayout.of(layout)) is not None:
        return model.extent(shape)
    strides, offset = strides_of(type), offset_of(type)
    if strides is not None and offset is not None and len(strides) == len(shape):
        return _strided_extent(shape, strides, offset)
    return _extent_of_map(layout.get_affine_map(), shape)


def flat_type_of(type: MemRefType[Attribute]) -> MemRefType[Attribute]:
    """The memory of one dimension that a memref of a type of known extent is a view of."""
    extent = extent_of(type)
    assert extent is not None
    return MemRefType(type.element_type, [extent], memory_space=type.memory_space)


def _strided_extent(
    shape: Sequence[int], strides: Sequence[int | None], offset: int
) -> int | None:
    if 0 in shape:
        return offset
    first = last = offset
    for size, stride in zip(shape, strides, strict=True):
        if stride is None:
            return None
        first += min(0, (size - 1) * stride)
        last += max(0, (size - 1) * stride)
    return None if first < 0 else last + 1


def _extent_of_map(map: AffineMap, shape: Sequence[int]) -> int | None:
    if map.num_symbols or map.num_dims != len(shape):
        return None
    if 0 in shape:
        return 0
    indices = [(0, size - 1) for size in shape]
    ranges = [_range(result, indices) for result in map.results]
    if any(found is None or found[0] < 0 for found in ranges):
        return None
    return math.prod(found[1] + 1 for found in ranges if found is not None)


def _range(expr: AffineExpr, indices: Sequence[Range]) -> Range | None:
    """
    Between which numbers the value of the expression is, for indices within these; `None` if
    that is not known.
    """
    match expr:
        case AffineConstantExpr(value):
            return value, value
        case AffineDimExpr(position):
            return indices[position]
        case AffineBinaryOpExpr(kind, lhs, rhs):
            a, b = _range(lhs, indices), _range(rhs, indices)
            return None if a is None or b is None else _combined(kind, a, b)
        case _:
            return None


def _combined(kind: AffineBinaryOpKind, a: Range, b: Range) -> Range | None:
    if kind is AffineBinaryOpKind.Add:
        return a[0] + b[0], a[1] + b[1]
    if kind is AffineBinaryOpKind.Mul:
        products = [x * y for x in a for y in b]
        return min(products), max(products)
    divisor, other = b
    if divisor != other or divisor <= 0:
        return None
    match kind:
        case AffineBinaryOpKind.FloorDiv:
            return a[0] // divisor, a[1] // divisor
        case AffineBinaryOpKind.CeilDiv:
            return -(-a[0] // divisor), -(-a[1] // divisor)
        case AffineBinaryOpKind.Mod:
            same = a[0] // divisor == a[1] // divisor
            return (a[0] % divisor, a[1] % divisor) if same else (0, divisor - 1)
