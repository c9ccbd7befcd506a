"""
Tasks that depend on each other, the buffers that they use, and bytes that every order needs.

    task 0 allocates A (4 bytes)
    task 1 allocates B (2 bytes), uses A
    task 2 uses A

Run in the order 0, 1, 2, or 0, 2, 1: a buffer is live from the task that allocates it to the
last task that uses it. The first order needs 6 bytes at its peak, as does the second, in which A
is freed after task 1.

A buffer is live while a task runs, whatever the order is, if the task that allocates it is the
task itself or one that it depends on, and some task that uses it is the task itself or depends on
it. The largest sum of these over all tasks is the lower bound of peaks.

Invariant: a task that uses a buffer depends on the task that allocates it. `profile` takes time
linear in the tasks and the uses of buffers. Sets of tasks are the bits of integers, so
`lower_bound` takes time in proportion to the dependences and the uses of buffers, times the
number of tasks over the size of a machine word.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
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


class TaskGraph:
    """
    Tasks, numbered in an order in which they can run.

    `successors` has the tasks that depend on each task. `temporary` has the bytes that each task
    needs on top of all live buffers, while it runs; negative, by no more than it allocates, if not
    all of these are live at a time.
    """

    def __init__(
        self,
        successors: Sequence[Sequence[int]],
        buffers: Sequence[TaskBuffer],
        temporary: Sequence[int],
    ):
        self.successors = successors
        self.buffers = buffers
        self.temporary = temporary

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

    def profile(self, order: Iterable[int]) -> Sequence[int]:
        """The bytes that are live while each task of the order runs."""
        left = [len(buffer.used_by) for buffer in self.buffers]
        used: list[list[int]] = [[] for _ in self.successors]
        for index, buffer in enumerate(self.buffers):
            for task in buffer.used_by:
                used[task].append(index)
        live = self.live_at_start
        needs: list[int] = []
        for task in order:
            live += self.allocated[task]
            needs.append(live + self.temporary[task])
            for index in used[task]:
                left[index] -= 1
                if not left[index] and not self.buffers[index].is_kept:
                    live -= self.buffers[index].size
        return needs

    def peak(self, order: Iterable[int]) -> int:
        """The most bytes that are live at a time in that order."""
        return max(self.profile(order), default=self.live_at_start)


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
