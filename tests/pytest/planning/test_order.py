"""The order of tasks that needs the least memory: exact, proved, and bounded where it is not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xdsl_bufferization.planning.order import (
    BestOrder,
    ReducedGraph,
    TaskBuffer,
    TaskGraph,
    best_order,
    lower_bound,
)

MOST_TASKS = 9


@st.composite
def graphs(draw: st.DrawFn, most: int = MOST_TASKS) -> TaskGraph:
    """Task graphs with buffers that live from the start, to the end, or are not used at all."""
    count = draw(st.integers(0, most))
    density = draw(st.sampled_from((1, 2, 4)))
    successors = [
        [j for j in range(i + 1, count) if draw(st.integers(0, 4)) < density]
        for i in range(count)
    ]
    after = reachable(successors)
    buffers: list[TaskBuffer] = []
    for task in range(count):
        for _ in range(draw(st.integers(0, 2))):
            users = [t for t in sorted(after[task]) if draw(st.booleans())]
            buffers.append(
                TaskBuffer(
                    draw(st.integers(1, 9)),
                    task,
                    [task, *users],
                    is_kept=draw(st.integers(0, 9)) == 0,
                )
            )
    if users := [task for task in range(count) if draw(st.integers(0, 3)) == 0]:
        size, is_kept = draw(st.integers(1, 9)), draw(st.booleans())
        buffers.append(TaskBuffer(size, None, users, is_kept))
    temporary = [draw(st.sampled_from((0, 0, 0, 5))) for _ in range(count)]
    return TaskGraph(successors, buffers, temporary)


def reachable(successors: Sequence[Sequence[int]]) -> Sequence[set[int]]:
    found: list[set[int]] = [set() for _ in successors]
    for task in reversed(range(len(successors))):
        for successor in successors[task]:
            found[task] |= {successor, *found[successor]}
    return found


def least_peak(graph: TaskGraph) -> int:
    """By the definition, over all sets of tasks that can have run."""
    count = len(graph)
    least = {0: graph.live_at_start}
    for done in range(1 << count):
        if done not in least:
            continue
        live = sum(b.size for b in graph.buffers if is_live(b, done))
        for task in range(count):
            if done >> task & 1 or any(
                not done >> p & 1 for p in graph.predecessors[task]
            ):
                continue
            need = live + graph.allocated[task] + graph.temporary[task]
            after = done | 1 << task
            least[after] = min(max(least[done], need), least.get(after, 1 << 60))
    return least[(1 << count) - 1]


def is_live(buffer: TaskBuffer, done: int) -> bool:
    by = buffer.allocated_by
    return (by is None or bool(done >> by & 1)) and (
        buffer.is_kept or any(not done >> user & 1 for user in buffer.used_by)
    )


def assert_valid(graph: TaskGraph, best: BestOrder) -> None:
    """Assert that the order keeps dependences, and that its figures are right."""
    assert sorted(best.order) == list(range(len(graph)))
    position = {task: index for index, task in enumerate(best.order)}
    for task, successors in enumerate(graph.successors):
        assert all(position[task] < position[successor] for successor in successors)
    assert graph.peak(best.order) == best.peak
    assert best.bound <= best.peak <= graph.peak(range(len(graph)))


@given(graphs())
def test_least_peak_is_found_and_proved(graph: TaskGraph) -> None:
    best = best_order(graph)
    assert_valid(graph, best)
    assert best.peak == best.bound == least_peak(graph)


@given(graphs())
def test_bounds_are_bounds(graph: TaskGraph) -> None:
    least = least_peak(graph)
    assert lower_bound(graph) <= lower_bound(ReducedGraph(graph).graph) <= least
    limited = best_order(graph, max_work=0)
    assert_valid(graph, limited)
    assert limited.bound <= least <= limited.peak


@given(graphs(), st.data())
def test_reduced_graphs_are_as_good(graph: TaskGraph, data: st.DataObject) -> None:
    reduced = ReducedGraph(graph)
    assert least_peak(reduced.graph) == least_peak(graph)
    order: list[int] = []
    while len(order) < len(reduced.graph):
        ready = [
            task
            for task in range(len(reduced.graph))
            if task not in order
            and all(p in order for p in reduced.graph.predecessors[task])
        ]
        order.append(data.draw(st.sampled_from(ready)))
    assert graph.peak(reduced.expanded(order)) == reduced.graph.peak(order)


@given(graphs(), st.integers(0, 60))
def test_good_enough_orders_are_not_improved(graph: TaskGraph, at_least: int) -> None:
    best = best_order(graph, at_least=at_least)
    assert_valid(graph, best)
    assert best.peak <= max(at_least, least_peak(graph))


@settings(max_examples=20)
@given(graphs(most=40))
def test_limited_searches_are_bounded(graph: TaskGraph) -> None:
    best, limited = best_order(graph), best_order(graph, max_work=2000)
    assert_valid(graph, best)
    assert_valid(graph, limited)
    assert limited.bound <= best.peak
    assert best.bound <= limited.peak


def chains(width: int, *, is_open_at_end: bool) -> TaskGraph:
    """
    Chains of a small, a large and a small buffer, the last of which are needed together; or the
    first of which are allocated before all chains.
    """
    count = 3 * width + 1
    successors: list[list[int]] = [[] for _ in range(count)]
    buffers: list[TaskBuffer] = []
    for chain in range(width):
        first = chain * 3
        tasks = [first, first + 1, first + 2, count - 1]
        for number, size in enumerate((10 + chain, 100, 10)):
            one, other = tasks[number : number + 2]
            successors[one].append(other)
            buffers.append(TaskBuffer(size, one, [one, other]))
    graph = TaskGraph(successors, buffers, [0] * count)
    return graph if is_open_at_end else reversed_graph(graph)


def reversed_graph(graph: TaskGraph) -> TaskGraph:
    """The graph with all dependences turned round, for buffers with two users."""
    last = len(graph) - 1
    buffers = [
        TaskBuffer(b.size, last - b.used_by[-1], sorted(last - t for t in b.used_by))
        for b in graph.buffers
    ]
    successors = [
        [last - p for p in graph.predecessors[last - t]] for t in range(last + 1)
    ]
    return TaskGraph(successors, buffers, [0] * len(graph))


@pytest.mark.parametrize("is_open_at_end", [True, False])
def test_wide_graphs_take_little_work(is_open_at_end: bool) -> None:
    graph = chains(60, is_open_at_end=is_open_at_end)
    best = best_order(graph)
    assert best.peak == best.bound < graph.peak(range(len(graph)))


def test_tasks_without_memory_stay_where_they_are() -> None:
    # 0 and 2 need no memory; 1 allocates for 4, and is better off after 3.
    graph = TaskGraph(
        [[], [4], [], [4], []],
        [TaskBuffer(4, 1, [1, 4]), TaskBuffer(8, 3, [3])],
        [0] * 5,
    )
    assert best_order(graph).order == [0, 2, 3, 1, 4]
