"""
The layouts of memref types: offset and strides, and whether a memref has the layout of a type.

Source: https://mlir.llvm.org/docs/Dialects/Builtin/#layout
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    MemRefType,
    StridedLayoutAttr,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineDimExpr,
    AffineMap,
)

from xdsl_bufferization.semantics.errors import (
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.semantics.memory.buffers import MemRef, contiguous_strides
from xdsl_bufferization.semantics.values import Value, element_type, memory_dtype_of
from xdsl_bufferization.support.memref_types import (
    has_identity_layout,
    strides_and_offset,
)


def has_type(memref: MemRef, type: Attribute) -> MemRef:
    """
    The memref, checked: raises `UndefinedBehaviorError` if element type, sizes, offset or
    strides differ from the type. Strides of dimensions of size 1 do not matter.
    """
    if memref.dtype != memory_dtype_of(element_type(type)):
        raise UndefinedBehaviorError(f"a memref of {memref.dtype} is no '{type}'")
    if isinstance(type, UnrankedMemRefType):
        return memref
    ranked = cast("MemRefType[Attribute]", type)
    wanted = ranked.get_shape()
    if len(wanted) != len(memref.sizes) or any(
        want not in (have, DYNAMIC_INDEX)
        for have, want in zip(memref.sizes, wanted, strict=True)
    ):
        raise UndefinedBehaviorError(
            f"a memref of sizes {list(memref.sizes)} is no '{type}'"
        )
    if not memref.size:
        return memref
    offset, strides = _known_layout(ranked, memref.sizes)
    if offset not in (memref.offset, None) or any(
        size > 1 and want not in (have, None)
        for size, have, want in zip(memref.sizes, memref.strides, strides, strict=True)
    ):
        raise UndefinedBehaviorError(
            f"a memref of sizes {list(memref.sizes)} with offset {memref.offset} and "
            f"strides {list(memref.strides)} is no '{type}'"
        )
    return memref


def layout_with(
    type: MemRefType[Attribute], sizes: Sequence[int], symbols: Sequence[Value]
) -> tuple[int, tuple[int, ...]]:
    """
    Offset and strides of a memref of the type, with these sizes and values of symbols.
    """
    match type.layout:
        case AffineMapAttr(data=map) if not has_identity_layout(type):
            if (permuted := _permuted_strides(map, sizes)) is not None:
                return 0, permuted
            return _linear(map, [int(symbol) for symbol in symbols])
        case StridedLayoutAttr() as strided:
            given = iter(symbols)
            offset, *strides = (
                int(next(given, 0)) if number is None else number
                for number in (strided.get_offset(), *strided.get_strides())
            )
            return offset, tuple(strides)
        case _:
            return 0, contiguous_strides(sizes)


def layout_of(
    type: Attribute, sizes: Sequence[int], *, gaps: bool = False
) -> tuple[int, tuple[int, ...]]:
    """
    Offset and strides for new memory of the type. Where a ranked type leaves them open,
    the elements are contiguous or, with `gaps`, unused memory precedes the first element
    and lies between the others. Raises `UndefinedBehaviorError` for sizes of another rank.
    """
    if not isinstance(type, MemRefType):
        return 0, contiguous_strides(sizes)
    if len(sizes) != type.get_num_dims():
        raise UndefinedBehaviorError(f"{list(sizes)} are no sizes of a '{type}'")
    known_offset, known_strides = _known_layout(type, sizes)
    strides: list[int] = []
    span = 0
    for size, known in zip(reversed(sizes), reversed(known_strides), strict=True):
        stride = known
        if stride is None:
            stride = span + 1 + gaps
        strides.append(stride)
        span += max(size - 1, 0) * abs(stride)
    offset = 3 * gaps if known_offset is None else known_offset
    return offset, tuple(reversed(strides))


def _known_layout(
    type: MemRefType[Attribute], sizes: Sequence[int]
) -> tuple[int | None, Sequence[int | None]]:
    """Offset and strides of a memref of the type and sizes; `None` where left open."""
    if has_identity_layout(type):
        return 0, contiguous_strides(sizes)
    if isinstance(type.layout, AffineMapAttr):
        permuted = _permuted_strides(type.layout.data, sizes)
        if permuted is not None:
            return 0, permuted
    strides, offset = strides_and_offset(type)
    return offset, strides


def _permuted_strides(map: AffineMap, sizes: Sequence[int]) -> tuple[int, ...] | None:
    """The strides if the map is a permutation, and so gives the order in memory."""
    order = [e.position for e in map.results if isinstance(e, AffineDimExpr)]
    if len(order) < 2 or sorted(order) != list(range(len(map.results))):
        return None
    strides = contiguous_strides([sizes[dimension] for dimension in order])
    return tuple(strides[order.index(dimension)] for dimension in range(len(sizes)))


def _linear(map: AffineMap, symbols: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    linear = (AffineBinaryOpKind.Add, AffineBinaryOpKind.Mul)
    if len(map.results) != 1 or any(
        isinstance(expr, AffineBinaryOpExpr) and expr.kind not in linear
        for expr in map.results[0].dfs()
    ):
        raise MissingSemanticsError(f"the layout {map} is not strided")
    dimensions = range(map.num_dims)
    (offset,) = map.eval([0] * map.num_dims, symbols)
    strides = (
        map.eval([int(i == dimension) for i in dimensions], symbols)[0] - offset
        for dimension in dimensions
    )
    return offset, tuple(strides)
