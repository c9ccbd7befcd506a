"""
Run-time values in NumPy.

A tensor or a vector is an array, which is never changed; a memref is a `MemRef`; a scalar
is a NumPy scalar of the type's `dtype_of`, an index one of `int64`. Inside the body of an
op that is run element-wise, an array over the iteration space stands for a scalar, so
functions of scalars have to work on arrays of them too, as NumPy's functions do.

Integers are signed numbers of the next larger width that NumPy has, within the range of
their own width; `i1` is `bool`.

Buffers, which are blocks of memory, and memrefs, which are strided views of buffers; the layouts of
memref types, offset and strides; and whether a memref has the layout of a type.

Source: https://mlir.llvm.org/docs/Dialects/Builtin/#layout
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, cached_property
from math import prod
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ComplexType,
    Float32Type,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    ShapedType,
    UnrankedMemRefType,
    VectorType,
)
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import (
    AffineMap,
)

from xdsl_bufferization.semantics.errors import (
    MemoryFault,
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.support.attributes import attribute, integers
from xdsl_bufferization.support.data_layout import DataLayout
from xdsl_bufferization.support.memref_types import (
    linear_factors,
    strides_and_offset,
)
from xdsl_bufferization.support.shaped_types import (
    are_shapes_compatible,
    is_memref_type,
    ranked_memref,
)
from xdsl_bufferization.support.shaped_types import element_type as element_type

Array: TypeAlias = npt.NDArray[Any]
Value: TypeAlias = Any
"""An `Array`, a `MemRef`, or a NumPy scalar."""

Binary: TypeAlias = Callable[[Value, Value], Value]
"""A function of two numbers, or of arrays of them."""

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
def dtype_of(type: Attribute) -> np.dtype[Any]:
    """
    The NumPy type of a scalar, or of the elements of the type, which has the layout in memory
    that MLIR gives them on x86-64. Raises `MissingSemanticsError` if NumPy has none.
    """
    element = element_type(type)
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


def result_type(op: Operation) -> Attribute:
    """The type of the op's first result."""
    return op.results[0].type


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
def linear_form(
    map: AffineMap, symbols: tuple[int, ...] = ()
) -> tuple[Sequence[int], Sequence[Sequence[int]]] | None:
    """
    The results of a linear map at the origin, and by dimension by how much they grow with it;
    `None` for another map.
    """
    dimensions = map.num_dims
    if any(linear_factors(result, dimensions) is None for result in map.results):
        return None
    origin = map.eval([0] * dimensions, symbols)
    units: list[list[int]] = np.eye(dimensions, dtype=int).tolist()
    return origin, [
        [b - a for a, b in zip(origin, map.eval(unit, symbols), strict=True)]
        for unit in units
    ]


def dot(a: Sequence[int], b: Sequence[int]) -> int:
    """The sum of the products."""
    return sum(x * y for x, y in zip(a, b, strict=True))


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


class Kind(Enum):
    """Where memory comes from, which decides who frees it."""

    HEAP = "heap"
    STACK = "stack"
    GLOBAL = "global"
    ARGUMENT = "argument"
    """Owned and freed by the caller."""
    TENSOR = "tensor"
    """Made for a tensor, and never freed."""


@dataclass(eq=False)
class Buffer:
    """A block of memory."""

    data: Array
    """Its bytes, an array of one dimension."""
    kind: Kind
    address: int
    allocated_by: Operation | None
    freed_by: Operation | None = None
    alive: bool = True
    alignment: int | None = None
    """In bytes, what its address is known to be a multiple of; `None`: whatever is needed."""
    read_only: str = ""
    """Why it must not be written; empty if it may be."""
    writers: Array | None = None
    """For each byte the number of its last writer, 0 for none, if that is recorded."""
    unspecified: Array | None = None
    """Which bytes have unspecified contents, besides uninitialised ones; `None`: none."""

    @property
    def origin(self) -> list[tuple[str, Operation | None]]:
        """The op that allocated it, as errors say it."""
        return [("allocated by", self.allocated_by)]

    def __post_init__(self) -> None:
        self.clones: list[tuple[MemRef, Buffer, Operation]] = []
        """
        The clones of parts of this buffer, and what a part is a clone of, each with the op. While
        both are alive neither may be written, since they may be the same memory.
        """


@dataclass(frozen=True, eq=False)
class MemRef:
    """
    A strided view of a buffer. Offset and strides count elements, from `shift` bytes on.
    """

    buffer: Buffer
    dtype: np.dtype[Any]
    offset: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    shift: int = 0
    is_part: bool = False
    """Whether it is a view of a part of a memref, and so cannot be freed."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes, by the name that arrays have for theirs."""
        return self.sizes

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.sizes)

    @property
    def nbytes(self) -> int:
        """The bytes of all elements together."""
        return self.size * self.dtype.itemsize

    @property
    def aligned_pointer(self) -> int:
        """The address that offsets count from."""
        return self.buffer.address + self.shift

    def extent(self) -> tuple[int, int]:
        """The range of bytes of the buffer, `(first, end)`, that the elements lie in."""
        if not self.size:
            return 0, 0
        reach = [
            (size - 1) * stride
            for size, stride in zip(self.sizes, self.strides, strict=True)
        ]
        first = self.offset + sum(r for r in reach if r < 0)
        last = self.offset + sum(r for r in reach if r > 0)
        itemsize = self.dtype.itemsize
        return self.shift + first * itemsize, self.shift + (last + 1) * itemsize

    def overlaps(self, other: MemRef) -> bool:
        """Whether the ranges of bytes of the two memrefs intersect."""
        if self.buffer is not other.buffer or not self.size or not other.size:
            return False
        (first, end), (other_first, other_end) = self.extent(), other.extent()
        return first < other_end and other_first < end

    def is_same_view(self, other: MemRef) -> bool:
        """Whether the memrefs are equivalent: same elements at the same indices."""
        return self.buffer is other.buffer and self.layout == other.layout

    @property
    def layout(self) -> tuple[object, ...]:
        """A key that is equal for memrefs whose elements have the same offsets in bytes."""
        # The stride of a dimension of size 1 does not matter.
        strides = [
            stride if size > 1 else 0
            for size, stride in zip(self.sizes, self.strides, strict=True)
        ]
        return self.dtype, self.offset, self.sizes, tuple(strides), self.shift

    def per_element(self, per_byte: Array, dtype: Any = None) -> Array:
        """
        For each element, the entry for its first byte of an array over the buffer's bytes; as
        elements of the type `dtype`, if there is one.
        """
        itemsize, width = self.dtype.itemsize, per_byte.itemsize
        return np.ndarray(
            self.sizes,
            per_byte.dtype if dtype is None else dtype,
            per_byte.data,
            width * (self.shift + self.offset * itemsize) if self.size else 0,
            [width * stride * itemsize for stride in self.strides],
        )

    def view(self) -> Array:
        """The elements as an array in the buffer. Raises `MemoryFault` if out of bounds."""
        # Nothing is left of a buffer that has been freed.
        return self._view if self.buffer.alive else self._make_view()

    @cached_property
    def _view(self) -> Array:
        return self._make_view()

    def _make_view(self) -> Array:
        first, end = self.extent()
        if first < 0 or end > self.buffer.data.size:
            raise MemoryFault(
                f"bytes {first} to {end} of a buffer of {self.buffer.data.size} bytes "
                "are out of its bounds",
                related=self.buffer.origin,
            )
        return self.per_element(self.buffer.data, self.dtype)


def contiguous_strides(sizes: Sequence[int]) -> tuple[int, ...]:
    """The strides, in elements, of the identity layout."""
    strides: list[int] = []
    stride = 1
    for size in reversed(sizes):
        strides.append(stride)
        stride *= size
    return tuple(reversed(strides))


def has_type(memref: MemRef, type: Attribute) -> MemRef:
    """
    The memref, checked: raises `UndefinedBehaviorError` if element type, sizes, offset or
    strides differ from the type. Strides of dimensions of size 1 do not matter.
    """
    if memref.dtype != memory_dtype_of(element_type(type)):
        raise UndefinedBehaviorError(f"a memref of {memref.dtype} is no '{type}'")
    if isinstance(type, UnrankedMemRefType):
        return memref
    ranked = ranked_memref(type)
    if not are_shapes_compatible(memref.sizes, ranked.get_shape()):
        raise UndefinedBehaviorError(
            f"a memref of sizes {list(memref.sizes)} is no '{type}'"
        )
    if not memref.size:
        return memref
    offset, strides = _known_layout(ranked, memref.sizes)
    if offset not in (memref.offset, None) or any(
        size > 1 and want not in (have, None)
        for size, have, want in zip(memref.sizes, memref.strides, strides, strict=True)
    ):
        raise UndefinedBehaviorError(
            f"a memref of sizes {list(memref.sizes)} with offset {memref.offset} and "
            f"strides {list(memref.strides)} is no '{type}'"
        )
    return memref


def layout_of(
    type: Attribute,
    sizes: Sequence[int],
    symbols: Sequence[Value] = (),
    *,
    gaps: bool = False,
) -> tuple[int, tuple[int, ...]]:
    """
    Offset and strides for new memory of the type; `symbols` are the values of its layout's. Where
    a ranked type leaves them open, the elements are contiguous or, with `gaps`, unused memory
    precedes the first element and lies between the others. Raises `UndefinedBehaviorError` for
    sizes of another rank.
    """
    if not isinstance(type, MemRefType):
        return 0, contiguous_strides(sizes)
    if len(sizes) != type.get_num_dims():
        raise UndefinedBehaviorError(f"{list(sizes)} are no sizes of a '{type}'")
    known_offset, known_strides = _known_layout(type, sizes, symbols)
    strides: list[int] = []
    span = 0
    for size, known in zip(reversed(sizes), reversed(known_strides), strict=True):
        stride = known
        if stride is None:
            stride = span + 1 + gaps
        strides.append(stride)
        span += max(size - 1, 0) * abs(stride)
    offset = 3 * gaps if known_offset is None else known_offset
    return offset, tuple(reversed(strides))


def _known_layout(
    type: MemRefType[Attribute], sizes: Sequence[int], symbols: Sequence[Value] = ()
) -> tuple[int | None, Sequence[int | None]]:
    """Offset and strides of a memref of the type and sizes; `None` where left open."""
    match type.layout:
        case NoneAttr():
            return 0, contiguous_strides(sizes)
        case AffineMapAttr(data=map) if map.num_symbols == len(symbols) and (
            form := linear_form(map, tuple([int(symbol) for symbol in symbols]))
        ):
            origin, growth = form
            # To indices of row-major memory as large as the last element makes it.
            last = map.eval([size - 1 for size in sizes], symbols)
            steps = contiguous_strides([index + 1 for index in last])
            return dot(origin, steps), [dot(more, steps) for more in growth]
        case _:
            strides, offset = strides_and_offset(type)
            given = (int(symbol) for symbol in symbols)
            offset, *strides = (
                next(given, None) if number is None else number
                for number in (offset, *strides)
            )
            return offset, strides


def subview(
    memref: MemRef,
    offsets: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int],
    kept: Sequence[int] | None,
) -> MemRef:
    """A part inside the memref's bounds, without the dimensions that are not `kept`."""
    if kept is None:
        raise UndefinedBehaviorError(
            f"dropping dimensions of size one of {list(sizes)} does not give the result"
        )
    starts = zip(offsets, memref.strides, strict=True)
    return replace(
        memref,
        offset=memref.offset + sum(start * stride for start, stride in starts),
        sizes=tuple(sizes[i] for i in kept),
        strides=tuple(strides[i] * memref.strides[i] for i in kept),
        is_part=memref.is_part or prod(sizes) != memref.size,
    )


def base(memref: MemRef) -> MemRef:
    """A memref of rank 0 at the memref's aligned pointer."""
    return replace(memref, offset=0, sizes=(), strides=(), is_part=False)
