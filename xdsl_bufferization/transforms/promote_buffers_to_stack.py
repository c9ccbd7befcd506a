"""
Allocate small buffers on the stack.

Source: https://mlir.llvm.org/docs/Passes/#-promote-buffers-to-stack
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.memrefs.buffers.allocation_uses import (
    Allocation,
    AllocationUses,
    MemrefFlows,
)
from xdsl_bufferization.memrefs.placement.hoisting_targets import promote_to_stack
from xdsl_bufferization.support.call_graph import functions_in
from xdsl_bufferization.support.data_layout import DataLayout
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.regions import DominatorTree

if TYPE_CHECKING:
    from xdsl_bufferization.memrefs.sizes.size_analysis import UpperBounds


@dataclass(frozen=True)
class PromoteBuffersToStackPass(BufferizationPass):
    """
    Turn `memref.alloc` into `memref.alloca` where the memory is small and not used after the
    end of the function, or of another scope of the stack.

    An allocation in a loop is moved before the loop, as the stack would grow in each
    iteration; it stays on the heap if that is not possible. Run the pass before deallocation:
    allocations that are freed already stay as they are.
    """

    name = "promote-buffers-to-stack"

    max_alloc_size_in_bytes: int = 1024
    """The largest size of an allocation: the size, or a bound that the program states."""
    max_rank_of_allocated_memref: int = 1
    """The highest rank of one without a bound, with sizes that must be ranks of memrefs."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # No function changes before all are known to be valid.
        flows = MemrefFlows(op)
        small = [(f, self._small_allocations(flows.uses(f))) for f in functions_in(op)]
        for function, allocations in small:
            if allocations:
                tree = DominatorTree(function.regions)
                for allocation in allocations:
                    promote_to_stack(allocation, tree)

    def _small_allocations(self, uses: AllocationUses) -> Sequence[Allocation]:
        function = uses.flow.function
        layout, bounds = DataLayout.of(function), cache(lambda: _upper_bounds(function))
        return [
            allocation
            for allocation in uses.allocations()
            if self._is_small(allocation, layout, bounds)
        ]

    def _is_small(
        self,
        allocation: Allocation,
        layout: DataLayout,
        bounds: Callable[[], UpperBounds],
    ) -> bool:
        if not isinstance(allocation.memref.type, MemRefType):
            return False
        type = allocation.memref.type
        if type.has_static_shape():
            number = math.prod(type.get_shape())
        elif type.get_num_dims() <= self.max_rank_of_allocated_memref and all(
            isinstance(operand.owner, memref.RankOp)
            for operand in allocation.op.operands
        ):
            return True
        else:
            number = bounds().elements(allocation.memref, allocation.op)
        bits = layout.size_in_bits(type.element_type)
        if bits is None or number is None:
            return False
        return number * bits <= 8 * self.max_alloc_size_in_bytes


def _upper_bounds(function: Operation) -> UpperBounds:
    # Most programs have no dynamic sizes.
    from xdsl_bufferization.memrefs.sizes.size_analysis import Sizes, UpperBounds

    return UpperBounds(function, Sizes())
