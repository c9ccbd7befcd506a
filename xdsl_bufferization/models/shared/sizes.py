"""The sizes of buffers as operands of new ops, and whether tensors are of one size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType
from xdsl.ir import SSAValue

from xdsl_bufferization.interfaces.bufferizable import AnalysisState
from xdsl_bufferization.interfaces.bufferizer import Bufferizer
from xdsl_bufferization.interfaces.reify import Size
from xdsl_bufferization.support.shaped_types import ranked_shape

if TYPE_CHECKING:
    from xdsl_bufferization.sizes.size_analysis import Sizes


def buffer_size(buffer: SSAValue, dim: int, bufferizer: Bufferizer) -> Size:
    """The size of the ranked buffer in the dimension; inserts ops if it is dynamic."""
    size = ranked_shape(buffer)[dim]
    return bufferizer.dim(buffer, dim) if size == DYNAMIC_INDEX else size


def buffer_sizes(buffer: SSAValue, bufferizer: Bufferizer) -> Sequence[Size]:
    """The size of the ranked buffer in each dimension."""
    rank = len(ranked_shape(buffer))
    return [buffer_size(buffer, dim, bufferizer) for dim in range(rank)]


def are_of_one_size(a: SSAValue, b: SSAValue, state: AnalysisState) -> bool:
    """
    Whether two tensors provably have one type and the same sizes. `state` remembers the sizes of
    its program.
    """
    if a.type != b.type or not isinstance(a.type, ShapedType):
        return False
    return a.type.has_static_shape() or sizes_in(state).are_equal(a, b)


def sizes_in(state: AnalysisState) -> Sizes:
    """The sizes of the program, which `state` remembers as long as the program does not change."""
    # Most programs have no dynamic sizes.
    from xdsl_bufferization.sizes.size_analysis import Sizes

    return state.memoize("sizes", Sizes)
