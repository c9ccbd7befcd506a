"""
What it takes to add a task to an order, from the front or from the back.

Whatever the order of a set of tasks is, the same memory is live after them. Two kinds of steps
build an order:

- *forward*, from the first task: a step runs a task. A buffer becomes live in the task that
  allocates it, and dies in the last of its users that runs.
- *backward*, from the last task: a step puts a task before those that the order has. A buffer
  becomes live in the first of its users that is added, and dies in the task that allocates it.

In both, a set of tasks has been added; a buffer is live once one of its `openers` has been added,
as long as not all of its `closers` have. So a search needs not know which kind it is. The kinds
differ a lot in how many sets a search visits: forward, one wonders which of many tasks to start;
backward, all that is added is needed by tasks that follow.

Invariant: the more tasks have been added, the fewer bytes a task opens, and the more it closes.
A step takes time in proportion to the buffers that its task uses.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl_bufferization.planning.order.task_graph import TaskBuffer, TaskGraph


class Steps:
    """The steps of one direction. Sets of tasks are the bits of integers."""

    def __init__(self, graph: TaskGraph, *, backward: bool):
        self.is_backward = backward
        self.everything: int = (1 << len(graph)) - 1
        """All tasks."""
        before, after = graph.predecessors, graph.successors
        if backward:
            before, after = after, before
        self._requires = [sum(1 << t for t in set(tasks)) for tasks in before]
        self._following = after
        self.live_at_start: int = 0
        """The bytes that are live while no task has been added."""
        self._opened = list(graph.temporary)
        """By task: the bytes that are live while it runs, and not before it was added."""
        self._dropped = list(graph.temporary)
        """By task: those of them that are not live after it was added."""
        self._opens: list[list[tuple[int, int]]] = [[] for _ in graph.successors]
        """By task: openers and sizes of the buffers that it opens unless another one has."""
        self._closes: list[list[tuple[int, int]]] = [[] for _ in graph.successors]
        """By task: closers and sizes of the buffers that it closes if all others have."""
        for buffer in graph.buffers:
            self._add(buffer)

    def first(self) -> Sequence[int]:
        """The tasks that can be added to none."""
        return [task for task, needed in enumerate(self._requires) if not needed]

    def following(self, task: int, added: int) -> Sequence[int]:
        """The tasks that can be added since the task is among those that have been added."""
        return [t for t in self._following[task] if not self._requires[t] & ~added]

    def change(self, task: int, added: int) -> tuple[int, int]:
        """
        How many more bytes are live while the task runs than before it is added to the set of
        tasks, and how many more after it.
        """
        opened = self._opened[task]
        for openers, size in self._opens[task]:
            if not openers & added:
                opened += size
        more = opened - self._dropped[task]
        others = ~(added | 1 << task)
        for closers, size in self._closes[task]:
            if not closers & others:
                more -= size
        return opened, more

    def order(self, tasks: Sequence[int]) -> Sequence[int]:
        """The order of tasks that have been added in that order."""
        return tasks[::-1] if self.is_backward else tasks

    def _add(self, buffer: TaskBuffer) -> None:
        ends = () if buffer.is_kept else buffer.used_by
        starts = () if buffer.allocated_by is None else (buffer.allocated_by,)
        openers, closers = (ends, starts) if self.is_backward else (starts, ends)
        size = buffer.size
        if not openers:
            self.live_at_start += size
        for task in openers:
            if len(openers) == 1:
                self._opened[task] += size
            else:
                self._opens[task].append((_bits(openers), size))
        for task in closers:
            if len(closers) == 1:
                self._dropped[task] += size
            else:
                self._closes[task].append((_bits(closers), size))


def _bits(tasks: Sequence[int]) -> int:
    return sum(1 << task for task in tasks)
