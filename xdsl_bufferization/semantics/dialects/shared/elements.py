"""
Elements of tensors and of memory, many at a time.

A place is one index for each dimension, or arrays of indices that are broadcast to one
another: then it is that of an array of elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from xdsl.ir import Operation

from xdsl_bufferization.semantics.errors import UndefinedBehaviorError
from xdsl_bufferization.semantics.memory.buffers import MemRef
from xdsl_bufferization.semantics.memory.memory import Memory
from xdsl_bufferization.semantics.values import (
    Array,
    Value,
)

Place: TypeAlias = Sequence[Value]


def in_bounds(shape: Sequence[int], place: Place) -> tuple[Value, ...]:
    """The place. Raises `UndefinedBehaviorError` if not all of it is inside the shape."""
    if len(place) != len(shape):
        raise UndefinedBehaviorError(
            f"{len(place)} indices of something of {len(shape)} dimensions"
        )
    for index, size in zip(place, shape, strict=True):
        if isinstance(index, np.ndarray):
            inside = bool(((index >= 0) & (index < size)).all())
        else:
            inside = 0 <= index < size
        if not inside:
            shown = [np.asarray(index).tolist() for index in place]
            raise UndefinedBehaviorError(
                f"indices {shown} are out of the bounds of shape {list(shape)}"
            )
    return tuple(place)


def load(memory: Memory, op: Operation, source: MemRef | Array, place: Place) -> Value:
    """The element, or the array of elements, of a memref or a tensor."""
    if isinstance(source, MemRef):
        return memory.load(source, place, op)
    return source[in_bounds(source.shape, place)]


def load_masked(
    memory: Memory,
    op: Operation,
    source: MemRef | Array,
    place: Place,
    mask: Array,
    otherwise: Value,
) -> Array:
    """Elements where the mask, which has the result's shape, is true; only those exist."""
    result = np.empty(mask.shape, source.dtype)
    if mask.all():
        result[...] = load(memory, op, source, place)
        return result
    result[...] = otherwise
    if mask.any():
        result[mask] = load(memory, op, source, _where(place, mask))
    return result


def store_masked(
    memory: Memory,
    op: Operation,
    target: MemRef | Array,
    place: Place,
    mask: Array,
    elements: Array,
) -> tuple[Array, ...]:
    """
    Overwrite the elements where the mask is true. Returns the results of an op that does
    that: none if the target is a memref, the new tensor if it is one.
    """
    if not isinstance(target, MemRef):
        result = np.array(target)
        if mask.any():
            result[in_bounds(result.shape, _where(place, mask))] = elements[mask]
        return (result,)
    if mask.all():
        memory.store(target, place, elements, op)
    elif mask.any():
        memory.store(target, _where(place, mask), elements[mask], op)
    return ()


def along_last_dimensions(indices: Place, shape: Sequence[int]) -> list[Value]:
    """The place of an array of that shape, which starts at the indices."""
    place: list[Value] = list(indices)
    for dimension, size in enumerate(shape):
        along = [size if d == dimension else 1 for d in range(len(shape))]
        last = len(place) - len(shape) + dimension
        place[last] = place[last] + np.arange(size).reshape(along)
    return place


def _where(place: Place, mask: Array) -> list[Array]:
    return [np.broadcast_to(index, mask.shape)[mask] for index in place]
