"""
A search for the order of tasks with the least peak, which proves that it is the least.

Whatever the order of a set of tasks is, the same memory is live after them. Two kinds of *steps*
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

A *state* is a set of tasks that have been added to the order, from one of its ends.
The search visits states that can be reached below a peak, the *level*:

1. Add tasks as long as each lies within the level and leaves no more live than before.
2. Try each task that lies within the level, and go on from the state after it.
3. Once no state is left, no order has a peak within the level. Raise it to the least that some
   task has been found to need, and go on from there.

The first state with all tasks has the best order: none lies within the levels before.

    S: 10 bytes live  --A-->  14 bytes  --B-->  T: 9 bytes live

Dominance: T, reached from S within the level, has no more live than S. Then nothing but T has to
be tried after S. Take any order that goes on from S, and add A and B first. At each point of that
order, A and B change what is live by no more than from S to T, by the invariant. So no point needs
more than before. Step 1 is the special case of one task.

Cost: each state is visited once, in time in proportion to the tasks that can be added to it and the
buffers that they use. The number of states is exponential in the width of the graph at worst, so
that work is limited.

Sources: orders as paths through sets of finished tasks, within a budget: Ahn et al., "Ordering
Chaos: Memory-Aware Scheduling of Irregularly Wired Neural Networks for Edge Devices" (SERENITY,
MLSys 2020). Orders as sequences of valleys: Liu, "An Application of Generalized Tree Pebbling to
Sparse Matrix Factorization" (SIAM J. Alg. Disc. Meth. 1987).
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import count

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


class _State:
    """Tasks that have been added, and how."""

    __slots__ = (
        "added",
        "is_superseded",
        "live",
        "lower",
        "previous",
        "ready",
        "tasks",
    )

    def __init__(
        self,
        added: int,
        live: int,
        ready: Sequence[int],
        previous: _State | None,
        tasks: Sequence[int],
    ):
        self.added = added
        """As bits."""
        self.live = live
        """The bytes that are live."""
        self.ready = ready
        """The tasks that can be added."""
        self.previous = previous
        self.tasks = tasks
        """The tasks since the previous state."""
        self.is_superseded = False
        """Whether a later state stands for what is left to be tried after this one."""
        self.lower: _State | None = previous
        """The last state before it in which less is live."""
        while self.lower is not None and self.lower.live >= live:
            self.lower.is_superseded = True
            self.lower = self.lower.lower

    def path(self) -> Sequence[int]:
        """The tasks, in the order in which they have been added."""
        parts: list[Sequence[int]] = []
        state: _State | None = self
        while state is not None:
            parts.append(state.tasks)
            state = state.previous
        return [task for part in reversed(parts) for task in part]


class OrderSearch:
    """
    The search in one direction, from a level that is known to be a lower bound of the peaks
    below `until`.

    Each call of `run` continues it, until `is_done`: either `found` is the best order, or every
    order needs `until` bytes.
    """

    def __init__(self, steps: Steps, level: int, until: int):
        self.level = level
        """No order has a peak that is less."""
        self.work = 0
        """How often a task has been tried, which takes about a microsecond."""
        self.found: Sequence[int] | None = None
        self.is_done = False
        self._until = until
        self._steps = steps
        self._seen: set[int] = set()
        self._pending: list[tuple[_State, int | None]] = []
        """Tasks within the level, each with the state that it is added to; the next one last."""
        self._above: list[tuple[int, int, _State, int]] = []
        """Tasks above the level: what they need, a number, the state, the task; a heap."""
        self._numbers = count()
        start = _State(0, steps.live_at_start, steps.first(), None, ())
        self._pending.append((start, None))

    def run(self, work: int) -> None:
        """Search for about that much more work, or less if it is done by then."""
        last = self.work + work
        while not self.is_done and self.work < last:
            if self._pending:
                self._visit(*self._pending.pop())
            else:
                self._raise_level()

    def _raise_level(self) -> None:
        """Take the task that needs least of those above the level."""
        if not self._above or self._above[0][0] >= self._until:
            self.level = max(self.level, self._until)
            self.is_done = True
            return
        need, _, state, task = heappop(self._above)
        if not state.is_superseded:
            self.level = max(self.level, need)
            self._pending.append((state, task))

    def _visit(self, state: _State, task: int | None) -> None:
        """Add the task to the state, if that is still to be tried, and go on from there."""
        if state.is_superseded:
            return
        new, changes = self._added(state, task)
        if new.added == self._steps.everything:
            self.found = self._steps.order(new.path())
            self.is_done = True
        elif new.added not in self._seen:
            self._seen.add(new.added)
            # What leaves least live is tried first.
            for _, opened, task in sorted(changes, reverse=True):
                need = new.live + opened
                if need <= self.level:
                    self._pending.append((new, task))
                else:
                    heappush(self._above, (need, next(self._numbers), new, task))

    def _added(
        self, state: _State, task: int | None
    ) -> tuple[_State, Sequence[tuple[int, int, int]]]:
        """
        The state with the task, if one is given, and then all within the level that leave no
        more live. Also what each task that can be added next changes: how many more bytes are
        live after it and while it runs, and the task.
        """
        steps = self._steps
        added, live, ready = state.added, state.live, list(state.ready)
        tasks: list[int] = []
        while True:
            if task is not None:
                live += steps.change(task, added)[1]
                added |= 1 << task
                tasks.append(task)
                ready.remove(task)
                ready += (t for t in steps.following(task, added) if t not in ready)
            changes: list[tuple[int, int, int]] = []
            for task in ready:
                opened, more = steps.change(task, added)
                self.work += 1
                if more <= 0 and live + opened <= self.level:
                    break
                changes.append((more, opened, task))
            else:
                return _State(added, live, ready, state, tasks), changes
