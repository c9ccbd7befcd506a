"""
Run-time values in NumPy.

A tensor or a vector is an array, which is never changed; a memref is a `MemRef`; a scalar
is a NumPy scalar of the type's `dtype_of`, an index one of `int64`. Inside the body of an
op that is run element-wise, an array over the iteration space stands for a scalar, so
functions of scalars have to work on arrays of them too, as NumPy's functions do.

Integers are signed numbers of the next larger width that NumPy has, within the range of
their own width; `i1` is `bool`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ComplexType,
    Float32Type,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ShapedType,
    VectorType,
)
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineExpr

from xdsl_bufferization.semantics.errors import MissingSemanticsError
from xdsl_bufferization.support.attributes import attribute, integers
from xdsl_bufferization.support.data_layout import DataLayout
from xdsl_bufferization.support.shaped_types import element_type as element_type
from xdsl_bufferization.support.shaped_types import is_memref_type

Array: TypeAlias = npt.NDArray[Any]
Value: TypeAlias = Any
"""An `Array`, a `MemRef`, or a NumPy scalar."""

_FLOATS: dict[str, npt.DTypeLike] = {
    "bf16": ml_dtypes.bfloat16,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "f8E3M4": ml_dtypes.float8_e3m4,
    "f8E4M3": ml_dtypes.float8_e4m3,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
}
INDEX = np.dtype(np.int64)
VECTOR = "vector"
"""The field of an element in memory that is a vector."""
MEMREF = "memref"
"""The field of an element in memory that is a memref: the number by which memory knows it."""


@cache
def dtype_of(element: Attribute) -> np.dtype[Any]:
    """
    The NumPy type of such elements, which has the layout in memory that MLIR gives them on
    x86-64. Raises `MissingSemanticsError` if NumPy has none.
    """
    match element:
        case IndexType():
            return INDEX
        case IntegerType() if element.bitwidth == 1:
            return np.dtype(np.bool_)
        case IntegerType() if element.bitwidth <= 64:
            width = max(8, 1 << (element.bitwidth - 1).bit_length())
            return np.dtype(f"i{width // 8}")
        case ComplexType():
            part = dtype_of(element.element_type)
            if part == np.float32:
                return np.dtype(np.complex64)
            if part == np.float64:
                return np.dtype(np.complex128)
        case _:
            # A type that no dialect defines is only known by its text.
            if (float_type := _FLOATS.get(str(element).lstrip("!"))) is not None:
                return np.dtype(float_type)
    raise MissingSemanticsError(f"there is no NumPy type for elements of '{element}'")


def memory_dtype_of(element: Attribute) -> np.dtype[Any]:
    """
    The NumPy type of such elements of memrefs and tensors. A vector has its numbers in one field;
    a memref is represented by a number.
    """
    if is_memref_type(element):
        return np.dtype(
            {"names": [MEMREF], "formats": [INDEX], "itemsize": _descriptor(element)}
        )
    if not isinstance(element, VectorType):
        return dtype_of(element)
    numbers = np.dtype((dtype_of(element.element_type), element.get_shape()))
    size = DataLayout().stride_in_bytes(element)
    if size is None:
        raise MissingSemanticsError(f"the size of '{element}' is not known")
    return np.dtype({"names": [VECTOR], "formats": [numbers], "itemsize": size})


def _descriptor(type: Attribute) -> int:
    """
    The bytes of a memref in memory: two pointers, the offset, sizes and strides; or the rank
    and a pointer to these.
    """
    if not isinstance(type, MemRefType):
        return 2 * INDEX.itemsize
    rank = type.get_num_dims()
    return (3 + 2 * rank) * INDEX.itemsize


def numbers_of(elements: Value) -> Value:
    """
    An element, or elements, with vectors as arrays of numbers, and memrefs as the numbers by
    which memory knows them.
    """
    names = elements.dtype.names
    return elements[names[0]] if names else elements


def wrap(type: Attribute, value: Value) -> Value:
    """
    The number, or the array of numbers, as a value of the (element) type: integers modulo
    2^width, signed.
    """
    if value.__class__ is np.float32 and isinstance(type, Float32Type):
        return value  # The common case in loops, made fast.
    element = element_type(type)
    dtype = dtype_of(element)
    array = np.asarray(value)
    if isinstance(element, IntegerType) and (width := element.bitwidth) != 1:
        array = array.astype(dtype, copy=False)
        if unused := 8 * dtype.itemsize - width:
            array = (array << unused) >> unused
    elif dtype == np.bool_ and array.dtype != np.bool_:
        array = (array & 1).astype(np.bool_)
    else:
        array = array.astype(dtype, copy=False)
    return array[()] if element is type and not array.ndim else array


def unsigned(type: Attribute, value: Value) -> Value:
    """The integer, or array of integers, of the type as unsigned 64-bit numbers."""
    element = element_type(type)
    width = element.bitwidth if isinstance(element, IntegerType) else 64
    bits = np.asarray(value).astype(np.int64).astype(np.uint64)
    if width < 64:
        bits = bits & np.uint64((1 << width) - 1)
    return bits if bits.ndim else bits[()]


# Attributes, operands and shapes ---------------------------------------------------------


def integer(op: Operation, name: str) -> int:
    """The integer attribute. Raises `MissingSemanticsError` if there is none."""
    found = attribute(op, name)
    if not isinstance(found, IntegerAttr):
        raise MissingSemanticsError(f"has no integer '{name}'")
    return found.value.data


def segments(op: Operation, values: Sequence[Value]) -> list[Sequence[Value]]:
    """The values of the operands, split into groups by `operandSegmentSizes`."""
    groups: list[Sequence[Value]] = []
    start = 0
    for size in integers(op, "operandSegmentSizes"):
        groups.append(values[start : start + size])
        start += size
    if start != len(values) or not groups:
        raise MissingSemanticsError(
            "has operands that 'operandSegmentSizes' does not tell apart"
        )
    return groups


def mixed(static: Sequence[int], dynamic: Sequence[Value]) -> tuple[int, ...]:
    """The static values, with a dynamic one for each `DYNAMIC_INDEX`."""
    if len(dynamic) != static.count(DYNAMIC_INDEX):
        raise MissingSemanticsError(
            f"{len(dynamic)} dynamic values for {static.count(DYNAMIC_INDEX)}"
        )
    values = iter(dynamic)
    return tuple(
        int(next(values)) if value == DYNAMIC_INDEX else value for value in static
    )


def shape_of(type: Attribute, sizes: Sequence[Value] = ()) -> tuple[int, ...]:
    """The shape of the type, with the given sizes for its dynamic dimensions."""
    if not isinstance(type, ShapedType):
        raise MissingSemanticsError(f"'{type}' has no shape")
    return mixed(type.get_shape(), sizes)


@cache
def linear(
    expression: AffineExpr, dimensions: int, symbols: tuple[int, ...] = ()
) -> tuple[Sequence[int], int] | None:
    """The factor of each dimension, and the constant; `None` if the expression is not linear."""
    for part in expression.dfs():
        if isinstance(part, AffineBinaryOpExpr) and not (
            part.kind is AffineBinaryOpKind.Add
            or (
                part.kind is AffineBinaryOpKind.Mul
                and not (part.lhs.used_dims() and part.rhs.used_dims())
            )
        ):
            return None
    constant = expression.eval([0] * dimensions, symbols)
    units = [[int(i == d) for i in range(dimensions)] for d in range(dimensions)]
    return [expression.eval(unit, symbols) - constant for unit in units], constant


def misplaced(indices: Sequence[Value], shape: Sequence[int]) -> str:
    """
    Why there are no elements at the indices, which may be arrays, of something of the shape; empty
    if there are.
    """
    if len(indices) != len(shape):
        return f"{len(indices)} indices of {len(shape)} dimensions"
    for index, size in zip(indices, shape, strict=True):
        if isinstance(index, np.ndarray):
            inside = bool(((index >= 0) & (index < size)).all())
        else:
            inside = 0 <= index < size
        if not inside:
            shown = [np.asarray(index).tolist() for index in indices]
            return f"indices {shown} are out of the bounds of shape {list(shape)}"
    return ""
