"""
Bytes that every order of a task graph needs at its peak.

A buffer is live while a task runs, whatever the order is, if the task that allocates it is the
task itself or one that it depends on, and some task that uses it is the task itself or depends on
it:

    task 0 allocates A      // while task 1 runs, A is live in each order:
    task 1 depends on 0     // task 0 runs before, task 2 after it
    task 2 depends on 1, uses A

The largest sum of these over all tasks is the bound. Sets of tasks are the bits of integers, so
`lower_bound` takes time in proportion to the dependences and the uses of buffers, times the
number of tasks over the size of a machine word.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl_bufferization.planning.order.task_graph import TaskGraph


def footprints(graph: TaskGraph) -> list[int]:
    """
    The bytes that each task needs for itself: its buffers, and those that are live from the
    start to the end. Takes linear time.
    """
    always = sum(b.size for b in graph.buffers if b.allocated_by is None and b.is_kept)
    needs = [always + size for size in graph.temporary]
    for buffer in graph.buffers:
        if buffer.allocated_by is None and buffer.is_kept:
            continue
        for task in buffer.used_by:
            needs[task] += buffer.size
    return needs


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
    """By task: the task and those that it reaches, all of which are earlier in the order."""
    found = [0] * len(neighbours)
    for task in order:
        reached = 1 << task
        for neighbour in neighbours[task]:
            reached |= found[neighbour]
        found[task] = reached
    return found
