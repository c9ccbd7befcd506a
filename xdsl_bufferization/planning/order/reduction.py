"""
A smaller task graph whose best order is as good.

    task 0 allocates A          // runs right before task 2, the only one that depends on it
    task 1 uses no buffer       // runs as soon as it can; its dependences are passed on
    task 2 depends on 0 and 1, uses A

- A task whose buffers are all its own, and on which one task depends, is *attached* to that:
  the later it runs, the later its buffers are allocated.
- A task that needs no memory is *weightless*. It is left out where that adds no dependences.

Invariant: an order of the smaller graph has the same peak as the order that `expanded` makes of it,
and the least peaks of both graphs are equal. Takes time linear in the dependences and the uses of
buffers, apart from sorting.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush

from xdsl_bufferization.planning.order.task_graph import TaskBuffer, TaskGraph


class ReducedGraph:
    """A task graph, and the smaller `graph` that takes its place in a search."""

    def __init__(self, original: TaskGraph):
        self._original = original
        self._heads = _heads(original)
        """By task: the task that it is attached to, or itself."""
        weighty = {self._heads[t] for b in original.buffers for t in b.used_by}
        weighty.update(t for t, size in enumerate(original.temporary) if size)
        self._tasks, successors = _contracted(original, self._heads, weighty)
        """By task of the smaller graph: the task that it stands for."""
        self._is_weighty = [
            self._heads[task] in weighty for task in range(len(original))
        ]
        number = {task: index for index, task in enumerate(self._tasks)}
        self.graph: TaskGraph = TaskGraph(
            [[number[s] for s in sorted(successors[t])] for t in self._tasks],
            [self._buffer(buffer, number) for buffer in original.buffers],
            [original.temporary[task] for task in self._tasks],
        )

    def expanded(self, order: Iterable[int]) -> Sequence[int]:
        """
        The order of all tasks that an order of the smaller graph stands for. Tasks that need
        no memory stay before the tasks that they were before, as far as that is possible.
        """
        return _Expansion(self._original, self._heads, self._is_weighty).run(
            self._tasks[index] for index in order
        )

    def _buffer(self, buffer: TaskBuffer, number: dict[int, int]) -> TaskBuffer:
        by = buffer.allocated_by
        users = {number[self._heads[task]] for task in buffer.used_by}
        return buffer._replace(
            allocated_by=None if by is None else number[self._heads[by]],
            used_by=sorted(users),
        )


def _heads(graph: TaskGraph) -> Sequence[int]:
    """By task: the task that it is attached to in the end, or itself."""
    used: list[list[TaskBuffer]] = [[] for _ in graph.successors]
    for buffer in graph.buffers:
        for task in buffer.used_by:
            used[task].append(buffer)
    target: list[int | None] = [None] * len(graph)
    group: list[set[int]] = [{task} for task in range(len(graph))]
    """By task: the task, and those attached to it so far."""
    for task, successors in enumerate(graph.successors):
        own = group[task]
        if (
            len(set(successors)) == 1
            and used[task]
            and not graph.temporary[task]
            and all(
                b.allocated_by in own and (b.is_kept or not own.issuperset(b.used_by))
                for b in used[task]
            )
        ):
            target[task] = successors[0]
            group[successors[0]] |= own
    heads = list(range(len(graph)))
    for task in reversed(heads):
        if (after := target[task]) is not None:
            heads[task] = heads[after]
    return heads


def _contracted(
    graph: TaskGraph, heads: Sequence[int], weighty: Iterable[int]
) -> tuple[Sequence[int], Sequence[set[int]]]:
    """
    The tasks that are left, and by task those that depend on it then, without those that are
    attached to others, and those without weight that add dependences if they are kept.
    """
    successors: list[set[int]] = [set() for _ in heads]
    predecessors: list[set[int]] = [set() for _ in heads]
    for task, following in enumerate(graph.successors):
        for successor in following:
            a, b = heads[task], heads[successor]
            if a != b:
                successors[a].add(b)
                predecessors[b].add(a)
    kept: list[int] = []
    weighty = frozenset(weighty)
    for task, head in enumerate(heads):
        if task != head:
            continue
        before, after = predecessors[task], successors[task]
        if task in weighty or len(before) * len(after) > len(before) + len(after):
            kept.append(task)
            continue
        for a in before:
            successors[a].remove(task)
            successors[a] |= after
        for b in after:
            predecessors[b].remove(task)
            predecessors[b] |= before
    return kept, successors


class _Expansion:
    """Puts the tasks that have been left out where they are needed."""

    def __init__(
        self, graph: TaskGraph, heads: Sequence[int], is_weighty: Sequence[bool]
    ):
        self._graph = graph
        self._is_weighty = is_weighty
        self._missing = [len(set(p)) for p in graph.predecessors]
        """By task: how many tasks that it depends on have not run."""
        self._is_run = [False] * len(heads)
        self._order: list[int] = []
        self._early = [t for t, missing in enumerate(self._missing) if not missing]
        """The tasks that can run now, as a heap; some have run."""
        heapify(self._early)

    def run(self, tasks: Iterable[int]) -> Sequence[int]:
        """The order of all tasks, given that of those that are left."""
        for task in tasks:
            self._run_weightless(before=task)
            # Tasks without weight may have run already.
            for needed in () if self._is_run[task] else self._needed(task):
                self._run(needed)
        self._run_weightless(before=len(self._is_run))
        return self._order

    def _run(self, task: int) -> None:
        self._is_run[task] = True
        self._order.append(task)
        for successor in set(self._graph.successors[task]):
            self._missing[successor] -= 1
            if not self._missing[successor] and not self._is_weighty[successor]:
                heappush(self._early, successor)

    def _run_weightless(self, before: int) -> None:
        """Run tasks without weight that can run, and were before the task."""
        while self._early and self._early[0] < before:
            task = heappop(self._early)
            if not self._is_run[task] and not self._is_weighty[task]:
                self._run(task)

    def _needed(self, task: int) -> Sequence[int]:
        """The task, after those that have to run before it and have not yet."""
        needed = {task}
        pending = [task]
        while pending:
            for other in self._graph.predecessors[pending.pop()]:
                if not self._is_run[other] and other not in needed:
                    needed.add(other)
                    pending.append(other)
        return sorted(needed)
