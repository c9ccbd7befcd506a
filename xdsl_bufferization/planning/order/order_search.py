"""
A search for the order of tasks with the least peak, which proves that it is the least.

A *state* is a set of tasks that have been added to the order, from one of its ends (`steps.py`).
The search visits states that can be reached below a peak, the *level*:

1. Add tasks as long as each lies within the level and leaves no more live than before.
2. Try each task that lies within the level, and go on from the state after it.
3. Once no state is left, no order has a peak within the level. Raise it to the least that some
   task has been found to need, and go on from there.

The first state with all tasks has the best order: none lies within the levels before.

    S: 10 bytes live  --A-->  14 bytes  --B-->  T: 9 bytes live

Dominance: T, reached from S within the level, has no more live than S. Then nothing but T has to
be tried after S. Take any order that goes on from S, and add A and B first. At each point of that
order, A and B change what is live by no more than from S to T, since the more tasks have been
added, the fewer bytes a task opens, and the more it closes. So no point needs more than before.
Step 1 is the special case of one task.

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

from xdsl_bufferization.planning.order.steps import Steps


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

    It goes on as often as `run` is called, until `is_done`: either `found` is the best order, or
    every order needs `until` bytes.
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
