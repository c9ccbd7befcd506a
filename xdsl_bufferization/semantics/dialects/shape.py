"""
shape: a shape is an array of sizes, a witness is the truth of its constraint.

Error values do not exist; an op that would give one has undefined behavior.

Source: https://mlir.llvm.org/docs/Dialects/ShapeDialect/
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.interpreter import PythonValues
from xdsl.ir import Operation

from xdsl_bufferization.semantics.dialects.shared import in_bounds
from xdsl_bufferization.semantics.errors import UndefinedBehaviorError
from xdsl_bufferization.semantics.interpreter import DialectFunctions, impl_named
from xdsl_bufferization.semantics.values import INDEX, Array, Value, integer
from xdsl_bufferization.support.attributes import integers


def _sizes_of(op: Operation, value: Value) -> Array:
    """The sizes of a tensor or memref."""
    return np.array(value.shape, INDEX)


def _extent(op: Operation, shape: Array, dimension: Value) -> Value:
    return shape[in_bounds(shape.shape, [dimension])]


def _dim(op: Operation, value: Value, dimension: Value) -> Value:
    return _extent(op, _sizes_of(op, value), dimension)


def _broadcast(op: Operation, *shapes: Array) -> Array:
    result = _broadcast_or_none(*shapes)
    if result is None:
        shown = [shape.tolist() for shape in shapes]
        raise UndefinedBehaviorError(f"shapes {shown} cannot be broadcast")
    return result


def _broadcast_or_none(*shapes: Array) -> Array | None:
    rank = max((shape.size for shape in shapes), default=0)
    result = np.ones(rank, INDEX)
    for shape in shapes:
        last = result[rank - shape.size :]
        if np.any((shape != 1) & (last != 1) & (shape != last)):
            return None
        last[...] = np.where(last == 1, shape, last)
    return result


def _are_broadcastable(op: Operation, *shapes: Array) -> Value:
    return np.bool_(_broadcast_or_none(*shapes) is not None)


def _are_equal(op: Operation, first: Value, *others: Value) -> Value:
    return np.bool_(all(np.array_equal(first, other) for other in others))


def _divide(op: Operation, a: Value, b: Value) -> Value:
    if not b:
        raise UndefinedBehaviorError("division by zero")
    return a // b


def _split_at(op: Operation, shape: Array, index: Value) -> tuple[Array, Array]:
    if not -len(shape) <= index <= len(shape):
        raise UndefinedBehaviorError(
            f"a shape of rank {len(shape)} is split at {index}"
        )
    return shape[:index], shape[index:]


def _same(op: Operation, value: Value) -> Value:
    return value


class ShapeFunctions(DialectFunctions):
    terminators: ClassVar = ("shape.assuming_yield", "shape.yield")

    pure: ClassVar = {
        "shape.add": lambda op, *numbers: np.add(*numbers),
        "shape.assuming_all": lambda op, *witnesses: np.bool_(all(witnesses)),
        "shape.broadcast": _broadcast,
        "shape.concat": lambda op, *shapes: np.concatenate(shapes),
        "shape.const_shape": lambda op: np.array(integers(op, "shape"), INDEX),
        "shape.const_size": lambda op: INDEX.type(integer(op, "value")),
        "shape.const_witness": lambda op: np.bool_(integer(op, "passing")),
        "shape.cstr_broadcastable": _are_broadcastable,
        "shape.cstr_eq": _are_equal,
        "shape.cstr_require": _same,
        "shape.dim": _dim,
        "shape.div": _divide,
        "shape.from_extent_tensor": _same,
        "shape.from_extents": lambda op, *sizes: np.array(sizes, INDEX),
        "shape.get_extent": _extent,
        "shape.index_to_size": _same,
        "shape.is_broadcastable": _are_broadcastable,
        "shape.max": lambda op, *numbers: np.maximum(*numbers),
        "shape.min": lambda op, *numbers: np.minimum(*numbers),
        "shape.mul": lambda op, *numbers: np.multiply(*numbers),
        "shape.num_elements": lambda op, *shape: np.prod(shape, dtype=INDEX),
        "shape.rank": lambda op, *shape: INDEX.type(np.size(shape)),
        "shape.shape_eq": _are_equal,
        "shape.shape_of": _sizes_of,
        "shape.size_to_index": _same,
        "shape.split_at": _split_at,
        "shape.to_extent_tensor": _same,
        "shape.value_as_shape": _same,
        "shape.value_of": _same,
    }

    @impl_named("shape.assuming")
    def assuming(self, op: Operation, witness: Value) -> PythonValues:
        if not witness:
            raise UndefinedBehaviorError("what is assumed does not hold")
        return self.interpreter.run_region(op.regions[0])

    @impl_named("shape.reduce")
    def reduce(self, op: Operation, shape: Array, *results: Value) -> PythonValues:
        for dimension, size in enumerate(shape):
            results = self.interpreter.run_region(
                op.regions[0], INDEX.type(dimension), size, *results
            )
        return tuple(results)


FUNCTIONS = {"shape": ShapeFunctions}
