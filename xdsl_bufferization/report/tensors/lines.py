"""The lines of a program in the order in which its bufferized form is executed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence


def in_order(lines: Sequence[int | None]) -> Sequence[int | None]:
    """
    The lines in ascending order.

    Most ops are in the order of the program, and keep their lines. One that a pass has moved,
    or that frees memory for an op further above, is in the line of the ops around it.
    """
    kept = _longest_ascending(lines)
    line = next((lines[index] for index in kept), None)
    ordered: list[int | None] = []
    following = iter(kept)
    next_kept = next(following, None)
    for index, own in enumerate(lines):
        if index == next_kept:
            line = own
            next_kept = next(following, None)
        ordered.append(None if own is None else line)
    return ordered


def _longest_ascending(lines: Sequence[int | None]) -> Sequence[int]:
    """The indices of the longest non-decreasing subsequence of the lines."""
    ends: list[int] = []
    """By length, less one: the least line that a part of the length ends with."""
    last: list[int] = []
    """By length, less one: the index of that line."""
    before: list[int | None] = [None] * len(lines)
    for index, line in enumerate(lines):
        if line is None:
            continue
        length = bisect_right(ends, line)
        before[index] = last[length - 1] if length else None
        if length == len(ends):
            ends.append(line)
            last.append(index)
        else:
            ends[length], last[length] = line, index
    chosen: list[int] = []
    index = last[-1] if last else None
    while index is not None:
        chosen.append(index)
        index = before[index]
    return chosen[::-1]
