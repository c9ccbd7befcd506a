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
from xdsl.interpreter import PythonValues
from xdsl.ir import Attribute, Operation, Region

from xdsl_bufferization.semantics.dialects.arith import bitcast
from xdsl_bufferization.semantics.dialects.linalg import pack, unpack
from xdsl_bufferization.semantics.dialects.shared.elements import (
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
    ReferenceInterpreter,
    impl_named,
)
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
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.shaped_types import ranked_tensor

_FROM_TENSORS = frozenset({"tensor.dim", "tensor.extract", "tensor.rank"})
"""Ops whose first operand is a tensor, also where arrays stand for their scalars."""


def _extract(op: Operation, operands: Sequence[Value]) -> Value:
    source, *indices = operands
    return numbers_of(source[in_bounds(source.shape, indices)])


def _from_elements(op: Operation, operands: Sequence[Value]) -> Value:
    type = op.results[0].type
    elements = np.empty(len(operands), memory_dtype_of(element_type(type)))
    numbers_of(elements)[...] = operands
    return elements.reshape(shape_of(type))


def _splat(op: Operation, operands: Sequence[Value]) -> Value:
    element, *sizes = operands
    type = op.results[0].type
    shape = _sizes(shape_of(type, sizes))
    elements = np.empty(shape, memory_dtype_of(element_type(type)))
    numbers_of(elements)[...] = element
    return elements


def _insert(op: Operation, operands: Sequence[Value]) -> Value:
    element, into, *indices = operands
    result = np.array(into)
    numbers_of(result)[in_bounds(into.shape, indices)] = element
    return result


def _gather(op: Operation, operands: Sequence[Value]) -> Value:
    source, coordinates = operands
    parts = source[_gathered(op, "gather_dims", source, coordinates)]
    return parts.reshape(_gathered_shape(op, op.results[0].type, parts, source))


def _scatter(op: Operation, operands: Sequence[Value]) -> Value:
    source, into, coordinates = operands
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


def _extract_slice(op: Operation, operands: Sequence[Value]) -> Value:
    (source,), *dynamic = segments(op, operands)
    part = slice_of(op, source, dynamic).view(source)
    type = op.results[0].type
    kept = kept_dimensions(
        integers(op, "static_sizes"), ranked_tensor(type).get_shape()
    )
    if kept is None:
        raise UndefinedBehaviorError(f"the slice cannot be of type {type}")
    part = part.reshape([part.shape[dimension] for dimension in kept])
    return _of_type(type, part)


def _insert_slice(op: Operation, operands: Sequence[Value]) -> Value:
    (source,), (into,), *dynamic = segments(op, operands)
    result = np.array(into)
    write_slice(result, slice_of(op, into, dynamic), source)
    return result


def _concat(op: Operation, operands: Sequence[Value]) -> Value:
    try:
        joined = np.concatenate(operands, axis=integer(op, "dim"))
    except ValueError as error:
        raise UndefinedBehaviorError(str(error)) from None
    return _of_type(op.results[0].type, joined)


def _pack(op: Operation, operands: Sequence[Value]) -> Value:
    (source,), (into,), padding, _ = segments(op, operands)
    return pack(op, source, into.shape, padding[0] if padding else None)


def _unpack(op: Operation, operands: Sequence[Value]) -> Value:
    packed, into, *_ = operands
    return unpack(op, packed, into.shape)


def _collapse_shape(op: Operation, operands: Sequence[Value]) -> Value:
    (source,) = operands
    shape = [
        prod(source.shape[dimension] for dimension in group)
        for group in reassociation(op)
    ]
    return _of_type(op.results[0].type, source.reshape(shape))


def _expand_shape(op: Operation, operands: Sequence[Value]) -> Value:
    source, *sizes = operands
    shape = mixed(integers(op, "static_output_shape"), sizes)
    for size, group in zip(source.shape, reassociation(op), strict=True):
        parts = [shape[dimension] for dimension in group]
        if prod(parts) != size or any(part < 0 for part in parts):
            raise UndefinedBehaviorError(f"size {size} is expanded to {parts}")
    return _of_type(op.results[0].type, source.reshape(shape))


def _reshape(op: Operation, operands: Sequence[Value]) -> Value:
    source, sizes = operands
    shape = _sizes(sizes.tolist())
    if prod(shape) != source.size:
        raise UndefinedBehaviorError(
            f"a tensor of shape {list(source.shape)} is reshaped to {list(shape)}"
        )
    return _of_type(op.results[0].type, source.reshape(shape))


class TensorFunctions(DialectFunctions):
    terminators: ClassVar = ("tensor.yield",)

    scalar: ClassVar = {
        # Applied to arrays of indices, these give arrays of elements.
        "tensor.dim": size_of_dimension,
        "tensor.extract": _extract,
        "tensor.rank": lambda op, operands: np.int64(operands[0].ndim),
    }

    pure: ClassVar = {
        "tensor.bitcast": lambda op, operands: _of_type(
            op.results[0].type, np.asarray(bitcast(op, operands))
        ),
        "tensor.cast": lambda op, operands: _of_type(op.results[0].type, operands[0]),
        "tensor.collapse_shape": _collapse_shape,
        "tensor.concat": _concat,
        "tensor.expand_shape": _expand_shape,
        "tensor.extract_slice": _extract_slice,
        "tensor.from_elements": _from_elements,
        "tensor.gather": _gather,
        "tensor.insert": _insert,
        "tensor.insert_slice": _insert_slice,
        "tensor.pack": _pack,
        "tensor.reshape": _reshape,
        "tensor.scatter": _scatter,
        "tensor.splat": _splat,
        "tensor.unpack": _unpack,
    }

    @impl_named("tensor.empty")
    def empty(self, op: Operation, operands: PythonValues) -> PythonValues:
        type = op.results[0].type
        return (uninitialised(self.memory, op, type, operands),)

    @impl_named("tensor.generate")
    def generate(self, op: Operation, operands: PythonValues) -> PythonValues:
        type = op.results[0].type
        shape = _sizes(shape_of(type, operands))
        result = np.empty(shape, dtype_of(element_type(type)))
        result[...] = _elements_at(
            self.interpreter, op.regions[0], np.indices(shape), result.dtype
        )
        return (result,)

    @impl_named("tensor.pad")
    def pad(self, op: Operation, operands: PythonValues) -> PythonValues:
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
        return (_of_type(op.results[0].type, result),)


def _sizes(shape: Sequence[int]) -> tuple[int, ...]:
    if any(size < 0 for size in shape):
        raise UndefinedBehaviorError(f"negative size: {list(shape)}")
    return tuple(shape)


def _of_type(type: Attribute, tensor: Array) -> Array:
    """The tensor, checked: raises `UndefinedBehaviorError` for sizes unlike the type's."""
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


def _gathered_shape(
    op: Operation, type: Attribute, parts: Array, source: Array
) -> list[int]:
    """The shape of the parts, without the gathered dimensions if the type drops them."""
    batch = parts.ndim - source.ndim
    if ranked_tensor(type).get_num_dims() == parts.ndim:
        return [*parts.shape]
    dropped = {batch + dimension for dimension in integers(op, "gather_dims")}
    return [size for i, size in enumerate(parts.shape) if i not in dropped]


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
    if _serves_arrays(interpreter, region):
        (result[...],) = interpreter.run_region(region, *indices)
        return result
    for point in np.ndindex(*result.shape):
        arguments = [index[point] for index in indices]
        (result[point],) = interpreter.run_region(region, *arguments)
    return result


def _serves_arrays(interpreter: ReferenceInterpreter, region: Region) -> bool:
    """Whether the region can be run once, with an array for each of its scalars."""
    if len(region.blocks) != 1:
        return False
    block = region.blocks[0]
    for op in block.ops:
        if op is block.last_op:
            continue
        operands = op.operands[1 if op_name(op) in _FROM_TENSORS else 0 :]
        if any(element_type(v.type) is not v.type for v in (*operands, *op.results)):
            return False
        if not interpreter.has_scalar_semantics(op):
            return False
    return True


FUNCTIONS = TensorFunctions
