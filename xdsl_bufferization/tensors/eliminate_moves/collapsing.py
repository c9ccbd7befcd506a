"""
Moves whose result is collapsed, as moves of a collapsed source.

    %t = linalg.transpose ins(%a : tensor<2x8x24xf32>) ... permutation = [2, 0, 1]
    %c = tensor.collapse_shape %t [[0], [1, 2]] : tensor<24x2x8xf32> into tensor<24x16xf32>
    // becomes
    %b = tensor.collapse_shape %a [[0, 1], [2]] : tensor<2x8x24xf32> into tensor<16x24xf32>
    %c = linalg.transpose ins(%b) ... permutation = [1, 0]

Invariant: a group of dimensions of the result is a group of the source, next to each other and in
the same order. Takes time in proportion to the rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap


class CollapsedMove(NamedTuple):
    """A move between collapsed tensors."""

    groups: Sequence[Sequence[int]]
    """The dimensions of the source that become one."""
    map: AffineMap
    """From the indices of the collapsed result to those of the collapsed source."""


def collapsed_move(
    map: AffineMap, groups: Sequence[Sequence[int]]
) -> CollapsedMove | None:
    """
    The move of the collapsed source, given the map of a move and the groups of dimensions that
    its result is collapsed to; `None` if there is none.
    """
    positions: dict[int, int] = {}
    for position, index in enumerate(map.results):
        if not isinstance(index, AffineDimExpr):
            return None
        positions[index.position] = position
    if len(positions) != map.num_dims or map.num_dims != len(map.results):
        return None
    in_source = [[positions[d] for d in group] for group in groups]
    if any(
        not group or group != [*range(group[0], group[0] + len(group))]
        for group in in_source
    ):
        return None
    order = sorted(range(len(groups)), key=lambda number: in_source[number][0])
    return CollapsedMove(
        [in_source[number] for number in order],
        AffineMap(
            len(groups), 0, (*(AffineExpr.dimension(number) for number in order),)
        ),
    )
