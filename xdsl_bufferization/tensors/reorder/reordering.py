"""
Tensor programs in whose functions the ops are in the order that needs the least memory at a time.

A function is looked at only if its peak is higher than what some op touches, which no order
changes. In it, the blocks in which more memory is live than that are reordered, those of inner
regions first. Then the program is decided and its costs are computed again: a function
that copies more, moves more, or has a higher peak than before is put back. So the number of
analyses depends on how deep regions are nested, not on the number of ops.

As few ops as possible are moved: those of a longest increasing subsequence stay where they are, and
all others move before the op that follows them. That takes time in proportion to the ops times the
logarithm of their number.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TypeVar

from xdsl.dialects import func
from xdsl.ir import Block, Operation

from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.planning.order.best_order import best_order
from xdsl_bufferization.support.limits import MAX_REORDERED_OPS
from xdsl_bufferization.support.regions import block_of
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.reorder.block_tasks import BlockTasks
from xdsl_bufferization.tensors.reorder.dependences import Dependences
from xdsl_bufferization.tensors.reorder.function_memory import FunctionMemory
from xdsl_bufferization.tensors.search import Limits, keep_better


def reorder_for_memory(
    program: AnalysedModule, within: Container[func.FuncOp] | None = None
) -> None:
    """
    Reorder the ops of an analysed module, or of the functions in it that are given, and note in it
    the bytes that functions need at their peak in every order, as far as that is known.

    Raises `BufferizationError` if the module cannot be bufferized.
    """
    if program.options.copy_before_write:
        # Nothing is in place, so that the dependences are not those of the decisions.
        return
    functions = [
        f
        for f in program.remember(Costs).depending_on_order
        if within is None or f in within
    ]
    if functions:
        bounds = Reordering(program, functions).run()
        program.order_bounds = {**program.order_bounds, **bounds}


def put_in_order(
    ops: Sequence[Operation], order: Sequence[int], changes: Changes
) -> None:
    """
    Put the ops of a block, all but its terminator, into the order of the indices, which are those
    of the ops as they are now.
    """
    staying = increasing_subsequence(order)
    following = ops[-1].next_op
    for index in reversed(order):
        op = ops[index]
        if index not in staying:
            changes.move(op, block_of(op), following)
        following = op


_Number = TypeVar("_Number", int, tuple[int, int])


def increasing_subsequence(numbers: Sequence[_Number]) -> set[_Number]:
    """The numbers of a longest increasing subsequence, given that all are different."""
    last: list[_Number] = []
    """By length: the least number that a subsequence of that length, plus one, ends with."""
    previous: dict[_Number, _Number | None] = {}
    for number in numbers:
        length = bisect_left(last, number)
        previous[number] = last[length - 1] if length else None
        last[length : length + 1] = [number]
    found: set[_Number] = set()
    number = last[-1] if last else None
    while number is not None:
        found.add(number)
        number = previous[number]
    return found


class Reordering:
    """Reorders the blocks of functions, whose peaks may depend on the order."""

    def __init__(self, program: AnalysedModule, functions: Iterable[func.FuncOp]):
        self._program = program
        self._functions = frozenset(functions)
        self._former = program.remember(Costs)
        self._in_memory = program.functions_with_tensors_in_memory
        self._bounds: dict[func.FuncOp, int] = {}

    def run(self) -> Mapping[func.FuncOp, int]:
        """
        Reorder the blocks where that lowers the peak. Returns the bytes that a function needs
        in each order of its ops, for the functions where that is known.
        """
        start = self._program.changes.position
        found = as_it_came = self._memory()
        depth = max((d for memory in found for d in memory.depths.values()), default=-1)
        while depth >= 0:
            # All of them, not only up to the first that changes.
            if any([self._reorder_blocks(memory, depth) for memory in found]):
                self._program.has_changed()
                found = self._memory() if depth else ()
            depth -= 1
        if self._program.changes.position > start:
            self._put_back_worse(start, as_it_came)
        return self._bounds

    def _memory(self) -> Sequence[FunctionMemory]:
        """The memory of the functions, as decided now."""
        found = [
            FunctionMemory(of.function, analysis, of.uses, of.profile)
            for of in self._program.remember(Costs).decided
            if of.function in self._functions
            and isinstance(analysis := of.analysis, OneShotAnalysis)
        ]
        return [memory for memory in found if memory.is_known]

    def _reorder_blocks(self, memory: FunctionMemory, depth: int) -> bool:
        """Reorder the blocks that are so deep in a function; returns whether any has changed."""
        blocks = [block for block, found in memory.depths.items() if found == depth]
        return any([self._reorder(memory, block, depth) for block in blocks])

    def _reorder(self, memory: FunctionMemory, block: Block, depth: int) -> bool:
        if MAX_REORDERED_OPS.within(block.ops) is None:
            return False
        dependences = Dependences(
            block,
            memory.analysis,
            tensors_in_memory=memory.function in self._in_memory,
        )
        tasks = BlockTasks(block, memory, dependences.predecessors)
        best = best_order(tasks.graph, memory.footprint - tasks.outside)
        self._note_bound(memory, tasks, best.bound, depth)
        if best.peak >= tasks.peak:
            return False
        order = tasks.ops_in_order(best.order)
        put_in_order(dependences.ops[:-1], order, self._program.changes)
        return True

    def _note_bound(
        self, memory: FunctionMemory, tasks: BlockTasks, bound: int, depth: int
    ) -> None:
        """
        Note what the function needs in each order of its ops, given a bound of the orders of the
        tasks. What is live around a region depends on the order outside; what function
        boundaries ask to be copied is no task.
        """
        function = memory.function
        if self._former.depends_on_sizes(function):
            return
        if not depth:
            bound = tasks.bound_if_nested_change(bound)
            former = self._bounds.get(function, memory.footprint)
            self._bounds[function] = max(former, tasks.outside + bound)

    def _put_back_worse(self, start: int, former: Iterable[FunctionMemory]) -> None:
        """
        Put back functions that have gained nothing since the changes that start there, given
        their memory before.
        """
        self._program.has_changed()
        before = {memory.function: memory.returned for memory in former}
        now = {memory.function: memory.returned for memory in self._memory()}

        def is_better(function: func.FuncOp, costs: Costs) -> bool:
            returned = before.get(function)
            return costs.peak(function) < self._former.peak(function) and (
                returned is None or now.get(function, returned) <= returned
            )

        limits = Limits(self._former.functions, self._former)
        keep_better(self._program, start, self._functions, limits, is_better)
        costs = self._program.remember(Costs)
        for function, bound in self._bounds.items():
            self._bounds[function] = min(bound, costs.peak(function))
