"""
shape: a shape is an array of sizes, a witness is the truth of its constraint.

Error values do not exist; an op that would give one has undefined behavior.

Source: https://mlir.llvm.org/docs/Dialects/ShapeDialect/
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from xdsl.interpreter import PythonValues
from xdsl.ir import Operation

from xdsl_bufferization.semantics.dialects.shared.elements import in_bounds
from xdsl_bufferization.semantics.errors import UndefinedBehaviorError
from xdsl_bufferization.semantics.interpreter import (
    DialectFunctions,
    ScalarFunction,
    impl_named,
)
from xdsl_bufferization.semantics.values import INDEX, Array, Value, integer
from xdsl_bufferization.support.attributes import integers


def _computes(function: Callable[..., Any]) -> ScalarFunction:
    return lambda op, operands: function(*operands)


def _sizes_of(value: Value) -> Array:
    """The sizes of a tensor or memref."""
    return np.array(value.shape, INDEX)


def _extent(shape: Array, dimension: Value) -> Value:
    return shape[in_bounds(shape.shape, [dimension])]


def _dim(value: Value, dimension: Value) -> Value:
    return _extent(_sizes_of(value), dimension)


def _rank(shape: Array) -> Value:
    return INDEX.type(shape.size)


def _num_elements(shape: Array) -> Value:
    return np.prod(shape, dtype=INDEX)


def _broadcast(*shapes: Array) -> Array:
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


def _are_broadcastable(*shapes: Array) -> Value:
    return np.bool_(_broadcast_or_none(*shapes) is not None)


def _are_equal(*shapes: Value) -> Value:
    return np.bool_(all(np.array_equal(shapes[0], shape) for shape in shapes[1:]))


def _divide(a: Value, b: Value) -> Value:
    if not b:
        raise UndefinedBehaviorError("division by zero")
    return a // b


def _split_at(shape: Array, index: Value) -> tuple[Array, Array]:
    if not -len(shape) <= index <= len(shape):
        raise UndefinedBehaviorError(
            f"a shape of rank {len(shape)} is split at {index}"
        )
    return shape[:index], shape[index:]


def _same(value: Value) -> Value:
    return value


class ShapeFunctions(DialectFunctions):
    terminators: ClassVar = ("shape.assuming_yield", "shape.yield")

    pure: ClassVar = {
        "shape.add": _computes(np.add),
        "shape.assuming_all": _computes(lambda *witnesses: np.bool_(all(witnesses))),
        "shape.broadcast": _computes(_broadcast),
        "shape.concat": _computes(lambda *shapes: np.concatenate(shapes)),
        "shape.const_shape": lambda op, operands: np.array(
            integers(op, "shape"), INDEX
        ),
        "shape.const_size": lambda op, operands: INDEX.type(integer(op, "value")),
        "shape.const_witness": lambda op, operands: np.bool_(integer(op, "passing")),
        "shape.cstr_broadcastable": _computes(_are_broadcastable),
        "shape.cstr_eq": _computes(_are_equal),
        "shape.cstr_require": _computes(_same),
        "shape.dim": _computes(_dim),
        "shape.div": _computes(_divide),
        "shape.from_extent_tensor": _computes(_same),
        "shape.from_extents": _computes(lambda *sizes: np.array(sizes, INDEX)),
        "shape.get_extent": _computes(_extent),
        "shape.index_to_size": _computes(_same),
        "shape.is_broadcastable": _computes(_are_broadcastable),
        "shape.max": _computes(np.maximum),
        "shape.min": _computes(np.minimum),
        "shape.mul": _computes(np.multiply),
        "shape.num_elements": _computes(_num_elements),
        "shape.rank": _computes(_rank),
        "shape.shape_eq": _computes(_are_equal),
        "shape.shape_of": _computes(_sizes_of),
        "shape.size_to_index": _computes(_same),
        "shape.split_at": _computes(_split_at),
        "shape.to_extent_tensor": _computes(_same),
        "shape.value_as_shape": _computes(_same),
        "shape.value_of": _computes(_same),
    }

    @impl_named("shape.assuming")
    def assuming(self, op: Operation, operands: PythonValues) -> PythonValues:
        if not operands[0]:
            raise UndefinedBehaviorError("what is assumed does not hold")
        return self.interpreter.run_region(op.regions[0])

    @impl_named("shape.reduce")
    def reduce(self, op: Operation, operands: PythonValues) -> PythonValues:
        shape, *results = operands
        for dimension, size in enumerate(shape):
            results = self.interpreter.run_region(
                op.regions[0], INDEX.type(dimension), size, *results
            )
        return tuple(results)


FUNCTIONS = ShapeFunctions
