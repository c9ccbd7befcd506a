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

The ops of a block as tasks, and the memory that they use as decided.

    %e = tensor.empty() : tensor<4xf32>      // task 0 allocates 16 bytes
    %b = linalg.exp ins(%x) outs(%e)         // task 1 uses them
    %c = scf.for ... { ... %b ... }          // task 2 uses them, and what its body allocates
    return %y                                // no task: it stays the last op

An op with regions is one task. Memory that only its regions allocate and use counts as its
temporary memory. A copy before or after an op is a task of its own, since it uses less than both
together. Memory that is live from before the block to after it is left out: it adds the same to all
orders.

The peak of an order of tasks is a lower bound of that of the order of ops. It is equal unless a
copy is far from its op, or memory dies in the middle of an op with regions: that is not counted
next to what the op allocates. Building the graph takes time linear in the ops, the touches of
memory, and the dependences.

The memory of a function as decided, and the blocks in which most of it is live.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import TypeVar

from xdsl.dialects import func
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.planning.order import (
    ReducedGraph,
    TaskBuffer,
    TaskGraph,
    best_order,
    lower_bound,
)
from xdsl_bufferization.support.limits import MAX_REORDERED_OPS
from xdsl_bufferization.support.regions import block_of
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.costs.buffer_uses import SCALE
from xdsl_bufferization.tensors.costs.costs import Costs, DecidedFunction
from xdsl_bufferization.tensors.costs.profile import Allocation, Profile
from xdsl_bufferization.tensors.reorder.dependences import Dependences, data_dependences
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
        found = self._memory()
        depth = max((d for memory in found for d in memory.depths.values()), default=-1)
        while depth >= 0:
            # All of them, not only up to the first that changes.
            if any([self._reorder_blocks(memory, depth) for memory in found]):
                self._program.has_changed()
                found = self._memory() if depth else ()
            depth -= 1
        if self._program.changes.position > start:
            self._put_back_worse(start)
        return self._bounds

    def _memory(self) -> Sequence[FunctionMemory]:
        """The memory of the functions, as decided now."""
        return [
            FunctionMemory(decided)
            for function, decided in self._program.remember(Costs).items()
            if function in self._functions and decided.is_known
        ]

    def _reorder_blocks(self, memory: FunctionMemory, depth: int) -> bool:
        """Reorder the blocks that are so deep in a function; returns whether any has changed."""
        blocks = [block for block, found in memory.depths.items() if found == depth]
        return any([self._reorder(memory, block, depth) for block in blocks])

    def _reorder(self, memory: FunctionMemory, block: Block, depth: int) -> bool:
        if MAX_REORDERED_OPS.within(block.ops) is None:
            return False
        data = data_dependences(block)
        tasks = BlockTasks(block, memory, data)
        at_least, peak = memory.footprint - tasks.outside, tasks.peak
        if tasks.bound_if_nested_change(max(tasks.bound, at_least)) >= peak:
            # No order is better, and all dependences leave fewer of them.
            self._note_bound(memory, tasks, peak, depth)
            return False
        dependences = Dependences(
            block,
            memory.analysis,
            data,
            tensors_in_memory=memory.function in self._in_memory,
        )
        tasks.set_dependences(dependences.predecessors())
        best = best_order(tasks.graph, at_least)
        self._note_bound(memory, tasks, best.bound, depth)
        if best.peak >= peak:
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
        if self._former.of(function).depends_on_sizes:
            return
        if not depth:
            bound = tasks.bound_if_nested_change(bound)
            former = self._bounds.get(function, memory.footprint)
            self._bounds[function] = max(former, tasks.outside + bound)

    def _put_back_worse(self, start: int) -> None:
        """Put back functions that have gained nothing since the changes that start there."""
        self._program.has_changed()
        former = self._former

        def is_better(function: func.FuncOp, costs: Costs) -> bool:
            # Memory of an argument that is returned is copied when memory is freed.
            return costs.peak(function) < former.peak(function) and (
                _returned_arguments(costs[function])
                <= _returned_arguments(former[function])
            )

        limits = Limits(former, former)
        keep_better(self._program, start, self._functions, limits, is_better)
        costs = self._program.remember(Costs)
        for function, bound in self._bounds.items():
            self._bounds[function] = min(bound, costs.peak(function))


class BlockTasks:
    """
    The ops of a block without its terminator, as a task `graph`, given the memory of the
    function and ops that each op stays after, to which others may be added. `outside` has the
    bytes that are live whatever the block does.
    """

    def __init__(
        self,
        block: Block,
        memory: FunctionMemory,
        predecessors: Sequence[Iterable[int]],
    ):
        *ops, terminator = block.ops
        points = self._points = memory.points
        allocations = memory.allocations_in(block)
        self._starts = [int(points.position(op)) for op in ops]
        self._ends = [points.end(op) for op in ops]
        self._end = int(points.position(terminator))
        moments = {start * SCALE for start in self._starts}
        for allocation in allocations:
            moments.update(self._copies(allocation))
        self._times = sorted(moments)
        """By task: when its op, or the copy, starts; in positions times `SCALE`."""
        self._number = {time: task for task, time in enumerate(self._times)}
        self._op_of = {self._number[s * SCALE]: op for op, s in enumerate(self._starts)}
        """By task that is no copy: the number of its op."""
        self._nested: dict[int, list[Allocation]] = {}
        """By task: the memory that its regions allocate."""
        self._escaping: dict[int, int] = {}
        """By task: the bytes of it that other tasks use."""
        self._dying: dict[int, int] = {}
        """By task: the bytes that it may free before its last op, and does not allocate."""
        self.outside: int = 0
        if ops:
            self.outside = memory.profile.live_at(self._starts[0] * SCALE - SCALE // 2)
        buffers = [b for a in allocations if (b := self._buffer(a)) is not None]
        self.graph: TaskGraph = TaskGraph(
            self._successors(predecessors),
            buffers,
            self._temporary(lambda nested: nested.peak),
        )

    def set_dependences(self, predecessors: Sequence[Iterable[int]]) -> None:
        """Let each op stay after these ops instead."""
        successors = self._successors(predecessors)
        self.graph = TaskGraph(successors, self.graph.buffers, self.graph.temporary)

    @property
    def bound(self) -> int:
        """Bytes that every order needs that keeps the dependences."""
        return lower_bound(ReducedGraph(self.graph).graph)

    @property
    def peak(self) -> int:
        """The bytes that the order of the block needs."""
        return self.graph.peak(range(len(self.graph)))

    def ops_in_order(self, tasks: Iterable[int]) -> Sequence[int]:
        """The numbers of the ops, in an order of the tasks."""
        return [self._op_of[task] for task in tasks if task in self._op_of]

    def bound_if_nested_change(self, bound: int) -> int:
        """
        A lower bound of the peaks of all orders, of ops in regions too, given that of the orders
        of the tasks.
        """
        now = self.graph.temporary
        least = [*map(min, now, self._temporary(lambda nested: nested.footprint))]
        if least == now:
            return bound
        graph = TaskGraph(self.graph.successors, self.graph.buffers, least)
        return min(bound, lower_bound(ReducedGraph(graph).graph))

    def _copies(self, allocation: Allocation) -> Iterable[int]:
        """The times of the copies before and after ops of the block that the memory is in."""
        uses = (allocation.time, *(touch.first for touch in allocation.touches))
        return [
            time
            for time in uses
            if time % SCALE
            and (op := self._op_at(time)) is not None
            and abs(time - self._starts[op] * SCALE) < SCALE
        ]

    # Memory -----------------------------------------------------------------------------

    def _buffer(self, allocation: Allocation) -> TaskBuffer | None:
        """The memory as the tasks use it; `None` if no task decides how long it is live."""
        if not self._starts:
            return None
        is_kept = allocation.end > self._end * SCALE
        by = self._task(allocation.time)
        touches = allocation.touches
        users = {u for t in touches if (u := self._task(t.first)) is not None}
        if by is not None:
            users.add(by)
            if allocation.time not in self._number:
                self._nested.setdefault(by, []).append(allocation)
                if not is_kept and users == {by}:
                    return None
                self._escaping[by] = self._escaping.get(by, 0) + allocation.bytes
        elif allocation.time > self._times[0]:
            return None
        elif is_kept or not users:
            return None
        else:
            self.outside -= allocation.bytes
        if not is_kept:
            self._add_dying(allocation)
        return TaskBuffer(allocation.bytes, by, sorted(users), is_kept)

    def _add_dying(self, allocation: Allocation) -> None:
        """Note where the memory may die before the last op of a task."""
        last: dict[int, int] = {}
        for touch in allocation.touches:
            op = self._op_at(touch.first)
            if op is not None and self._ends[op] > self._starts[op]:
                end = touch.last
                loop = self._points.loop(touch.position, allocation.time / SCALE)
                if loop is not None:
                    end = loop.last * SCALE
                last[op] = max(end, last.get(op, 0))
        for op, time in last.items():
            if time < self._ends[op] * SCALE:
                task = self._number[self._starts[op] * SCALE]
                self._dying[task] = self._dying.get(task, 0) + allocation.bytes

    def _temporary(self, live: Callable[[Profile], int]) -> list[int]:
        """
        By task: the most bytes that are `live` within the op of the memory that its regions
        allocate, beyond those before it and those that it allocates; negative if these are not
        live together.
        """
        temporary = [0] * len(self._times)
        for task, nested in self._nested.items():
            escaping = self._escaping.get(task, 0)
            beyond = live(Profile(nested)) - escaping - self._dying.get(task, 0)
            temporary[task] = max(-escaping, beyond)
        return temporary

    # Tasks ------------------------------------------------------------------------------

    def _task(self, time: int) -> int | None:
        """The task that something at a time is in; `None` if it is not in the block."""
        if (task := self._number.get(time)) is not None:
            return task
        op = self._op_at(time)
        return None if op is None else self._number[self._starts[op] * SCALE]

    def _op_at(self, time: int) -> int | None:
        """The op whose work, or whose regions, something at a time belongs to."""
        position = round(time / SCALE)
        if not self._starts or not self._starts[0] <= position <= self._ends[-1]:
            return None
        return bisect_right(self._starts, position) - 1

    def _successors(
        self, predecessors: Sequence[Iterable[int]]
    ) -> Sequence[Sequence[int]]:
        """The tasks that depend on each one; an op's copies are before and after it."""
        successors: list[list[int]] = [[] for _ in self._times]
        first = list(range(len(self._starts)))
        last = list(first)
        for task, time in enumerate(self._times):
            op = self._op_at(time)
            assert op is not None
            if task and self._op_at(self._times[task - 1]) == op:
                successors[task - 1].append(task)
            else:
                first[op] = task
            last[op] = task
        for op, task in enumerate(first):
            for before in predecessors[op]:
                successors[last[before]].append(task)
        return successors


def _returned_arguments(decided: DecidedFunction) -> AbstractSet[SSAValue]:
    """The arguments of the function whose memory is returned, perhaps."""
    uses = decided.uses
    return {
        argument
        for argument in decided.function.args
        if not uses.returned.isdisjoint(uses.values_in(argument))
    }


class FunctionMemory:
    """
    The memory that an analysed function allocates in the default memory space, as a profile.
    """

    def __init__(self, decided: DecidedFunction):
        self.function = decided.function
        self.analysis = decided.analysis
        self.points = decided.uses.points
        self.profile = decided.profile
        self.footprint: int = self.profile.footprint
        """The most bytes that one op touches, which no order changes."""

    @cached_property
    def depths(self) -> Mapping[Block, int]:
        """
        The blocks in which something is allocated while more than the footprint is live, and
        those around them, with the number of ops with regions around each.
        """
        depths: dict[Block, int] = {}
        for allocation in self.profile.allocations:
            if self.profile.live_at(allocation.time) > self.footprint:
                blocks = [*self._blocks_around(allocation.time)]
                depths.update((b, len(blocks) - n) for n, b in enumerate(blocks, 1))
        return depths

    def allocations_in(self, block: Block) -> Sequence[Allocation]:
        """The memory that the ops of one of the blocks, nested ones too, allocate or touch."""
        return self._allocations_by_block.get(block, ())

    @cached_property
    def _allocations_by_block(self) -> Mapping[Block, Sequence[Allocation]]:
        found: dict[Block, list[Allocation]] = {block: [] for block in self.depths}
        for allocation in self.profile.allocations:
            times = {allocation.time, *(touch.first for touch in allocation.touches)}
            blocks = {b for time in times for b in self._blocks_around(time)}
            for block in blocks & found.keys():
                found[block].append(allocation)
        return found

    def _blocks_around(self, time: int) -> Iterator[Block]:
        """
        The blocks of the function around what is allocated or touched at the time, the innermost
        first.
        """
        op: Operation | None = self.points.op_at(round(time / SCALE))
        while op is not None and op is not self.function:
            block = block_of(op)
            yield block
            op = block.parent_op()
