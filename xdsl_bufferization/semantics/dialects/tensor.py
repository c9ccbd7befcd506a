"""
tensor: results are new arrays, or views of arrays that are never changed.

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType
from xdsl.ir import Operation, Region

from xdsl_bufferization.semantics.dialects.arith import bitcast
from xdsl_bufferization.semantics.dialects.linalg import pack, unpack
from xdsl_bufferization.semantics.dialects.shared import (
    in_bounds,
    kept_dimensions,
    size_of_dimension,
    slice_of,
    uninitialised,
    write_slice,
)
from xdsl_bufferization.semantics.errors import UndefinedBehaviorError
from xdsl_bufferization.semantics.interpreter import (
    DialectFunctions,
    OpFunction,
    ReferenceInterpreter,
    impl_named,
)
from xdsl_bufferization.semantics.structured import is_elementwise
from xdsl_bufferization.semantics.values import (
    Array,
    Value,
    dtype_of,
    element_type,
    integer,
    memory_dtype_of,
    mixed,
    numbers_of,
    segments,
    shape_of,
)
from xdsl_bufferization.support.attributes import integers, reassociation
from xdsl_bufferization.support.shaped_types import ranked_tensor


def _extract(op: Operation, source: Array, *indices: Value) -> Value:
    return numbers_of(source[in_bounds(source.shape, indices)])


def _from_elements(op: Operation, *elements: Value) -> Array:
    type = op.results[0].type
    result = np.empty(len(elements), memory_dtype_of(element_type(type)))
    numbers_of(result)[...] = elements
    return result.reshape(shape_of(type))


def _splat(op: Operation, element: Value, *sizes: Value) -> Array:
    type = op.results[0].type
    shape = _sizes(shape_of(type, sizes))
    result = np.empty(shape, memory_dtype_of(element_type(type)))
    numbers_of(result)[...] = element
    return result


def _insert(op: Operation, element: Value, into: Array, *indices: Value) -> Array:
    result = np.array(into)
    numbers_of(result)[in_bounds(into.shape, indices)] = element
    return result


def _gather(op: Operation, source: Array, coordinates: Array) -> Array:
    parts = source[_gathered(op, "gather_dims", source, coordinates)]
    shape = parts.shape
    if ranked_tensor(op.results[0].type).get_num_dims() != parts.ndim:
        # The type drops the gathered dimensions.
        batch = parts.ndim - source.ndim
        dropped = {batch + dimension for dimension in integers(op, "gather_dims")}
        shape = [size for i, size in enumerate(shape) if i not in dropped]
    return parts.reshape(shape)


def _scatter(op: Operation, source: Array, into: Array, coordinates: Array) -> Array:
    result = np.array(into)
    where = _gathered(op, "scatter_dims", into, coordinates)
    places = coordinates.reshape(-1, coordinates.shape[-1])
    if len(np.unique(places, axis=0)) < len(places):
        raise UndefinedBehaviorError("several parts are scattered to the same place")
    shape = result[where].shape
    if kept_dimensions(shape, source.shape) is None:
        raise UndefinedBehaviorError(
            f"a source of shape {list(source.shape)} does not fit {list(shape)}"
        )
    result[where] = source.reshape(shape)
    return result


def _extract_slice(op: Operation, *operands: Value) -> Array:
    (source,), *dynamic = segments(op, operands)
    part = slice_of(op, source, dynamic).view(source)
    type = op.results[0].type
    kept = kept_dimensions(
        integers(op, "static_sizes"), ranked_tensor(type).get_shape()
    )
    if kept is None:
        raise UndefinedBehaviorError(f"the slice cannot be of type {type}")
    return part.reshape([part.shape[dimension] for dimension in kept])


def _insert_slice(op: Operation, *operands: Value) -> Array:
    (source,), (into,), *dynamic = segments(op, operands)
    result = np.array(into)
    write_slice(result, slice_of(op, into, dynamic), source)
    return result


def _concat(op: Operation, *parts: Array) -> Array:
    try:
        return np.concatenate(parts, axis=integer(op, "dim"))
    except ValueError as error:
        raise UndefinedBehaviorError(str(error)) from None


def _pack(op: Operation, *operands: Value) -> Array:
    (source,), (into,), padding, _ = segments(op, operands)
    return pack(op, source, into.shape, padding[0] if padding else None)


def _collapse_shape(op: Operation, source: Array) -> Array:
    return source.reshape(
        [
            prod(source.shape[dimension] for dimension in group)
            for group in reassociation(op)
        ]
    )


def _expand_shape(op: Operation, source: Array, *sizes: Value) -> Array:
    shape = mixed(integers(op, "static_output_shape"), sizes)
    for size, group in zip(source.shape, reassociation(op), strict=True):
        parts = [shape[dimension] for dimension in group]
        if prod(parts) != size or any(part < 0 for part in parts):
            raise UndefinedBehaviorError(f"size {size} is expanded to {parts}")
    return source.reshape(shape)


def _reshape(op: Operation, source: Array, sizes: Array) -> Array:
    shape = _sizes(sizes.tolist())
    if prod(shape) != source.size:
        raise UndefinedBehaviorError(
            f"a tensor of shape {list(source.shape)} is reshaped to {list(shape)}"
        )
    return source.reshape(shape)


def _cast(op: Operation, tensor: Array) -> Array:
    """Raises `UndefinedBehaviorError` for sizes unlike the result type's."""
    type = op.results[0].type
    if isinstance(type, ShapedType):
        shape = type.get_shape()
        if len(shape) != tensor.ndim or any(
            wanted not in (size, DYNAMIC_INDEX)
            for size, wanted in zip(tensor.shape, shape, strict=True)
        ):
            raise UndefinedBehaviorError(
                f"a tensor of shape {list(tensor.shape)} is taken for a {type}"
            )
    return tensor


def _of_type(function: OpFunction) -> OpFunction:
    """A function that returns a tensor, which has to be of the result's type."""
    return lambda op, *operands: _cast(op, np.asarray(function(op, *operands)))


class TensorFunctions(DialectFunctions):
    terminators: ClassVar = ("tensor.yield",)

    scalar: ClassVar = {
        # Applied to arrays of indices, these give arrays of elements.
        "tensor.dim": size_of_dimension,
        "tensor.extract": _extract,
        "tensor.rank": lambda op, *tensors: np.int64(tensors[0].ndim),
    }

    pure: ClassVar = {
        "tensor.bitcast": _of_type(bitcast),
        "tensor.cast": _cast,
        "tensor.collapse_shape": _of_type(_collapse_shape),
        "tensor.concat": _of_type(_concat),
        "tensor.expand_shape": _of_type(_expand_shape),
        "tensor.extract_slice": _of_type(_extract_slice),
        "tensor.from_elements": _from_elements,
        "tensor.gather": _gather,
        "tensor.insert": _insert,
        "tensor.insert_slice": _insert_slice,
        "tensor.pack": _pack,
        "tensor.reshape": _of_type(_reshape),
        "tensor.scatter": _scatter,
        "tensor.splat": _splat,
        "tensor.unpack": lambda op, *operands: unpack(
            op, operands[0], operands[1].shape
        ),
    }

    @impl_named("tensor.empty")
    def empty(self, op: Operation, *sizes: Value) -> Value:
        return uninitialised(self.memory, op, op.results[0].type, sizes)

    @impl_named("tensor.generate")
    def generate(self, op: Operation, *sizes: Value) -> Array:
        type = op.results[0].type
        shape = _sizes(shape_of(type, sizes))
        result = np.empty(shape, dtype_of(element_type(type)))
        result[...] = _elements_at(
            self.interpreter, op.regions[0], np.indices(shape), result.dtype
        )
        return result

    @impl_named("tensor.pad")
    def pad(self, op: Operation, *operands: Value) -> Array:
        (source,), *widths = segments(op, operands)
        low, high = (
            mixed(integers(op, f"static_{name}"), values)
            for name, values in zip(("low", "high"), widths, strict=True)
        )
        if any(width < 0 for width in (*low, *high)):
            raise UndefinedBehaviorError(f"negative padding: {low}, {high}")
        shape = tuple(map(sum, zip(low, source.shape, high, strict=True)))
        padded = np.ones(shape, np.bool_)
        inner = tuple(
            slice(l, l + size) for l, size in zip(low, source.shape, strict=True)
        )
        padded[inner] = False
        result = np.empty(shape, source.dtype)
        result[inner] = source
        result[padded] = _elements_at(
            self.interpreter, op.regions[0], np.argwhere(padded).T, source.dtype
        )
        return _cast(op, result)


def _sizes(shape: Sequence[int]) -> tuple[int, ...]:
    if any(size < 0 for size in shape):
        raise UndefinedBehaviorError(f"negative size: {list(shape)}")
    return tuple(shape)


def _gathered(
    op: Operation, name: str, tensor: Array, coordinates: Array
) -> tuple[Any, ...]:
    """
    The NumPy index of the slices to gather or scatter. The last dimension of `coordinates`
    has the position along each dimension in the attribute `name`. The result of the index
    has the other dimensions of `coordinates`, then all dimensions of the tensor, where
    those in the attribute have size 1.
    """
    where: list[Any] = list(np.ix_(*map(np.arange, tensor.shape)))
    for position, dimension in enumerate(integers(op, name)):
        index, size = coordinates[..., position], tensor.shape[dimension]
        if np.any((index < 0) | (index >= size)):
            raise UndefinedBehaviorError(
                f"coordinates {index.tolist()} are out of the bounds of dimension "
                f"{dimension} of size {size}"
            )
        where[dimension] = index.reshape(*index.shape, *[1] * tensor.ndim)
    return tuple(where)


def _elements_at(
    interpreter: ReferenceInterpreter,
    region: Region,
    indices: Array,
    dtype: np.dtype[Any],
) -> Array:
    """
    The values that the region yields at each of the indices. `indices` has an array for each
    argument of the region; the result has the shape of these.
    """
    result = np.empty(indices.shape[1:], dtype)
    if not result.size:
        return result
    if is_elementwise(region, interpreter):
        (result[...],) = interpreter.run_region(region, *indices)
        return result
    for point in np.ndindex(*result.shape):
        arguments = [index[point] for index in indices]
        (result[point],) = interpreter.run_region(region, *arguments)
    return result
