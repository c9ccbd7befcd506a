"""
How `linalg.pack` and `linalg.unpack` tile a tensor.

Source: https://mlir.llvm.org/docs/Dialects/Linalg/#linalgpack-linalgpackop
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation

from xdsl_bufferization.support.attributes import integers


class Tiling(NamedTuple):
    """
    Which dimensions of the packed tensor belong to each dimension of the unpacked one.

    The packed tensor first has one dimension for each dimension of the unpacked tensor, in
    some order, which counts tiles; then the dimensions of a tile.
    """

    outer: Sequence[int]
    """For each unpacked dimension the packed one that counts its tiles, or elements."""
    inner: Sequence[int | None]
    """For each unpacked dimension the one of the tile, if it is tiled."""

    @staticmethod
    def of(op: Operation, rank: int) -> Tiling | None:
        """How the op tiles a tensor of the rank; `None` if its attributes do not fit that."""
        positions = integers(op, "inner_dims_pos")
        order = integers(op, "outer_dims_perm") or range(rank)
        if sorted(order) != [*range(rank)] or not set(positions) <= {*range(rank)}:
            return None
        return Tiling(
            [order.index(dim) for dim in range(rank)],
            [
                rank + positions.index(dim) if dim in positions else None
                for dim in range(rank)
            ],
        )

    @property
    def groups(self) -> Sequence[Sequence[int]]:
        """For each unpacked dimension its packed ones."""
        return [
            (outer,) if inner is None else (outer, inner)
            for outer, inner in zip(self.outer, self.inner, strict=True)
        ]

    def fills(self, unpacked: Sequence[int], packed: Sequence[int]) -> bool:
        """Whether, by the shapes, each unpacked dimension consists of whole tiles."""
        for size, group in zip(unpacked, self.groups, strict=True):
            product = 1
            for dim in group:
                if packed[dim] == DYNAMIC_INDEX:
                    return False
                product *= packed[dim]
            if size != product:
                return False
        return True
