"""
The best order of tasks that is found within a limit, and a bound for all orders.

Two searches take turns, one from each end of the order (`order_search.py`). One of them may need a
hundred times fewer states, and nothing tells in advance which one. If neither is done within the
limit, orders within higher levels are searched for, which halves the distance between the peak and
the bound each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl_bufferization.planning.order.order_search import OrderSearch, Steps
from xdsl_bufferization.planning.order.reduction import ReducedGraph
from xdsl_bufferization.planning.order.task_graph import TaskGraph, lower_bound

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
    _run(searches, max_work)
    bound = min(peak, max(search.level for search in searches))
    order = next((s.found for s in searches if s.found is not None), None)
    if any(search.is_done for search in searches):
        return order, bound
    low = bound
    for _ in range(MAX_LEVELS):
        if peak - low <= max(1, peak // _NEAR):
            break
        level = (low + peak) // 2
        searches = [OrderSearch(steps, level, level + 1) for steps in directions]
        _run(searches, max_work // MAX_LEVELS)
        found = next((s.found for s in searches if s.found is not None), None)
        if found is not None:
            order, peak = found, graph.peak(found)
            continue
        low = level
        if any(search.is_done for search in searches):
            bound = level + 1
    return order, bound


def _run(searches: Sequence[OrderSearch], max_work: int) -> None:
    """Let searches take turns until one is done, or tasks have been tried that often."""
    while sum(search.work for search in searches) < max_work:
        for search in searches:
            search.run(_TURN)
            if search.is_done:
                return
