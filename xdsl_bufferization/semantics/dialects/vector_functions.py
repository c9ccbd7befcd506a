"""
The ops of the vector dialect that are functions of their operands.

Source: https://mlir.llvm.org/docs/Dialects/Vector/
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, ShapedType
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xdsl_bufferization.semantics.dialects.arith import combining, neutral, width_of
from xdsl_bufferization.semantics.dialects.shared.elements import in_bounds
from xdsl_bufferization.semantics.errors import MissingSemanticsError
from xdsl_bufferization.semantics.interpreter import ScalarFunction
from xdsl_bufferization.semantics.values import (
    Array,
    Value,
    dtype_of,
    element_type,
    integer,
    mixed,
    shape_of,
    wrap,
)
from xdsl_bufferization.support.attributes import attribute, integers, known_attribute

# Other shapes -----------------------------------------------------------------------------


def _bitcast(op: Operation, operands: Sequence[Value]) -> Value:
    (vector,) = operands
    type = op.results[0].type
    for shaped in (op.operands[0].type, type):
        dtype = dtype_of(element_type(shaped))
        if _is_packed(element_type(shaped)):
            raise MissingSemanticsError(f"elements of {shaped} are less than a byte")
    dtype = dtype_of(element_type(type))
    return np.ascontiguousarray(vector).view(dtype).reshape(shape_of(type))


def _is_packed(element: Attribute) -> bool:
    return 8 * dtype_of(element).itemsize > width_of(element) and width_of(element) < 64


def _broadcast(op: Operation, operands: Sequence[Value]) -> Value:
    return np.broadcast_to(operands[0], shape_of(op.results[0].type))


# Elements and parts -----------------------------------------------------------------------


def _from_elements(op: Operation, operands: Sequence[Value]) -> Value:
    type = op.results[0].type
    return np.array(operands, dtype_of(element_type(type))).reshape(shape_of(type))


def _position(
    op: Operation, vector: Array, dynamic: Sequence[Value]
) -> tuple[Value, ...]:
    """The indices, of the first dimensions, that the op extracts from or inserts into."""
    indices = dynamic
    if attribute(op, "static_position") is not None:
        indices = mixed(integers(op, "static_position"), dynamic)
    return in_bounds(vector.shape[: len(indices)], indices)


def _extract(op: Operation, operands: Sequence[Value]) -> Value:
    vector, *dynamic = operands
    part = vector[_position(op, vector, dynamic)]
    return np.array(part) if isinstance(op.results[0].type, ShapedType) else part


def _insert(op: Operation, operands: Sequence[Value]) -> Value:
    part, vector, *dynamic = operands
    result = np.array(vector)
    result[_position(op, vector, dynamic)] = part
    return result


def _extract_strided_slice(op: Operation, operands: Sequence[Value]) -> Value:
    triples = zip(
        *(integers(op, name) for name in ("offsets", "sizes", "strides")), strict=True
    )
    return operands[0][tuple(slice(o, o + n * s, s) for o, n, s in triples)]


def _insert_strided_slice(op: Operation, operands: Sequence[Value]) -> Value:
    part, vector = operands
    *first, offsets = np.split(
        np.array(integers(op, "offsets")), [vector.ndim - part.ndim]
    )
    sizes = zip(offsets, part.shape, integers(op, "strides"), strict=True)
    result = np.array(vector)
    where = [*first[0], *(slice(o, o + n * s, s) for o, n, s in sizes)]
    result[tuple(where)] = part
    return result


def _mask_of(op: Operation, sizes: Sequence[Value]) -> Array:
    shape = shape_of(op.results[0].type)
    mask = np.zeros(shape, np.bool_)
    if shape:
        mask[tuple(slice(0, max(0, size)) for size in sizes)] = True
    else:
        mask[...] = sizes[0] > 0
    return mask


# Reductions -------------------------------------------------------------------------------


def _kind(op: Operation) -> str:
    """The kind of the op's reduction; addition by default."""
    kind = attribute(op, "kind")
    if kind is None:
        return "add"
    data = getattr(kind, "data", None)
    return str(data) if data is not None else str(kind).split("<")[-1].rstrip(">")


def _fold(
    op: Operation,
    vector: Array,
    dimensions: Sequence[int],
    start: Value,
    mask: Array | None,
) -> Value:
    """
    The reduction of the vector along the dimensions, in the order of the elements, from
    `start` on if there is one. Elements where the mask is false are left out.
    """
    type = op.results[0].type
    kept = [d for d in range(vector.ndim) if d not in dimensions]
    order = [*dimensions, *kept]
    shape = [vector.shape[d] for d in kept]
    steps = vector.transpose(order).reshape(-1, *shape)
    masks = None if mask is None else mask.transpose(order).reshape(-1, *shape)
    combine = combining(_kind(op), type)
    result = start
    if start is None and (masks is not None or not len(steps)):
        result = np.full(shape, neutral(_kind(op), element_type(type)))
    for position, step in enumerate(steps):
        if result is None:
            result = step
            continue
        combined = combine(result, step)
        # Without a mask, no element is left out.
        result = (
            combined if masks is None else _where(masks[position], combined, result)
        )
    return wrap(type, result)


_where: Callable[..., Value] = np.where


def _reduction(
    op: Operation, operands: Sequence[Value], mask: Array | None = None
) -> Value:
    vector, *start = operands
    return _fold(op, vector, [0] * vector.ndim, start[0] if start else None, mask)


def _multi_reduction(
    op: Operation, operands: Sequence[Value], mask: Array | None = None
) -> Value:
    vector, start = operands
    return _fold(op, vector, integers(op, "reduction_dims"), start, mask)


def _scan(op: Operation, operands: Sequence[Value]) -> tuple[Array, Array]:
    """The partial reductions along a dimension, and the last one."""
    vector, start = operands
    dimension = integer(op, "reduction_dim")
    inclusive = bool(integer(op, "inclusive"))
    elements = np.moveaxis(vector, dimension, 0)
    combine = combining(_kind(op), op.results[1].type)
    sums = [elements[0] if inclusive else start]
    for element in elements[1:] if inclusive else elements[:-1]:
        sums.append(combine(sums[-1], element))
    return np.stack(sums, axis=dimension), np.array(sums[-1])


def _outerproduct(
    op: Operation, operands: Sequence[Value], mask: Array | None = None
) -> Value:
    left, right, *start = operands
    type = op.results[0].type
    outer = left[:, None] if np.ndim(right) else left
    result = combining("mul", type)(outer, right)
    if start:
        combined = combining(_kind(op), type)(start[0], result)
        result = combined if mask is None else _where(mask, combined, start[0])
    elif mask is not None:
        result = _where(mask, result, np.zeros_like(result))
    return wrap(type, result)


def _contract(
    op: Operation, operands: Sequence[Value], mask: Array | None = None
) -> Value:
    """Each sum starts with the accumulator, and iterates the dimensions in their order."""
    attributes = known_attribute(op, "indexing_maps", ArrayAttr)
    maps = [map.data for map in attributes if isinstance(map, AffineMapAttr)]
    left, right, start = operands
    type = op.results[0].type
    kept = _positions(maps[2])
    dims = range(maps[0].num_dims)
    summed = [dimension for dimension in dims if dimension not in kept]
    element = element_type(type)
    product = combining("mul", element)(
        wrap(element, _spread(left, maps[0])), wrap(element, _spread(right, maps[1]))
    )
    order = [*kept, *summed]
    masked = None if mask is None else mask.transpose(order)
    folded = range(len(kept), len(order))
    return _fold(op, product.transpose(order), folded, start, masked)


def _positions(map: AffineMap) -> Sequence[int]:
    """The dimensions that the results are."""
    return [expr.position for expr in map.results if isinstance(expr, AffineDimExpr)]


def _spread(vector: Array, map: AffineMap) -> Array:
    """The vector along the dimensions of the map, with size 1 along all others."""
    positions = _positions(map)
    ordered = vector.transpose(np.argsort(positions))
    shape = [1] * map.num_dims
    for position, size in zip(positions, vector.shape, strict=True):
        shape[position] = size
    return ordered.reshape(shape)


Maskable = Callable[[Operation, Sequence[Value], Any], Value]

MASKABLE: Mapping[str, Maskable] = {
    "vector.contract": _contract,
    "vector.multi_reduction": _multi_reduction,
    "vector.outerproduct": _outerproduct,
    "vector.reduction": _reduction,
}
"""By op name: a function of the op, its operands, and the mask around it."""

VECTOR_OPS: Mapping[str, ScalarFunction] = {
    "vector.bitcast": _bitcast,
    "vector.broadcast": _broadcast,
    "vector.constant_mask": lambda op, operands: _mask_of(
        op, integers(op, "mask_dim_sizes")
    ),
    "vector.contract": _contract,
    "vector.create_mask": lambda op, operands: _mask_of(op, operands),
    "vector.deinterleave": lambda op, operands: (
        operands[0][..., ::2],
        operands[0][..., 1::2],
    ),
    "vector.extract": _extract,
    "vector.extract_strided_slice": _extract_strided_slice,
    "vector.extractelement": _extract,
    "vector.from_elements": _from_elements,
    "vector.insert": _insert,
    "vector.insert_strided_slice": _insert_strided_slice,
    "vector.insertelement": _insert,
    "vector.interleave": lambda op, operands: np.stack(operands, axis=-1).reshape(
        shape_of(op.results[0].type)
    ),
    "vector.multi_reduction": _multi_reduction,
    "vector.outerproduct": _outerproduct,
    "vector.reduction": _reduction,
    "vector.scan": _scan,
    "vector.shape_cast": lambda op, operands: operands[0].reshape(
        shape_of(op.results[0].type)
    ),
    "vector.splat": _broadcast,
    "vector.step": lambda op, operands: np.arange(
        *shape_of(op.results[0].type), dtype=np.int64
    ),
    "vector.to_elements": lambda op, operands: tuple(operands[0].reshape(-1)),
    "vector.transpose": lambda op, operands: operands[0].transpose(
        integers(op, "permutation")
    ),
}
"""By op name: ops whose results are a function of their operands."""
