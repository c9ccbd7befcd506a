"""
Ops of a block put into another order, with as few moves as possible.

The ops of a longest increasing subsequence stay where they are, and all others move in front of the
op that follows them. Takes time in proportion to the ops times the logarithm of their number.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from xdsl.ir import Operation

from xdsl_bufferization.tensors.changes import Changes


def put_in_order(
    ops: Sequence[Operation], order: Sequence[int], changes: Changes
) -> None:
    """
    Put the ops of a block, all but its terminator, into the order of the indices, which are those
    of the ops as they are now.
    """
    staying = increasing_subsequence(order)
    following = ops[-1].next_op
    for index in reversed(order):
        op, block = ops[index], ops[index].parent
        assert block is not None
        if index not in staying:
            changes.move(op, block, following)
        following = op


def increasing_subsequence(numbers: Sequence[int]) -> set[int]:
    """The numbers of a longest increasing subsequence, given that all are different."""
    last: list[int] = []
    """By length: the least number that a subsequence of that length, plus one, ends with."""
    previous: dict[int, int | None] = {}
    for number in numbers:
        length = bisect_left(last, number)
        previous[number] = last[length - 1] if length else None
        last[length : length + 1] = [number]
    found: set[int] = set()
    number = last[-1] if last else None
    while number is not None:
        found.add(number)
        number = previous[number]
    return found
