"""
Views with the elements of their operand in other dimensions, as parts of memory.

    %e = tensor.expand_shape %t [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
    %c = tensor.collapse_shape %e [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>  // %t's

Invariant: a reshape and its inverse, one after the other, are the same buffer. Takes time in
proportion to the rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX


class Reshape(NamedTuple):
    """The groups of dimensions that are merged or split, and the shapes before and after."""

    groups: tuple[tuple[int, ...], ...]
    before: tuple[int, ...]
    after: tuple[int, ...]

    @property
    def inverse(self) -> Reshape:
        """The reshape back to the shape before it."""
        return self._replace(before=self.after, after=self.before)


def reshape(
    groups: Sequence[Sequence[int]], before: Sequence[int], after: Sequence[int]
) -> Reshape | None:
    """
    The reshape with these groups; `None` if a group has several unknown sizes, so that its
    inverse may lead to others.
    """
    expanded = max(before, after, key=len)
    if any([expanded[d] for d in group].count(DYNAMIC_INDEX) > 1 for group in groups):
        return None
    return Reshape(tuple(map(tuple, groups)), tuple(before), tuple(after))
