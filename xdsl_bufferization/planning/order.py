"""
The order of tasks that needs the least memory at a time (`best_order`), and a bound for all orders
of a `TaskGraph`. It knows nothing of IR; sizes are in bytes. One file of more than 600 lines: the
search and the smaller graph read every part of a task graph.

    task 0 allocates A (4 bytes)
    task 1 allocates B (2 bytes), uses A
    task 2 uses A

Run in the order 0, 1, 2, or 0, 2, 1: a buffer is live from the task that allocates it to the
last task that uses it. The first order needs 6 bytes at its peak, as does the second, in which A
is freed after task 1.

A buffer is live while a task runs, whatever the order is, if the task that allocates it is the
task itself or one that it depends on, and some task that uses it is the task itself or depends on
it. The largest sum of these over all tasks is the lower bound of peaks.

Invariant: a task that uses a buffer depends on the task that allocates it. `peak` takes time
linear in the tasks and the uses of buffers. Sets of tasks are the bits of integers, so
`lower_bound` takes time in proportion to the dependences and the uses of buffers, times the
number of tasks over the size of a machine word.

Two searches take turns, one from each end of the order. One of them may need a
hundred times fewer states, and nothing tells in advance which one. If neither is done within the
limit, orders within higher levels are searched for, which halves the distance between the peak and
the bound each time.

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

`ReducedGraph` is a smaller task graph whose best order is as good:

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
from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import count
from typing import NamedTuple


class TaskBuffer(NamedTuple):
    """Memory that tasks use."""

    size: int
    """In bytes."""
    allocated_by: int | None
    """The task that allocates it; `None` if it is live before the first task."""
    used_by: Sequence[int]
    """The tasks that need it to be live, each once: the last to run frees it."""
    is_kept: bool = False
    """Whether it stays live after the last task."""


@dataclass(eq=False)
class TaskGraph:
    """Tasks, numbered in an order in which they can run."""

    successors: Sequence[Sequence[int]]
    """The tasks that depend on each task."""
    buffers: Sequence[TaskBuffer]
    temporary: Sequence[int]
    """
    The bytes that each task needs on top of all live buffers, while it runs; negative, by no more
    than it allocates, if not all of these are live at a time.
    """

    def __len__(self) -> int:
        return len(self.successors)

    @cached_property
    def predecessors(self) -> Sequence[Sequence[int]]:
        """The tasks that each task depends on."""
        found: list[list[int]] = [[] for _ in self.successors]
        for task, successors in enumerate(self.successors):
            for successor in successors:
                found[successor].append(task)
        return found

    @cached_property
    def live_at_start(self) -> int:
        """The bytes that are live before the first task."""
        return sum(b.size for b in self.buffers if b.allocated_by is None)

    @cached_property
    def allocated(self) -> Sequence[int]:
        """The bytes that each task allocates."""
        sizes = [0] * len(self)
        for buffer in self.buffers:
            if buffer.allocated_by is not None:
                sizes[buffer.allocated_by] += buffer.size
        return sizes

    @cached_property
    def used(self) -> Sequence[Sequence[int]]:
        """The buffers that each task uses, by index."""
        found: list[list[int]] = [[] for _ in self.successors]
        for index, buffer in enumerate(self.buffers):
            for task in buffer.used_by:
                found[task].append(index)
        return found

    def peak(self, order: Iterable[int]) -> int:
        """The most bytes that are live at a time in that order."""
        left = [len(buffer.used_by) for buffer in self.buffers]
        live = peak = self.live_at_start
        for task in order:
            live += self.allocated[task]
            peak = max(peak, live + self.temporary[task])
            for index in self.used[task]:
                left[index] -= 1
                if not left[index] and not self.buffers[index].is_kept:
                    live -= self.buffers[index].size
        return peak


def lower_bound(graph: TaskGraph) -> int:
    """The bytes that every order needs."""
    count = len(graph)
    after = _closures(graph.successors, reversed(range(count)))
    before = _closures(graph.predecessors, range(count))
    needs = list(graph.temporary)
    everywhere = graph.live_at_start if not count else 0
    for buffer in graph.buffers:
        live = (1 << count) - 1
        if buffer.allocated_by is not None:
            live = after[buffer.allocated_by]
        if not buffer.is_kept:
            needed = 0
            for task in buffer.used_by:
                needed |= before[task]
            live &= needed
        if live == (1 << count) - 1:
            everywhere += buffer.size
            continue
        while live:
            bit = live & -live
            needs[bit.bit_length() - 1] += buffer.size
            live ^= bit
    return max(needs, default=0) + everywhere


def _closures(neighbours: Sequence[Sequence[int]], order: Iterable[int]) -> list[int]:
    """By task: the task and those that it reaches, which are all earlier in the order."""
    found = [0] * len(neighbours)
    for task in order:
        reached = 1 << task
        for neighbour in neighbours[task]:
            reached |= found[neighbour]
        found[task] = reached
    return found


LEAST_WORK = 200_000
"""How often tasks may be tried in any graph, to find the best order."""

WORK_PER_TASK = 400
"""The same by task, in graphs of many tasks."""

MAX_LEVELS = 8
"""Levels within which an order is searched for if the best one has not been found."""

_TURN = 2000
"""How often one search tries tasks before it is the other one's turn."""

_NEAR = 200
"""The bound is near enough to a peak if it is less by no more than one part of these."""


class BestOrder(NamedTuple):
    """An order of all tasks."""

    order: Sequence[int]
    peak: int
    """The bytes that the order needs."""
    bound: int
    """Every order needs these bytes, or those that were asked for: the peak if it is the best."""


def best_order(
    graph: TaskGraph, at_least: int = 0, max_work: int | None = None
) -> BestOrder:
    """
    The order of the tasks with the least peak, or the best that is found if tasks are tried no
    more often than about twice `max_work`. An order that needs no more than `at_least` bytes is
    good enough.
    """
    if max_work is None:
        max_work = max(LEAST_WORK, WORK_PER_TASK * len(graph))
    reduced = ReducedGraph(graph)
    order: Sequence[int] = range(len(reduced.graph))
    peak = reduced.graph.peak(order)
    bound = min(peak, max(lower_bound(reduced.graph), at_least))
    if bound < peak:
        found, bound = _search(reduced.graph, bound, peak, max_work)
        order = found or order
        peak = reduced.graph.peak(order)
    return BestOrder(reduced.expanded(order), peak, min(peak, bound))


def _search(
    graph: TaskGraph, bound: int, peak: int, max_work: int
) -> tuple[Sequence[int] | None, int]:
    """An order with a lower peak, if one is found, and a lower bound of the least peak."""
    directions = [Steps(graph, backward=b) for b in (True, False)]
    searches = [OrderSearch(steps, bound, peak) for steps in directions]
    order = _run(searches, max_work)
    bound = min(peak, max(search.level for search in searches))
    if any(search.is_done for search in searches):
        return order, bound
    low = bound
    for _ in range(MAX_LEVELS):
        if peak - low <= max(1, peak // _NEAR):
            break
        level = (low + peak) // 2
        searches = [OrderSearch(steps, level, level + 1) for steps in directions]
        found = _run(searches, max_work // MAX_LEVELS)
        if found is not None:
            order, peak = found, graph.peak(found)
            continue
        low = level
        if any(search.is_done for search in searches):
            bound = level + 1
    return order, bound


def _run(searches: Sequence[OrderSearch], max_work: int) -> Sequence[int] | None:
    """
    Let searches take turns until one is done, or tasks have been tried that often. Returns the
    order that one has found, if any.
    """
    while sum(search.work for search in searches) < max_work:
        for search in searches:
            search.run(_TURN)
            if search.is_done:
                return search.found
    return None


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


@dataclass(eq=False, slots=True)
class _State:
    """Tasks that have been added, and how."""

    added: int
    """As bits."""
    live: int
    """The bytes that are live."""
    ready: Sequence[int]
    """The tasks that can be added."""
    previous: _State | None
    tasks: Sequence[int]
    """The tasks since the previous state."""
    is_superseded: bool = False
    """Whether a later state stands for what is left to be tried after this one."""
    lower: _State | None = None
    """The last state before it in which less is live."""

    def __post_init__(self):
        self.lower = self.previous
        while self.lower is not None and self.lower.live >= self.live:
            self.lower.is_superseded = True
            self.lower = self.lower.lower

    def path(self) -> Sequence[int]:
        """The tasks, in the order in which they have been added."""
        path: list[int] = []
        state: _State | None = self
        while state is not None:
            path += reversed(state.tasks)
            state = state.previous
        return path[::-1]


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


class ReducedGraph:
    """A task graph, and the smaller `graph` that takes its place in a search."""

    def __init__(self, original: TaskGraph):
        self._original = original
        heads = _heads(original)
        weighty = {heads[t] for b in original.buffers for t in b.used_by}
        weighty.update(t for t, size in enumerate(original.temporary) if size)
        self._is_weighty = [head in weighty for head in heads]
        self._tasks, successors = _contracted(original, heads, self._is_weighty)
        """By task of the smaller graph: the task that it stands for."""
        number = {task: index for index, task in enumerate(self._tasks)}

        def reduced(buffer: TaskBuffer) -> TaskBuffer:
            by = buffer.allocated_by
            return buffer._replace(
                allocated_by=None if by is None else number[heads[by]],
                used_by=sorted({number[heads[task]] for task in buffer.used_by}),
            )

        self.graph: TaskGraph = TaskGraph(
            [[number[s] for s in sorted(successors[t])] for t in self._tasks],
            [*map(reduced, original.buffers)],
            [original.temporary[task] for task in self._tasks],
        )

    def expanded(self, order: Iterable[int]) -> Sequence[int]:
        """
        The order of all tasks that an order of the smaller graph stands for. Tasks that need
        no memory stay before the tasks that they were before, as far as that is possible.
        """
        return _Expansion(self._original, self._is_weighty).run(
            self._tasks[index] for index in order
        )


def _heads(graph: TaskGraph) -> Sequence[int]:
    """By task: the task that it is attached to in the end, or itself."""
    target: list[int | None] = [None] * len(graph)
    group: list[set[int]] = [{task} for task in range(len(graph))]
    """By task: the task, and those attached to it so far."""
    for task, successors in enumerate(graph.successors):
        own, used = group[task], [graph.buffers[index] for index in graph.used[task]]
        if (
            len(set(successors)) == 1
            and used
            and not graph.temporary[task]
            and all(
                b.allocated_by in own and (b.is_kept or not own.issuperset(b.used_by))
                for b in used
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
    graph: TaskGraph, heads: Sequence[int], is_weighty: Sequence[bool]
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
    for task, head in enumerate(heads):
        if task != head:
            continue
        before, after = predecessors[task], successors[task]
        if is_weighty[task] or len(before) * len(after) > len(before) + len(after):
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

    def __init__(self, graph: TaskGraph, is_weighty: Sequence[bool]):
        self._graph = graph
        self._is_weighty = is_weighty
        self._missing = [len(set(p)) for p in graph.predecessors]
        """By task: how many tasks that it depends on have not run."""
        self._is_run = [False] * len(graph)
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
