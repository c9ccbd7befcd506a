"""
Shared by ops of several dialects: the values of constants, the ops that symbols name, access to
elements of tensors and memrefs, many at a time, and to slices of tensors, by offset, size and
stride along each dimension.

Indices that are arrays are broadcast to one another, and stand for an array of elements.

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorextract_slice-tensorextractsliceop
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    Builtin,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    FloatAttr,
    IntegerAttr,
    ShapedType,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Operation
from xdsl.traits import SymbolTable

from xdsl_bufferization.semantics.errors import (
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.semantics.memory import Memory
from xdsl_bufferization.semantics.values import (
    Array,
    MemRef,
    Value,
    dtype_of,
    element_type,
    memory_dtype_of,
    misplaced,
    mixed,
    numbers_of,
    result_type,
    shape_of,
    wrap,
)
from xdsl_bufferization.support.attributes import integers
from xdsl_bufferization.support.call_graph import symbol_table_around


def constant_value(attribute: Attribute | None, type: Attribute) -> Value:
    """
    The value of the type that the attribute stands for, or the contents of such a memref.
    An array is read-only, and may be the attribute's own bytes.

    Raises `MissingSemanticsError` for attributes that stand for no value.
    """
    match attribute:
        case IntegerAttr() as number:
            return wrap(type, number.value.data)
        case FloatAttr() as number:
            value = number.value.data
            return dtype_of(type).type(value)
        case ArrayAttr() as parts:
            return _complex(parts.data, type)
        case DenseIntOrFPElementsAttr() as dense:
            return _elements(dense.data.data, type)
        case DenseResourceAttr() as resource:
            return _elements(_blob(resource), type)
        case _:
            raise MissingSemanticsError(f"a constant cannot be '{attribute}' here")


def _complex(parts: Sequence[Attribute], type: Attribute) -> Value:
    values = [part.value.data for part in parts if isinstance(part, FloatAttr)]
    if len(values) != 2:
        raise MissingSemanticsError("a complex constant has two parts, both floats")
    return dtype_of(type).type(complex(*values))


def _elements(data: bytes, type: Attribute) -> Array:
    """The elements, or one element for all, as a read-only array of the type."""
    element, dtype = element_type(type), dtype_of(type)
    if not isinstance(type, ShapedType):
        raise MissingSemanticsError(f"a constant of type '{type}' has no elements")
    if dtype == np.bool_:
        elements = np.frombuffer(data, np.uint8) != 0
    else:
        elements = wrap(element, np.frombuffer(data, dtype))
    elements.flags.writeable = False
    shape = type.get_shape()
    if elements.size == 1:
        return np.broadcast_to(elements.reshape(()), shape)
    try:
        return elements.reshape(shape)
    except ValueError:
        raise MissingSemanticsError(
            f"a constant of {elements.size} elements does not fill a '{type}'"
        ) from None


def _blob(resource: DenseResourceAttr) -> bytes:
    """The bytes of the resource, from the file that the module was parsed from."""
    key = resource.resource_handle.data
    interface = Builtin.get_interface(OpAsmDialectInterface)
    blob = interface.lookup(key) if interface is not None else None
    # The first four bytes are the alignment.
    if not blob or not blob.startswith("0x"):
        raise MissingSemanticsError(f"the contents of the resource '{key}' are unknown")
    return bytes.fromhex(blob[2:])[4:]


def symbol(op: Operation, name: Attribute | None, kind: str) -> Operation:
    """
    The op that a symbol, used by `op`, names in the closest symbol table around it. Raises
    `MissingSemanticsError` if there is none; `kind` is what the message calls it.
    """
    table = symbol_table_around(op)
    if table is not None and isinstance(name, SymbolRefAttr):
        found = SymbolTable.lookup_symbol(table, name)
        if found is not None:
            return found
    raise MissingSemanticsError(f"there is no {kind} {name}")


Indices: TypeAlias = Sequence[Value]
"""An index, or an array of indices, for each dimension."""


def in_bounds(shape: Sequence[int], indices: Indices) -> tuple[Value, ...]:
    """The indices. Raises `UndefinedBehaviorError` if one is outside of the shape."""
    if problem := misplaced(indices, shape):
        raise UndefinedBehaviorError(problem)
    return tuple(indices)


def checked_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    """The sizes. Raises `UndefinedBehaviorError` if one is negative."""
    if any(size < 0 for size in sizes):
        raise UndefinedBehaviorError(f"negative size: {list(sizes)}")
    return tuple(sizes)


def filled(op: Operation, shape: int | tuple[int, ...], elements: Value) -> Array:
    """An array for the op's result, filled with elements, or with one for all."""
    result = np.empty(shape, memory_dtype_of(element_type(result_type(op))))
    numbers_of(result)[...] = elements
    return result


def from_elements(op: Operation, *elements: Value) -> Array:
    """An array for the op's result with these elements."""
    return filled(op, len(elements), elements).reshape(shape_of(result_type(op)))


def size_of_dimension(op: Operation, source: MemRef | Array, dimension: Value) -> Value:
    """The size of a dimension, or of an array of dimensions, of a memref or a tensor."""
    rank = len(source.shape)
    if np.any(np.less(dimension, 0) | np.greater_equal(dimension, rank)):
        shown = np.asarray(dimension).tolist()
        kind = "memref" if isinstance(source, MemRef) else "tensor"
        raise UndefinedBehaviorError(f"dimension {shown} of a {kind} of rank {rank}")
    return np.array(source.shape, np.int64)[dimension]


def load(
    memory: Memory, op: Operation, source: MemRef | Array, indices: Indices
) -> Value:
    """The element, or the array of elements, of a memref or a tensor."""
    if isinstance(source, MemRef):
        return memory.load(source, indices, op)
    return numbers_of(source[in_bounds(source.shape, indices)])


def load_masked(
    memory: Memory,
    op: Operation,
    source: MemRef | Array,
    indices: Indices,
    mask: Array,
    otherwise: Value,
) -> Array:
    """The elements where the mask, of the result's shape, is true; `otherwise` elsewhere."""
    result: Array = numbers_of(np.empty(mask.shape, source.dtype))
    if mask.all():
        result[...] = load(memory, op, source, indices)
        return result
    result[...] = otherwise
    if mask.any():
        result[mask] = load(memory, op, source, _where(indices, mask))
    return result


def store_masked(
    memory: Memory,
    op: Operation,
    target: MemRef | Array,
    indices: Indices,
    mask: Array,
    elements: Array,
) -> Array | None:
    """
    Overwrite the elements where the mask is true. Returns the result of a storing op: the new
    tensor, or none for a memref.
    """
    if not isinstance(target, MemRef):
        result = np.array(target)
        numbers, shape = numbers_of(result), result.shape
        if mask.all():
            numbers[in_bounds(shape, indices)] = elements
        elif mask.any():
            numbers[in_bounds(shape, _where(indices, mask))] = elements[mask]
        return result
    if mask.all():
        memory.store(target, indices, elements, op)
    elif mask.any():
        memory.store(target, _where(indices, mask), elements[mask], op)
    return None


def along_last_dimensions(indices: Indices, shape: Sequence[int]) -> list[Value]:
    """The indices of an array of elements of that shape, which starts at `indices`."""
    first = len(indices) - len(shape)
    steps = np.ix_(*map(np.arange, shape))
    along = [i + step for i, step in zip(indices[first:], steps, strict=True)]
    return [*indices[:first], *along]


def _where(indices: Indices, mask: Array) -> list[Array]:
    return [np.broadcast_to(index, mask.shape)[mask] for index in indices]


def uninitialised(
    memory: Memory, op: Operation, type: Attribute, sizes: Sequence[Value] = ()
) -> Value:
    """
    An uninitialised value of the type, made by the op: a scalar, or an array with the given
    sizes for dynamic dimensions.
    """
    element = element_type(type)
    if element is type:
        return memory.uninitialised((), dtype_of(element), op)[()]
    return memory.uninitialised(shape_of(type, sizes), memory_dtype_of(element), op)


class StridedSlice(NamedTuple):
    """Offsets, sizes and strides of a slice, by dimension of the tensor."""

    offsets: tuple[int, ...]
    sizes: tuple[int, ...]
    strides: tuple[int, ...]

    def view(self, tensor: Array) -> Array:
        """The slice's elements, in the tensor's memory."""
        if not all(self.sizes):
            return np.empty(self.sizes, tensor.dtype)
        if all(stride > 0 for stride in self.strides):
            slices = (
                slice(offset, offset + size * stride, stride)
                for offset, size, stride in zip(*self, strict=True)
            )
            # With the ellipsis, the slice of a tensor of rank 0 is an array, too.
            return tensor[(..., *slices)]
        start = tensor[tuple(slice(offset, None) for offset in self.offsets)]
        strides = [a * b for a, b in zip(self.strides, start.strides, strict=True)]
        return np.lib.stride_tricks.as_strided(start, self.sizes, strides)


def slice_of(
    op: Operation, whole: MemRef | Array, dynamic: Sequence[Sequence[Value]]
) -> StridedSlice:
    """
    The slice with the op's static offsets, sizes and strides, and the dynamic ones. Raises
    `UndefinedBehaviorError` if it is not inside the tensor or memref.
    """
    part = StridedSlice(
        *(
            mixed(integers(op, f"static_{name}"), values)
            for name, values in zip(
                ("offsets", "sizes", "strides"), dynamic, strict=True
            )
        )
    )
    for dimension, (offset, size, stride, extent) in enumerate(
        zip(*part, whole.shape, strict=True)
    ):
        last = offset + (size - 1) * stride
        if (
            offset < 0
            or size < 0
            or (size and not (offset < extent and 0 <= last < extent))
        ):
            raise UndefinedBehaviorError(
                f"the slice with offset {offset}, size {size} and stride {stride} is "
                f"out of the bounds of dimension {dimension} of size {extent}",
                related=whole.buffer.origin if isinstance(whole, MemRef) else (),
            )
    return part


def kept_dimensions(sizes: Sequence[int], reduced: Sequence[int]) -> list[int] | None:
    """
    The dimensions of `sizes` that the rank-reduced shape keeps; `None` if it is no reduced
    form of them. The dropped dimensions have size 1, and are as far right as possible. A
    dynamic size matches every static one but 1.
    """
    kept: list[int] = []
    for dimension, size in enumerate(sizes):
        wanted = reduced[len(kept)] if len(kept) < len(reduced) else None
        if wanted is not None and (
            size == wanted or (size != 1 and DYNAMIC_INDEX in (size, wanted))
        ):
            kept.append(dimension)
        elif size != 1:
            return None
    return kept if len(kept) == len(reduced) else None


def write_slice(tensor: Array, part: StridedSlice, source: Array) -> None:
    """Overwrite the slice with the source, which may be rank-reduced."""
    if kept_dimensions(part.sizes, source.shape) is None:
        raise UndefinedBehaviorError(
            f"shape {list(source.shape)} does not fit a slice of {list(part.sizes)}"
        )
    part.view(tensor)[...] = source.reshape(part.sizes)
