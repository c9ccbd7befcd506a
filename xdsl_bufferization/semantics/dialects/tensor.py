"""
tensor and linalg: results are new arrays, or views of arrays that are never changed; structured ops
are run by `structured.py`, from their indexing maps and bodies; packing moves elements of arrays.

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/, https://mlir.llvm.org/docs/Dialects/Linalg/
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar

import numpy as np
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, ShapedType
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineExpr, AffineMap

from xdsl_bufferization.dialects.linalg.indexing import (
    ELEMENTWISE,
    LOOPS,
    Tiling,
    maps_of,
)
from xdsl_bufferization.semantics.dialects.arith import bitcast
from xdsl_bufferization.semantics.dialects.math import precisely
from xdsl_bufferization.semantics.dialects.shared import (
    checked_sizes,
    filled,
    from_elements,
    in_bounds,
    kept_dimensions,
    size_of_dimension,
    slice_of,
    uninitialised,
    write_slice,
)
from xdsl_bufferization.semantics.errors import (
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.semantics.interpreter import (
    DialectFunctions,
    OpFunction,
    ReferenceInterpreter,
    impl_named,
)
from xdsl_bufferization.semantics.structured import iterate
from xdsl_bufferization.semantics.values import (
    Array,
    MemRef,
    Value,
    dtype_of,
    integer,
    mixed,
    numbers_of,
    result_type,
    segments,
    shape_of,
)
from xdsl_bufferization.support.attributes import attribute, integers, reassociation
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.shaped_types import are_shapes_compatible, ranked_tensor

_SHAPED_ALIKE = {*ELEMENTWISE, "map", "max_unsigned", "min_unsigned"}
"""Ops whose operands have the shape of the output, or are scalars."""

NAMES = frozenset(
    {*_SHAPED_ALIKE, *LOOPS}
    | {"broadcast", "contract", "generic", "reduce", "transpose"}
)
"""All ops with indexing maps, without the prefix `linalg.`."""


def indexing_maps(op: Operation) -> Sequence[AffineMap]:
    """
    For each operand the map from points of the iteration space to the operand's elements.

    Raises `MissingSemanticsError` for an op without such maps.
    """
    match attribute(op, "indexing_maps"):
        case ArrayAttr() as array:
            maps = [map.data for map in array if isinstance(map, AffineMapAttr)]
        case _:
            maps = _named(op)
    if len(maps) != len(op.operands):
        raise MissingSemanticsError(
            f"has {len(op.operands)} operands, but indexing maps for {len(maps)}"
        )
    return maps


def _named(op: Operation) -> Sequence[AffineMap]:
    name = op_name(op).removeprefix("linalg.")
    rank = _rank(op.operands[-1].type)
    match name:
        case "broadcast":
            added = integers(op, "dimensions")
            kept = [d for d in range(rank) if d not in added]
            return _projection(rank, kept), AffineMap.identity(rank)
        case "transpose":
            permutation = integers(op, "permutation")
            rank = len(permutation)
            if sorted(permutation) != [*range(rank)]:
                raise MissingSemanticsError(f"{list(permutation)} is not a permutation")
            inverse = [permutation.index(d) for d in range(rank)]
            return _projection(rank, inverse), AffineMap.identity(rank)
        case "reduce":
            inputs = len(op.operands) // 2
            rank, reduced = _rank(op.operands[0].type), integers(op, "dimensions")
            kept = [d for d in range(rank) if d not in reduced]
            return (
                *[AffineMap.identity(rank)] * inputs,
                *[_projection(rank, kept)] * inputs,
            )
        case _ if name in _SHAPED_ALIKE:
            return [_projection(rank, range(_rank(type))) for type in op.operand_types]
        case _ if (text := LOOPS.get(name)) is None:
            raise MissingSemanticsError("needs an attribute 'indexing_maps'")
        case _:
            windows = text.count("(")
            strides = integers(op, "strides") or (1,) * windows
            dilations = integers(op, "dilations") or (1,) * windows
            if not len(strides) == len(dilations) == windows:
                raise MissingSemanticsError(f"needs {windows} strides, and dilations")
            return maps_of(text, strides, dilations)


def _rank(type: Attribute) -> int:
    return type.get_num_dims() if isinstance(type, ShapedType) else 0


def _projection(rank: int, dimensions: Sequence[int]) -> AffineMap:
    """The map from a space of that rank to the given dimensions."""
    if not {*dimensions} <= {*range(rank)}:
        raise MissingSemanticsError(f"has no {rank} dimensions {list(dimensions)}")
    return AffineMap(rank, 0, tuple(map(AffineExpr.dimension, dimensions)))


def pack(op: Operation, source: Array, shape: Sequence[int], padding: Value) -> Array:
    """
    The packed tensor of that shape. If `padding` is `None`, all tiles have to be full.
    """
    groups = _tiled_dimensions(op, source.ndim, shape)
    tiled = [_product(shape, group) for group in groups]
    for size, whole, group in zip(source.shape, tiled, groups, strict=True):
        tile = _product(shape, group[1:])
        fits = size <= whole < size + tile if tile else not size
        if not fits or (padding is None and size != whole):
            raise _misfit(source.shape, shape)
    padded = source
    if source.shape != tuple(tiled):
        padded = np.full(tiled, padding, source.dtype)
        padded[tuple(map(slice, source.shape))] = source
    order = [dim for group in groups for dim in group]
    split = padded.reshape([shape[dim] for dim in order])
    return split.transpose(np.argsort(order))


def unpack(op: Operation, packed: Array, shape: Sequence[int]) -> Array:
    """The unpacked tensor of that shape, without padding."""
    groups = _tiled_dimensions(op, len(shape), packed.shape)
    split = packed.transpose([dim for group in groups for dim in group])
    tiled = [_product(packed.shape, group) for group in groups]
    for size, whole, group in zip(shape, tiled, groups, strict=True):
        if size > whole or (len(group) == 1 and size != whole):
            raise _misfit(shape, packed.shape)
    return split.reshape(tiled)[tuple(map(slice, shape))]


def _tiled_dimensions(
    op: Operation, rank: int, packed: Sequence[int]
) -> Sequence[Sequence[int]]:
    """For each unpacked dimension its packed ones."""
    tiling = Tiling.of(op, rank)
    if tiling is None or sum(map(len, tiling.groups)) != len(packed):
        raise MissingSemanticsError("has tiles that do not fit its types")
    return tiling.groups


def _product(sizes: Sequence[int], dimensions: Sequence[int]) -> int:
    return prod(sizes[dimension] for dimension in dimensions)


def _misfit(unpacked: Sequence[int], packed: Sequence[int]) -> UndefinedBehaviorError:
    return UndefinedBehaviorError(
        f"a tensor of shape {list(unpacked)} does not fill the tiles of one of shape "
        f"{list(packed)}"
    )


def _outputs(op: Operation) -> int:
    """The number of outputs, which are the last operands."""
    if sizes := integers(op, "operandSegmentSizes"):
        return sizes[-1]
    return len(op.operands) // 2 if op_name(op) == "linalg.reduce" else 1


def _softmax(elements: Array, dimension: int) -> Array:
    """As in MLIR's decomposition, with a sum in the order of the elements."""
    by_row = np.moveaxis(elements, dimension, 0)
    lowest = by_row.dtype.type(-np.inf)
    largest = np.fmax.reduce(by_row, axis=0, initial=lowest)
    powers = precisely(np.exp)(by_row - largest)
    start = np.zeros_like(powers[:1])
    terms = np.concatenate([start, powers])
    sums = np.add.accumulate(terms, axis=0, dtype=terms.dtype)
    return np.moveaxis(np.divide(powers, sums[-1]), 0, dimension)


def _extract(op: Operation, source: Array, *indices: Value) -> Value:
    return numbers_of(source[in_bounds(source.shape, indices)])


def _splat(op: Operation, element: Value, *sizes: Value) -> Array:
    return filled(op, checked_sizes(shape_of(result_type(op), sizes)), element)


def _insert(op: Operation, element: Value, into: Array, *indices: Value) -> Array:
    result = np.array(into)
    numbers_of(result)[in_bounds(into.shape, indices)] = element
    return result


def _gather(op: Operation, source: Array, coordinates: Array) -> Array:
    parts = source[_gathered(op, "gather_dims", source, coordinates)]
    shape = parts.shape
    if ranked_tensor(result_type(op)).get_num_dims() != parts.ndim:
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
    type = result_type(op)
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


def _collapse_shape(op: Operation, source: Array) -> Array:
    return source.reshape([_product(source.shape, g) for g in reassociation(op)])


def _expand_shape(op: Operation, source: Array, *sizes: Value) -> Array:
    shape = mixed(integers(op, "static_output_shape"), sizes)
    for size, group in zip(source.shape, reassociation(op), strict=True):
        parts = [shape[dimension] for dimension in group]
        if prod(parts) != size or any(part < 0 for part in parts):
            raise UndefinedBehaviorError(f"size {size} is expanded to {parts}")
    return source.reshape(shape)


def _reshape(op: Operation, source: Array, sizes: Array) -> Array:
    shape = checked_sizes(sizes.tolist())
    if prod(shape) != source.size:
        raise UndefinedBehaviorError(
            f"a tensor of shape {list(source.shape)} is reshaped to {list(shape)}"
        )
    return source.reshape(shape)


def _cast(op: Operation, tensor: Array) -> Array:
    """Raises `UndefinedBehaviorError` for sizes unlike the result type's."""
    type = result_type(op)
    if isinstance(type, ShapedType) and not are_shapes_compatible(
        tensor.shape, type.get_shape()
    ):
        raise UndefinedBehaviorError(
            f"a tensor of shape {list(tensor.shape)} is taken for a {type}"
        )
    return tensor


def _of_type(function: OpFunction) -> OpFunction:
    """A function that returns a tensor, which has to be of the result's type."""
    return lambda op, *operands: _cast(op, np.asarray(function(op, *operands)))


class TensorFunctions(DialectFunctions):
    """tensor and linalg."""

    terminators: ClassVar = ("linalg.yield", "tensor.yield")

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
        "tensor.from_elements": from_elements,
        "tensor.gather": _gather,
        "tensor.insert": _insert,
        "tensor.insert_slice": _insert_slice,
        "tensor.reshape": _of_type(_reshape),
        "tensor.scatter": _scatter,
        "tensor.splat": _splat,
    }

    # linalg

    @impl_named(*(f"linalg.{name}" for name in NAMES - {"copy"}))
    def structured(self, op: Operation, *operands: Value) -> tuple[Value, ...]:
        maps = indexing_maps(op)
        return tuple(iterate(self.interpreter, op, operands, maps, _outputs(op)))

    @impl_named("linalg.copy")
    def copy(self, op: Operation, *operands: Value) -> tuple[Value, ...]:
        match operands:
            case MemRef() as source, MemRef() as target if source.dtype == target.dtype:
                self.memory.copy(source, target, op)
                return ()
            case _:
                return self.structured(op, *operands)

    @impl_named("linalg.index")
    def index(self, op: Operation) -> Value:
        dimension = integer(op, "dim")
        indices = self.interpreter.indices
        if not indices or dimension >= len(indices[-1]):
            raise MissingSemanticsError(f"there is no loop {dimension} around")
        return indices[-1][dimension]

    @impl_named("linalg.pack", "tensor.pack")
    def pack(self, op: Operation, *operands: Value) -> Value:
        (source,), (output,), padding, _ = segments(op, operands)
        elements = self.memory.contents(source, op)
        packed = pack(op, elements, output.shape, padding[0] if padding else None)
        return self._overwrite(op, output, packed)

    @impl_named("linalg.unpack", "tensor.unpack")
    def unpack(self, op: Operation, source: Value, output: Value, *_: Value) -> Value:
        elements = self.memory.contents(source, op)
        return self._overwrite(op, output, unpack(op, elements, output.shape))

    @impl_named("linalg.softmax")
    def softmax(self, op: Operation, source: Value, output: Value) -> Value:
        elements = self.memory.contents(source, op)
        return self._overwrite(op, output, _softmax(elements, integer(op, "dimension")))

    def _overwrite(self, op: Operation, output: Value, elements: Array) -> Array | None:
        """Overwrite the output; returns the op's result: a tensor, or none for a memref."""
        if elements.shape != output.shape:
            raise UndefinedBehaviorError(
                f"the result has shape {list(elements.shape)}, the output {output.shape}"
            )
        if not isinstance(output, MemRef):
            return elements
        self.memory.write(output, np.array(elements), op)
        return None

    # tensor

    @impl_named("tensor.empty")
    def empty(self, op: Operation, *sizes: Value) -> Value:
        return uninitialised(self.memory, op, result_type(op), sizes)

    @impl_named("tensor.generate")
    def generate(self, op: Operation, *sizes: Value) -> Array:
        type = result_type(op)
        shape = checked_sizes(shape_of(type, sizes))
        indices = np.indices(shape)
        return _elements_at(self.interpreter, op, indices, dtype_of(type))

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
            self.interpreter, op, np.argwhere(padded).T, source.dtype
        )
        return _cast(op, result)


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
    op: Operation,
    indices: Array,
    dtype: np.dtype[Any],
) -> Array:
    """
    The values that the op's region yields at each of the indices. `indices` has an array for
    each argument of the region; the result has the shape of these.
    """
    result = np.empty(indices.shape[1:], dtype)
    maps = [AffineMap.identity(result.ndim)] * (len(indices) + 1)
    return iterate(interpreter, op, [*indices, result], maps, 1)[0]
