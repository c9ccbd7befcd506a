"""
The memory that functions have allocated together with those that they call.

    %e = tensor.empty() : tensor<8xf32>                // 32 bytes,
    %r = func.call @f(%e) : ...                        // and the peak of @f while it runs

Callees come first. Memory that functions without a body and recursive calls allocate does not
count. Takes time linear in the program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from itertools import chain

from xdsl.dialects import func
from xdsl.ir import Operation, OpResult

from xdsl_bufferization.interfaces.bufferizable import FunctionSummary
from xdsl_bufferization.interfaces.sizes import Expression
from xdsl_bufferization.support.call_graph import CallGraph
from xdsl_bufferization.support.memref_types import DEFAULT_SPACE
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.support.shaped_types import is_tensor
from xdsl_bufferization.tensors.costs.buffer_uses import SCALE, BufferUses
from xdsl_bufferization.tensors.costs.decided import DecidedFunction
from xdsl_bufferization.tensors.costs.live_ranges import LiveRanges
from xdsl_bufferization.tensors.costs.profile import Allocation, Profile


def peaks_of_calls(
    functions: Iterable[DecidedFunction],
    graph: CallGraph,
    summaries: Mapping[func.FuncOp, FunctionSummary],
) -> Mapping[func.FuncOp, int]:
    """The most bytes that a call of each function, callees first, has allocated at a time."""
    calls = MemoryOfCalls(graph, summaries)
    for decided in functions:
        calls.peaks[decided.function] = Profile(calls.memory(decided)).peak
    return calls.peaks


class MemoryOfCalls:
    """The memory of functions, given the summaries of those that they call."""

    def __init__(
        self, graph: CallGraph, summaries: Mapping[func.FuncOp, FunctionSummary]
    ):
        self._graph = graph
        self._summaries = summaries
        self.peaks: dict[func.FuncOp, int] = {}
        """The most bytes that a call has allocated at a time, what it returns included."""

    def memory(self, decided: DecidedFunction) -> Sequence[Allocation]:
        """The memory of the function, what calls return, and what else they need."""
        memory = [*decided.allocations]
        calls = [op for op in walk([decided.function]) if isinstance(op, func.CallOp)]
        if not calls:
            return memory
        of_results = self._memory_of_results(decided.function, decided.uses, calls)
        memory += of_results
        returned = Counter[Operation | None]()
        for result in of_results:
            returned[result.op] += result.bytes
        for call in calls:
            callee = self._graph.callee(call)
            size = 0 if callee is None else self.peaks.get(callee, 0)
            at = round(decided.uses.points.position(call) * SCALE)
            size = Expression.constant(max(0, size - returned[call]))
            memory.append(Allocation(at, at + 1, size, DEFAULT_SPACE))
        return memory

    def _memory_of_results(
        self, function: func.FuncOp, uses: BufferUses, calls: Iterable[func.CallOp]
    ) -> Sequence[Allocation]:
        """The new memory that calls return."""
        of_results = copy(uses)
        of_results.allocated = [
            (result, round(uses.points.position(call) * SCALE))
            for call in calls
            for result in self._new_results(call)
            if is_tensor(result)
        ]
        return [*LiveRanges(function, of_results).allocations()]

    def _new_results(self, call: func.CallOp) -> Sequence[OpResult]:
        callee = self._graph.callee(call)
        summary = None if callee is None else self._summaries.get(callee)
        if summary is None:
            return ()
        returned = {*chain(*summary.returns)}
        return [result for result in call.results if result.index not in returned]
