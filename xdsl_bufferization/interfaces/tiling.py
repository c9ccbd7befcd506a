"""
Ops that can be computed tile by tile.

Source: MLIR's TilingInterface, https://mlir.llvm.org/docs/Interfaces/

`Box` is a hyper-rectangle of elements of a tensor of known shape.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from math import prod
from typing import NamedTuple

from xdsl.ir import Operation

from xdsl_bufferization.interfaces.registry import OpInterface


class Box(NamedTuple):
    """A hyper-rectangle of elements: for each dimension an offset and a size."""

    offsets: tuple[int, ...]
    sizes: tuple[int, ...]

    @classmethod
    def whole(cls, shape: Sequence[int]) -> Box:
        """All elements of a tensor of the shape."""
        return cls((0,) * len(shape), tuple(shape))

    def moved(self, distances: Sequence[int]) -> Box:
        """The box at another offset."""
        offsets = zip(self.offsets, distances, strict=True)
        return Box(tuple(a + b for a, b in offsets), self.sizes)

    def moved_back(self, distances: Sequence[int]) -> Box:
        """The box that is this one once it is `moved`."""
        return self.moved([-distance for distance in distances])

    def common(self, other: Box) -> Box | None:
        """The elements in both, if there are any."""
        offsets = tuple(map(max, self.offsets, other.offsets))
        ends = [min(a + m, b + n) for a, m, b, n in zip(*self, *other, strict=True)]
        sizes = tuple(b - a for a, b in zip(offsets, ends, strict=True))
        return None if any(size <= 0 for size in sizes) else Box(offsets, sizes)

    def common_elements(self, other: Box) -> int:
        """How many elements are in both."""
        common = self.common(other)
        return 0 if common is None else prod(common.sizes)

    def without(self, other: Box) -> Iterator[Box]:
        """
        The elements that are not in the other box, as boxes that do not overlap: two for
        each dimension at most.
        """
        common = self.common(other)
        if common is None:
            yield self
            return
        offsets, sizes = [*self.offsets], [*self.sizes]
        for dim, (start, size) in enumerate(zip(*common, strict=True)):
            first, last = offsets[dim], offsets[dim] + sizes[dim]
            for low, high in ((first, start), (start + size, last)):
                if low < high:
                    yield Box(
                        (*offsets[:dim], low, *offsets[dim + 1 :]),
                        (*sizes[:dim], high - low, *sizes[dim + 1 :]),
                    )
            # The boxes of the other dimensions are beside the common elements only.
            offsets[dim], sizes[dim] = start, size


class TilingInterface(OpInterface):
    """
    An op in destination-passing style whose results have all the same shape, and which, with
    the same properties and regions, computes a part of them from parts of its operands.

    MLIR: `TilingInterface`.
    """

    def is_tileable(self, op: Operation) -> bool:
        """Whether this op is such an op. By default it is."""
        return True

    @abstractmethod
    def part_of_operand(self, op: Operation, operand: int, tile: Box) -> Box | None:
        """
        The elements of a tensor operand that the op needs, and no others, for the elements
        `tile` of its results; `None` if that is not a box of the operand's rank. For an init
        it is the tile itself.
        """
