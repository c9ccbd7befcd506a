"""
Views of memrefs, the same buffer with other offsets, sizes and strides; the layouts of memref
types, offset and strides; and whether a memref has the layout of a type.

Views raise `UndefinedBehaviorError` if there is no such view.

Source: https://mlir.llvm.org/docs/Dialects/Builtin/#layout
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    MemRefType,
    StridedLayoutAttr,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute
from xdsl.ir.affine import (
    AffineDimExpr,
    AffineMap,
)

from xdsl_bufferization.semantics.errors import (
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.semantics.memory.buffers import MemRef, contiguous_strides
from xdsl_bufferization.semantics.values import (
    Value,
    element_type,
    linear,
    memory_dtype_of,
)
from xdsl_bufferization.support.memref_types import (
    has_identity_layout,
    strides_and_offset,
)
from xdsl_bufferization.support.shaped_types import ranked_memref


def has_type(memref: MemRef, type: Attribute) -> MemRef:
    """
    The memref, checked: raises `UndefinedBehaviorError` if element type, sizes, offset or
    strides differ from the type. Strides of dimensions of size 1 do not matter.
    """
    if memref.dtype != memory_dtype_of(element_type(type)):
        raise UndefinedBehaviorError(f"a memref of {memref.dtype} is no '{type}'")
    if isinstance(type, UnrankedMemRefType):
        return memref
    ranked = ranked_memref(type)
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
            *others, offset = map.results
            found = linear(
                offset, map.num_dims, tuple([int(symbol) for symbol in symbols])
            )
            if others or found is None:
                raise MissingSemanticsError(f"the layout {map} is not strided")
            strides, constant = found
            return constant, tuple(strides)
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


def subview(
    memref: MemRef,
    offsets: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int],
    kept: Sequence[int] | None,
) -> MemRef:
    """A part inside the memref's bounds, without the dimensions that are not `kept`."""
    if kept is None:
        raise UndefinedBehaviorError(
            f"dropping dimensions of size one of {list(sizes)} does not give the result"
        )
    starts = zip(offsets, memref.strides, strict=True)
    return replace(
        memref,
        offset=memref.offset + sum(start * stride for start, stride in starts),
        sizes=tuple(sizes[i] for i in kept),
        strides=tuple(strides[i] * memref.strides[i] for i in kept),
        is_part=memref.is_part or prod(sizes) != memref.size,
    )


def base(memref: MemRef) -> MemRef:
    """A memref of rank 0 at the memref's aligned pointer."""
    return replace(memref, offset=0, sizes=(), strides=(), is_part=False)
