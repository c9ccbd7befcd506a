"""
Access to elements of tensors and memrefs, many at a time.

Indices that are arrays are broadcast to one another, and stand for an array of elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.semantics.errors import UndefinedBehaviorError
from xdsl_bufferization.semantics.memory.buffers import MemRef
from xdsl_bufferization.semantics.memory.memory import Memory
from xdsl_bufferization.semantics.values import (
    Array,
    Value,
    dtype_of,
    element_type,
    memory_dtype_of,
    numbers_of,
    shape_of,
)

Indices: TypeAlias = Sequence[Value]
"""An index, or an array of indices, for each dimension."""


def in_bounds(shape: Sequence[int], indices: Indices) -> tuple[Value, ...]:
    """The indices. Raises `UndefinedBehaviorError` if one is outside of the shape."""
    if len(indices) != len(shape):
        raise UndefinedBehaviorError(
            f"{len(indices)} indices of something of {len(shape)} dimensions"
        )
    for index, size in zip(indices, shape, strict=True):
        if isinstance(index, np.ndarray):
            inside = bool(((index >= 0) & (index < size)).all())
        else:
            inside = 0 <= index < size
        if not inside:
            shown = [np.asarray(index).tolist() for index in indices]
            raise UndefinedBehaviorError(
                f"indices {shown} are out of the bounds of shape {list(shape)}"
            )
    return tuple(indices)


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
) -> tuple[Array, ...]:
    """
    Overwrite the elements where the mask is true. Returns the results of a storing op:
    the new tensor, or nothing for a memref.
    """
    if not isinstance(target, MemRef):
        result = np.array(target)
        numbers, shape = numbers_of(result), result.shape
        if mask.all():
            numbers[in_bounds(shape, indices)] = elements
        elif mask.any():
            numbers[in_bounds(shape, _where(indices, mask))] = elements[mask]
        return (result,)
    if mask.all():
        memory.store(target, indices, elements, op)
    elif mask.any():
        memory.store(target, _where(indices, mask), elements[mask], op)
    return ()


def along_last_dimensions(indices: Indices, shape: Sequence[int]) -> list[Value]:
    """The indices of an array of elements of that shape, which starts at `indices`."""
    along_all: list[Value] = list(indices)
    for dimension, size in enumerate(shape):
        along = [size if d == dimension else 1 for d in range(len(shape))]
        last = len(along_all) - len(shape) + dimension
        along_all[last] = along_all[last] + np.arange(size).reshape(along)
    return along_all


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
