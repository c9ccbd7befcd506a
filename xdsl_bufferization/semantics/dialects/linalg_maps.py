"""
The indexing maps of linalg's named ops.

Source: https://mlir.llvm.org/docs/Dialects/Linalg/
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, ShapedType
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineExpr, AffineMap

from xdsl_bufferization.dialects.linalg.indexing import (
    ELEMENTWISE,
    LOOPS,
    maps_of,
)
from xdsl_bufferization.semantics.errors import MissingSemanticsError
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
    match name:
        case "broadcast":
            return _broadcast(op)
        case "transpose":
            return _transpose(op)
        case "reduce":
            return _reduce(op)
        case _ if name in _SHAPED_ALIKE:
            return _elementwise(op)
        case _:
            return _contraction(op, name)


def _rank(type: Attribute) -> int:
    if not isinstance(type, ShapedType):
        return 0
    return type.get_num_dims()


def _projection(rank: int, dimensions: Sequence[int]) -> AffineMap:
    """The map from a space of that rank to the given dimensions."""
    if not {*dimensions} <= {*range(rank)}:
        raise MissingSemanticsError(f"has no {rank} dimensions {list(dimensions)}")
    return AffineMap(rank, 0, tuple(map(AffineExpr.dimension, dimensions)))


def _elementwise(op: Operation) -> Sequence[AffineMap]:
    rank = _rank(op.operands[-1].type)
    return [_projection(rank, range(_rank(type))) for type in op.operand_types]


def _broadcast(op: Operation) -> Sequence[AffineMap]:
    rank, added = _rank(op.operands[-1].type), integers(op, "dimensions")
    kept = [d for d in range(rank) if d not in added]
    return _projection(rank, kept), AffineMap.identity(rank)


def _transpose(op: Operation) -> Sequence[AffineMap]:
    permutation = integers(op, "permutation")
    rank = len(permutation)
    if sorted(permutation) != [*range(rank)]:
        raise MissingSemanticsError(f"{list(permutation)} is not a permutation")
    inverse = [permutation.index(d) for d in range(rank)]
    return _projection(rank, inverse), AffineMap.identity(rank)


def _reduce(op: Operation) -> Sequence[AffineMap]:
    inputs = len(op.operands) // 2
    rank, reduced = _rank(op.operands[0].type), integers(op, "dimensions")
    kept = [d for d in range(rank) if d not in reduced]
    return [AffineMap.identity(rank)] * inputs + [_projection(rank, kept)] * inputs


def _contraction(op: Operation, name: str) -> Sequence[AffineMap]:
    if (text := LOOPS.get(name)) is None:
        raise MissingSemanticsError("needs an attribute 'indexing_maps'")
    windows = text.count("(")
    strides = integers(op, "strides") or (1,) * windows
    dilations = integers(op, "dilations") or (1,) * windows
    if not len(strides) == len(dilations) == windows:
        raise MissingSemanticsError(f"needs {windows} strides, and dilations")
    return maps_of(text, strides, dilations)
