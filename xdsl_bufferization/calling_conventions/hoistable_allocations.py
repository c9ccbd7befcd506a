"""
The allocations of returned memory that callers can make instead of the function.

The caller's memory exists during the whole call, and contains the result when the function
returns. So it can replace an allocation that is executed at most once, is not freed, and is
returned as one result only, directly and as a whole: then copies to the memory of other
results still read the right contents.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from xdsl.dialects import func, memref
from xdsl.ir import Attribute, SSAValue

from xdsl_bufferization.buffers.call_effects import CallEffects
from xdsl_bufferization.buffers.returned_buffers import BufferOrigins
from xdsl_bufferization.support.call_graph import all_returns
from xdsl_bufferization.support.dominance import block_loops
from xdsl_bufferization.support.memref_types import without_casts
from xdsl_bufferization.support.shaped_types import is_memref_type


class HoistableAllocations:
    """
    The allocations of one function that its callers can make, for some of its results; `calls`
    says what calls free and store.
    """

    def __init__(
        self, function: func.FuncOp, results: Container[int], calls: CallEffects
    ):
        self._function = function
        self._returns = all_returns(function)
        self._repeated = block_loops(function.body)
        self._origins = BufferOrigins(function, {}, {}, effects=calls)
        frees = [value for _, value in self._origins.flow.frees]
        self._freed = self._origins.of(frees)
        self._returned_as: dict[SSAValue, int] = {}
        """By memref, the number of results that it may alias."""
        self._copied: set[tuple[SSAValue, int]] = set()
        """Memrefs, and the results that they may alias without being returned directly."""
        for result, type in enumerate(function.function_type.outputs):
            if result not in results or not is_memref_type(type):
                continue
            values = [without_casts(op.operands[result]) for op in self._returns]
            for origin in self._origins.of(values):
                self._returned_as[origin] = self._returned_as.get(origin, 0) + 1
            others = [
                value for value in values if not isinstance(value.owner, memref.AllocOp)
            ]
            self._copied.update((v, result) for v in self._origins.of(others))

    def allocations(self, result: int, type: Attribute) -> Sequence[memref.AllocOp]:
        """
        The hoistable allocations of the result, of this type, that can all be replaced by the
        same memory.
        """
        found: dict[memref.AllocOp, bool] = {}
        """By allocation, whether all returns of it are in its block."""
        for op in self._returns:
            value = without_casts(op.operands[result])
            alloc = value.owner
            if isinstance(alloc, memref.AllocOp) and (
                self._is_hoistable(alloc, result, type)
            ):
                found[alloc] = found.get(alloc, True) and op.parent is alloc.parent
        candidates = [*found]
        if not all(found.values()):
            # It may be live when another one is executed.
            candidates = candidates[:1]
        return candidates

    def _is_hoistable(
        self, alloc: memref.AllocOp, result: int, type: Attribute
    ) -> bool:
        value = alloc.memref
        return (
            value.type == type
            and not alloc.symbol_operands
            and alloc.parent not in self._repeated
            and value not in self._freed
            and self._returned_as[value] == 1
            and (value, result) not in self._copied
        )
