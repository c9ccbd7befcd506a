"""
linalg: structured ops are run by `structured.py`, from their indexing maps and bodies; packing
moves elements of arrays.

Source: https://mlir.llvm.org/docs/Dialects/Linalg/

The indexing maps of linalg's named ops.

Source: https://mlir.llvm.org/docs/Dialects/Linalg/
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import ClassVar

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
from xdsl_bufferization.semantics.dialects.math import precisely
from xdsl_bufferization.semantics.errors import (
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.semantics.interpreter import DialectFunctions, impl_named
from xdsl_bufferization.semantics.structured import iterate
from xdsl_bufferization.semantics.values import (
    Array,
    MemRef,
    Value,
    integer,
    segments,
)
from xdsl_bufferization.support.attributes import attribute, integers
from xdsl_bufferization.support.names import op_name

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


class LinalgFunctions(DialectFunctions):
    terminators: ClassVar = ("linalg.yield",)

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

    @impl_named("linalg.pack")
    def pack(self, op: Operation, *operands: Value) -> Value:
        (source,), (output,), padding, _ = segments(op, operands)
        elements = self.memory.contents(source, op)
        packed = pack(op, elements, output.shape, padding[0] if padding else None)
        return self._overwrite(op, output, packed)

    @impl_named("linalg.unpack")
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
