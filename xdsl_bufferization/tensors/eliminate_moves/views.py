"""
Moves that are views: they add or drop dimensions of size 1, or none.

    %b = linalg.generic {indexing_maps = [(d0, d1) -> (d1), (d0, d1) -> (d0, d1)]}
           ins(%a : tensor<4xf32>) outs(%empty : tensor<1x4xf32>) { yield the input }
    // becomes
    %b = tensor.expand_shape %a [[0, 1]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>

Invariant: a move becomes a view only if both tensors can be in one buffer without a copy. What it
costs: time in proportion to the rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.builder import Builder
from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IntegerAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from xdsl_bufferization.interfaces.reify import sizes_of
from xdsl_bufferization.support.shaped_types import (
    has_encoding,
    ranked_shape,
    ranked_tensor,
)


def order_of(results: Sequence[AffineExpr]) -> Sequence[int] | None:
    """The loop that each result of a map is; `None` if one is none, or two are one."""
    order = [index.position for index in results if isinstance(index, AffineDimExpr)]
    return order if len({*order}) == len(order) == len(results) else None


def is_view(
    source: TensorType[Attribute], map: AffineMap, result: TensorType[Attribute]
) -> bool:
    """Whether the result of a move with that map has the elements of the source in order."""
    if has_encoding(source) or has_encoding(result):
        return False
    kept = [i for i, size in enumerate(source.get_shape()) if size != 1]
    dimensions = order_of([map.results[i] for i in kept])
    sizes = result.get_shape()
    return (
        dimensions is not None
        and dimensions == [d for d, size in enumerate(sizes) if size != 1]
        and [sizes[d] for d in dimensions] == [source.get_shape()[i] for i in kept]
    )


def build_view(
    source: SSAValue, type: TensorType[Attribute], builder: Builder
) -> SSAValue:
    """A tensor of the type with the elements of the source, which is like it in `is_view`."""
    if source.type == type:
        return source
    shape = ranked_shape(source)
    if (groups := _groups(type.get_shape(), shape)) is not None:
        return _expand(source, type, groups, builder)
    if (groups := _groups(shape, type.get_shape())) is not None:
        return collapse(source, groups, builder)
    merged = [size for size in shape if size != 1]
    between = TensorType(type.element_type, merged)
    return build_view(build_view(source, between, builder), type, builder)


def _groups(
    expanded: Sequence[int], collapsed: Sequence[int]
) -> Sequence[Sequence[int]] | None:
    """
    For each dimension of `collapsed` those of `expanded` that it is split into, all but one of
    size 1; `None` if it takes more than that.
    """
    groups: list[list[int]] = []
    first: list[int] = []
    for dimension, size in enumerate(expanded):
        if len(groups) < len(collapsed) and size == collapsed[len(groups)]:
            groups.append([*first, dimension])
            first = []
        elif size != 1:
            return None
        elif groups:
            groups[-1].append(dimension)
        else:
            first.append(dimension)
    return groups if len(groups) == len(collapsed) else None


def _expand(
    source: SSAValue,
    type: TensorType[Attribute],
    groups: Sequence[Sequence[int]],
    builder: Builder,
) -> SSAValue:
    dynamic = [s for s in sizes_of(source, builder) if isinstance(s, SSAValue)]
    expanded = tensor.ExpandShapeOp(
        source, dynamic, _reassociation(groups), type.get_shape(), type
    )
    return builder.insert(expanded).result


def collapse(
    source: SSAValue, groups: Sequence[Sequence[int]], builder: Builder
) -> SSAValue:
    """A tensor with one dimension for each group of dimensions; the groups have all of them."""
    type = ranked_tensor(source.type)
    sizes = [
        DYNAMIC_INDEX if DYNAMIC_INDEX in shape else prod(shape)
        for group in groups
        if (shape := [type.get_shape()[d] for d in group])
    ]
    collapsed = tensor.CollapseShapeOp.create(
        operands=(source,),
        result_types=(TensorType(type.element_type, sizes),),
        properties={"reassociation": _reassociation(groups)},
    )
    return builder.insert(collapsed).result


def _reassociation(
    groups: Sequence[Sequence[int]],
) -> ArrayAttr[ArrayAttr[IntegerAttr]]:
    return ArrayAttr(
        ArrayAttr(IntegerAttr(dimension, i64) for dimension in group)
        for group in groups
    )
