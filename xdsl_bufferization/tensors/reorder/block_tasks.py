"""
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
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence

from xdsl.ir import Block

from xdsl_bufferization.planning.order.reduction import ReducedGraph
from xdsl_bufferization.planning.order.task_graph import (
    TaskBuffer,
    TaskGraph,
    lower_bound,
)
from xdsl_bufferization.tensors.costs.buffer_uses import SCALE
from xdsl_bufferization.tensors.costs.profile import Allocation, Profile
from xdsl_bufferization.tensors.reorder.function_memory import FunctionMemory


class BlockTasks:
    """
    The ops of a block without its terminator, as a task `graph`, given the memory of the
    function and the ops that each op stays after. `outside` has the bytes that are live whatever
    the block does.
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
