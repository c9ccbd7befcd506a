"""Reachability in graphs of any nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

NodeT = TypeVar("NodeT")


def reachable(
    values: Iterable[NodeT], following: Callable[[NodeT], Iterable[NodeT]]
) -> dict[NodeT, None]:
    """The values, and all that follow them, directly or not, in the order of their visit."""
    seen = dict.fromkeys(values)
    pending = [*seen]
    while pending:
        for value in following(pending.pop()):
            if value not in seen:
                seen[value] = None
                pending.append(value)
    return seen
