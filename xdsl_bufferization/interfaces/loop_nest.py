"""
The loops of an op that computes its results element by element, or by sums over elements.

    linalg.conv_2d_nchw_fchw ins(%x, %w) outs(%y)     // loops n f h w c kh kw
    //   %x[n, c, h + kh, w + kw], %w[f, c, kh, kw], %y[n, f, h, w]; c, kh, kw are summed up

Source: MLIR's TilingInterface and LinalgOp interface, https://mlir.llvm.org/docs/Interfaces/
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from xdsl.ir import Operation

from xdsl_bufferization.interfaces.registry import OpInterface


class LoopNest(NamedTuple):
    """The loops of an op, numbered from the outermost."""

    operands: Sequence[Sequence[int | None]]
    """
    By operand and dimension: the loop whose variable is the index, or `None` for any other
    index. Empty for an operand that is no tensor.
    """
    tileable: AbstractSet[int]
    """
    The loops that occur in no other index, so that a part of their iterations needs a part of
    each dimension that they index, and elements of no other part.
    """
    reductions: Sequence[int]
    """The loops that index no init, in the order in which their iterations are summed up."""

    def dimensions(self, operand: int, loop: int) -> Sequence[int]:
        """The dimensions of an operand that the loop indexes."""
        return [d for d, found in enumerate(self.operands[operand]) if found == loop]

    def can_be_split(self, loop: int) -> bool:
        """
        Whether the op may be computed part of the loop by part, each with the result of the part
        before as its init. A sum keeps its order only if the loop is the outermost reduction.
        """
        return loop in self.tileable and (
            loop not in self.reductions or loop == self.reductions[0]
        )


class LoopNestOpInterface(OpInterface):
    """
    An op in destination-passing style that, with the same properties and regions, computes a
    part of the iterations of one of its loops from parts of its operands.
    """

    @abstractmethod
    def loop_nest(self, op: Operation) -> LoopNest | None:
        """The loops of the op; `None` if its parts are not computed alike."""
