"""
vector: ops that move elements between vectors and memrefs or tensors, masks, and ops that are
functions of their operands.

Source: https://mlir.llvm.org/docs/Dialects/Vector/
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, ShapedType
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineExpr, AffineMap

from xdsl_bufferization.semantics.dialects.arith import combining, neutral, width_of
from xdsl_bufferization.semantics.dialects.math import MathFunctions
from xdsl_bufferization.semantics.dialects.shared import (
    along_last_dimensions,
    from_elements,
    in_bounds,
    load_masked,
    store_masked,
)
from xdsl_bufferization.semantics.errors import (
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.semantics.interpreter import (
    DialectFunctions,
    OpFunction,
    impl_named,
)
from xdsl_bufferization.semantics.structured import (
    loop_sizes,
    pure_dimensions,
    strided_view,
)
from xdsl_bufferization.semantics.values import (
    VECTOR,
    Array,
    MemRef,
    Value,
    dtype_of,
    element_type,
    integer,
    mixed,
    result_type,
    segments,
    shape_of,
    wrap,
)
from xdsl_bufferization.support.attributes import attribute, integers, known_attribute
from xdsl_bufferization.support.names import op_name

# Other shapes -----------------------------------------------------------------------------


def _bitcast(op: Operation, vector: Array) -> Array:
    type = result_type(op)
    for shaped in (op.operands[0].type, type):
        if _is_packed(element_type(shaped)):
            raise MissingSemanticsError(f"elements of {shaped} are less than a byte")
    dtype = dtype_of(type)
    return np.ascontiguousarray(vector).view(dtype).reshape(shape_of(type))


def _is_packed(element: Attribute) -> bool:
    return 8 * dtype_of(element).itemsize > width_of(element) and width_of(element) < 64


def _broadcast(op: Operation, source: Value) -> Array:
    return np.broadcast_to(source, shape_of(result_type(op)))


# Elements and parts -----------------------------------------------------------------------


def _position(
    op: Operation, vector: Array, dynamic: Sequence[Value]
) -> tuple[Value, ...]:
    """The indices, of the first dimensions, that the op extracts from or inserts into."""
    indices = dynamic
    if attribute(op, "static_position") is not None:
        indices = mixed(integers(op, "static_position"), dynamic)
    return in_bounds(vector.shape[: len(indices)], indices)


def _extract(op: Operation, vector: Array, *dynamic: Value) -> Value:
    part = vector[_position(op, vector, dynamic)]
    return np.array(part) if isinstance(result_type(op), ShapedType) else part


def _insert(op: Operation, part: Value, vector: Array, *dynamic: Value) -> Array:
    result = np.array(vector)
    result[_position(op, vector, dynamic)] = part
    return result


def _extract_strided_slice(op: Operation, vector: Array) -> Array:
    return vector[_slices(op, integers(op, "offsets"), integers(op, "sizes"))]


def _insert_strided_slice(op: Operation, part: Array, vector: Array) -> Array:
    offsets = integers(op, "offsets")
    first = vector.ndim - part.ndim
    result = np.array(vector)
    result[(*offsets[:first], *_slices(op, offsets[first:], part.shape))] = part
    return result


def _slices(
    op: Operation, offsets: Sequence[int], sizes: Sequence[int]
) -> tuple[slice, ...]:
    slices = zip(offsets, sizes, integers(op, "strides"), strict=True)
    return tuple(slice(o, o + n * s, s) for o, n, s in slices)


def _mask_of(op: Operation, *sizes: Value) -> Array:
    shape = shape_of(result_type(op))
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
    type = result_type(op)
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
    op: Operation, vector: Array, *start: Value, mask: Array | None = None
) -> Value:
    return _fold(op, vector, [0] * vector.ndim, start[0] if start else None, mask)


def _multi_reduction(
    op: Operation, vector: Array, start: Value, mask: Array | None = None
) -> Value:
    return _fold(op, vector, integers(op, "reduction_dims"), start, mask)


def _scan(op: Operation, vector: Array, start: Array) -> tuple[Array, Array]:
    """The partial reductions along a dimension, and the last one."""
    dimension = integer(op, "reduction_dim")
    inclusive = bool(integer(op, "inclusive"))
    elements = np.moveaxis(vector, dimension, 0)
    combine = combining(_kind(op), op.results[1].type)
    sums = [elements[0] if inclusive else start]
    for element in elements[1:] if inclusive else elements[:-1]:
        sums.append(combine(sums[-1], element))
    return np.stack(sums, axis=dimension), np.array(sums[-1])


def _outerproduct(
    op: Operation, left: Array, right: Value, *start: Array, mask: Array | None = None
) -> Value:
    type = result_type(op)
    outer = left[:, None] if np.ndim(right) else left
    result = combining("mul", type)(outer, right)
    if start:
        combined = combining(_kind(op), type)(start[0], result)
        result = combined if mask is None else _where(mask, combined, start[0])
    elif mask is not None:
        result = _where(mask, result, np.zeros_like(result))
    return wrap(type, result)


def _contract(
    op: Operation, left: Array, right: Array, start: Value, mask: Array | None = None
) -> Value:
    """Each sum starts with the accumulator, and iterates the dimensions in their order."""
    attributes = known_attribute(op, "indexing_maps", ArrayAttr)
    maps = [map.data for map in attributes if isinstance(map, AffineMapAttr)]
    kept = [d for d in pure_dimensions(maps[2]) if d is not None]
    sizes = loop_sizes((left, right, start), maps)
    dims = range(len(sizes))
    summed = [dimension for dimension in dims if dimension not in kept]
    element = element_type(result_type(op))
    operands = (left, maps[0]), (right, maps[1])
    product = combining("mul", element)(
        *(wrap(element, strided_view(v, map, sizes)) for v, map in operands)
    )
    order = [*kept, *summed]
    masked = None if mask is None else mask.transpose(order)
    folded = range(len(kept), len(order))
    return _fold(op, product.transpose(order), folded, start, masked)


MASKABLE: Mapping[str, OpFunction] = {
    "vector.contract": _contract,
    "vector.multi_reduction": _multi_reduction,
    "vector.outerproduct": _outerproduct,
    "vector.reduction": _reduction,
}
"""By op name: a function of the op, its operands, and maybe the mask around it."""

VECTOR_OPS: Mapping[str, OpFunction] = {
    **MASKABLE,
    "vector.bitcast": _bitcast,
    "vector.broadcast": _broadcast,
    "vector.constant_mask": lambda op: _mask_of(op, *integers(op, "mask_dim_sizes")),
    "vector.create_mask": _mask_of,
    "vector.deinterleave": lambda op, *vectors: (
        vectors[0][..., ::2],
        vectors[0][..., 1::2],
    ),
    "vector.extract": _extract,
    "vector.extract_strided_slice": _extract_strided_slice,
    "vector.extractelement": _extract,
    "vector.from_elements": from_elements,
    "vector.insert": _insert,
    "vector.insert_strided_slice": _insert_strided_slice,
    "vector.insertelement": _insert,
    "vector.interleave": lambda op, *vectors: np.stack(vectors, axis=-1).reshape(
        shape_of(result_type(op))
    ),
    "vector.scan": _scan,
    "vector.shape_cast": lambda op, *vectors: vectors[0].reshape(
        shape_of(result_type(op))
    ),
    "vector.splat": _broadcast,
    "vector.step": lambda op: np.arange(*shape_of(result_type(op)), dtype=np.int64),
    "vector.to_elements": lambda op, *vectors: tuple(vectors[0].reshape(-1)),
    "vector.transpose": lambda op, *vectors: vectors[0].transpose(
        integers(op, "permutation")
    ),
}
"""By op name: ops whose results are a function of their operands."""


def _transferred(
    op: Operation,
    moved_with: MemRef | Array,
    indices: Sequence[Value],
    vector: Sequence[int],
    own: Sequence[Sequence[Array]],
    around: Array | None,
) -> tuple[list[Value], Array]:
    """
    The elements that the op moves between a tensor or memref, from the indices on, and a
    vector of shape `vector`: their indices, and the mask of those that are moved. The op may have
    a mask of its `own`, or one `around` it. An element may be a vector, whose dimensions are the
    last ones of `vector`.

    Raises `UndefinedBehaviorError` if an element that `in_bounds` covers is out of bounds.
    """
    mask = own[0][0] if around is None and own and own[0] else around
    source = moved_with.shape
    if moved_with.dtype.names:
        vector = vector[: len(vector) - len(moved_with.dtype[VECTOR].shape)]
    map = attribute(op, "permutation_map")
    map = (
        map.data
        if isinstance(map, AffineMapAttr)
        else AffineMap.minor_identity(len(source), len(vector))
    )
    dimensions = pure_dimensions(map)
    zero = AffineExpr.constant(0)
    if any(
        d is None and r != zero for d, r in zip(dimensions, map.results, strict=True)
    ):
        raise MissingSemanticsError(f"the permutation map {map} has no meaning here")
    in_bounds = [bool(value) for value in integers(op, "in_bounds")]
    moved_indices: list[Value] = list(indices)
    moved = np.ones(tuple(vector), np.bool_)
    if mask is not None:
        moved &= _along_vector(mask, dimensions)
    wanted = moved.copy()
    # The index of a dimension that the vector does not extend along has to be in bounds.
    promised = [True] * len(source)
    steps = np.ix_(*(np.arange(size) for size in vector))
    for axis, dimension in enumerate(dimensions):
        if dimension is not None:
            moved_indices[dimension] = moved_indices[dimension] + steps[axis]
            promised[dimension] = bool(in_bounds) and in_bounds[axis]
    for dimension, (index, size) in enumerate(zip(moved_indices, source, strict=True)):
        exists = np.greater_equal(index, 0) & np.less(index, size)
        if promised[dimension] and np.any(wanted & ~exists):
            raise UndefinedBehaviorError(
                f"dimension {dimension} of size {size} is said to have all the indices "
                f"{np.unique(index).tolist()}"
            )
        moved &= exists
    return moved_indices, moved


def _along_vector(mask: Array, dimensions: Sequence[int | None]) -> Array:
    """The mask, transposed from the order of the source's dimensions to the vector's order."""
    used = sorted(dimension for dimension in dimensions if dimension is not None)
    permuted = mask.transpose([used.index(d) for d in dimensions if d is not None])
    return permuted[tuple(None if d is None else slice(None) for d in dimensions)]


class VectorFunctions(DialectFunctions):
    terminators: ClassVar = ("vector.yield",)
    without_effects: ClassVar = ("vector.print",)

    pure: ClassVar = VECTOR_OPS
    scalar: ClassVar = {"vector.fma": MathFunctions.scalar["math.fma"]}

    @impl_named("vector.shuffle")
    def shuffle(self, op: Operation, *vectors: Array) -> Array:
        elements = np.concatenate([np.atleast_1d(vector) for vector in vectors])
        mask = np.array(integers(op, "mask"), np.int64)
        shape = shape_of(result_type(op))
        result = self.memory.uninitialised(shape, elements.dtype, op)
        # Where the mask is -1, the element is poison.
        known = mask >= 0
        result[known] = elements[mask[known]]
        return result

    # Memory

    @impl_named("vector.load")
    def load(self, op: Operation, source: MemRef, *indices: Value) -> Array:
        elements = along_last_dimensions(indices, shape_of(result_type(op)))
        return np.array(self.memory.load(source, elements, op))

    @impl_named("vector.store")
    def store(
        self, op: Operation, vector: Array, target: MemRef, *indices: Value
    ) -> None:
        elements = along_last_dimensions(indices, vector.shape)
        self.memory.store(target, elements, vector, op)

    @impl_named("vector.maskedload", "vector.expandload", "vector.gather")
    def masked_load(
        self, op: Operation, source: MemRef | Array, *operands: Value
    ) -> Array:
        *indices, mask, otherwise = operands
        elements = _indices_of(op, indices, mask)
        return load_masked(self.memory, op, source, elements, mask, otherwise)

    @impl_named("vector.maskedstore", "vector.compressstore", "vector.scatter")
    def masked_store(
        self, op: Operation, target: MemRef | Array, *operands: Value
    ) -> Array | None:
        *indices, mask, vector = operands
        elements = _indices_of(op, indices, mask)
        return store_masked(self.memory, op, target, elements, mask, vector)

    @impl_named("vector.transfer_read")
    def transfer_read(
        self, op: Operation, *operands: Value, mask: Array | None = None
    ) -> Array:
        (source,), indices, (padding,), *own = segments(op, operands)
        shape = shape_of(result_type(op))
        elements, moved = _transferred(op, source, indices, shape, own, mask)
        return load_masked(self.memory, op, source, elements, moved, padding)

    @impl_named("vector.transfer_write")
    def transfer_write(
        self, op: Operation, *operands: Value, mask: Array | None = None
    ) -> Array | None:
        (vector,), (target,), indices, *own = segments(op, operands)
        elements, moved = _transferred(op, target, indices, vector.shape, own, mask)
        return store_masked(self.memory, op, target, elements, moved, vector)

    # Masks

    @impl_named("vector.mask")
    def mask(self, op: Operation, mask: Array, *otherwise: Array) -> Value:
        *masked, end = op.regions[0].block.ops
        if not masked:
            return self.interpreter.get_values(end.operands)
        (op_in_mask,) = masked
        values = self.interpreter.get_values(op_in_mask.operands)
        match op_name(op_in_mask):
            case "vector.transfer_read":
                result = self.transfer_read(op_in_mask, *values, mask=mask)
                return np.where(mask, result, otherwise[0]) if otherwise else result
            case "vector.transfer_write":
                return self.transfer_write(op_in_mask, *values, mask=mask)
            case name if name in MASKABLE:
                return MASKABLE[name](op_in_mask, *values, mask=mask)
            case name:
                raise MissingSemanticsError(f"{name} has no semantics in a mask")


def _indices_of(op: Operation, indices: Sequence[Value], mask: Array) -> list[Value]:
    """The indices of the elements that an op with a mask accesses."""
    match op_name(op):
        case "vector.gather" | "vector.scatter":
            *first, last, along = indices
            return [*first, last + along]
        case "vector.expandload" | "vector.compressstore":
            # Consecutive ones for the true elements of the mask.
            return [*indices[:-1], indices[-1] + np.cumsum(mask) - 1]
        case _:
            return along_last_dimensions(indices, mask.shape)
