"""
Which element of an operand each point of an iteration space accesses, by affine maps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xdsl_bufferization.semantics.errors import (
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.semantics.memory.buffers import MemRef
from xdsl_bufferization.semantics.values import Array, Value, linear


def shape_of_value(value: Value) -> tuple[int, ...] | None:
    """The sizes of a tensor, vector or memref; `None` for a scalar."""
    return value.shape if isinstance(value, MemRef | np.ndarray) else None


def pure_dimensions(map: AffineMap) -> list[int | None]:
    """For each result of the map the dimension if it is one, otherwise `None`."""
    return [
        expression.position if isinstance(expression, AffineDimExpr) else None
        for expression in map.results
    ]


def is_projected_permutation(map: AffineMap) -> bool:
    """Whether the results are distinct dimensions."""
    dimensions = pure_dimensions(map)
    return None not in dimensions and len({*dimensions}) == len(dimensions)


def is_linear(map: AffineMap) -> bool:
    """Whether all results are linear, so that `strided_view` is a view."""
    return None not in [linear(e, map.num_dims) for e in map.results]


def evaluate(map: AffineMap, point: Sequence[Any]) -> tuple[Any, ...]:
    """The results of the map at the point, whose coordinates may be arrays."""
    return tuple(expression.eval(point, ()) for expression in map.results)


# Sizes and bounds -------------------------------------------------------------------------


def loop_sizes(operands: Sequence[Value], maps: Sequence[AffineMap]) -> tuple[int, ...]:
    """
    The size of each dimension of the iteration space, from the shapes of the operands.

    Raises `UndefinedBehaviorError` unless all shapes agree and each map stays within the
    bounds of its operand.
    """
    sizes: dict[int, int] = {}
    shaped = [
        (k, shape, map)
        for k, (operand, map) in enumerate(zip(operands, maps, strict=True))
        if (shape := shape_of_value(operand)) is not None
    ]
    for k, shape, map in shaped:
        if map.num_symbols:
            raise MissingSemanticsError("indexing maps have no symbols")
        if len(shape) != len(map.results):
            raise UndefinedBehaviorError(
                f"operand {k} has {len(shape)} dimensions, not {len(map.results)}"
            )
        for dimension, size in zip(pure_dimensions(map), shape, strict=True):
            if dimension is None:
                continue
            known = sizes.setdefault(dimension, size)
            if known != size:
                raise UndefinedBehaviorError(
                    f"operand {k} of shape {list(shape)} has size {size} where loop "
                    f"{dimension} has {known} iterations"
                )
    dimensions = maps[0].num_dims if maps else 0
    if missing := {*range(dimensions)} - {*sizes}:
        raise MissingSemanticsError(
            f"no operand's shape tells the size of loop {min(missing)}"
        )
    result = tuple(sizes[dimension] for dimension in range(dimensions))
    if all(result):
        for k, shape, map in shaped:
            _check_bounds(k, shape, map, result)
    return result


def _check_bounds(
    operand: int, shape: Sequence[int], map: AffineMap, sizes: Sequence[int]
) -> None:
    for i, (expression, size) in enumerate(zip(map.results, shape, strict=True)):
        if isinstance(expression, AffineDimExpr):
            continue
        values = expression.eval(_points(expression.used_dims(), sizes), ())
        first, last = int(np.min(values)), int(np.max(values))
        if first < 0 or last >= size:
            raise UndefinedBehaviorError(
                f"indices {first} to {last} of dimension {i} of operand {operand} are "
                f"out of its bounds: its shape is {list(shape)}"
            )


def _points(used: set[int], sizes: Sequence[int]) -> list[Any]:
    """The coordinates of all points, as arrays that broadcast; 0 for unused dimensions."""
    return [
        np.arange(size).reshape([-1 if e == d else 1 for e in range(len(sizes))])
        if d in used
        else 0
        for d, size in enumerate(sizes)
    ]


# Views ------------------------------------------------------------------------------------


def strided_view(array: Array, map: AffineMap, sizes: Sequence[int]) -> Array:
    """
    The element for each point, as a view of the array if the map is linear. The map has to
    stay within the array, and the space must not be empty.
    """
    terms = [linear(expression, map.num_dims) for expression in map.results]
    linear_terms = [term for term in terms if term is not None]
    if len(linear_terms) < len(terms):
        used = {d for expression in map.results for d in expression.used_dims()}
        return np.broadcast_to(array[evaluate(map, _points(used, sizes))], sizes)
    strides = [
        sum(
            factors[d] * s
            for (factors, _), s in zip(linear_terms, array.strides, strict=True)
        )
        for d in range(len(sizes))
    ]
    # Without the ellipsis, the result may be a scalar.
    start = array[(*(slice(constant, None) for _, constant in linear_terms), ...)]
    return np.lib.stride_tricks.as_strided(start, tuple(sizes), strides)
