"""
Memrefs that are used in straight-line code: in their own block, by ops without control flow.

Many memrefs may be derived from one, as views and by `arith.select`, and one from many. Those
that are used in straight-line code are followed once, not once for each memory that they may
be in.
"""

from __future__ import annotations

from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.buffers.buffer_flow import BufferFlow
from xdsl_bufferization.buffers.memref_flow_graph import MemrefFlowGraph
from xdsl_bufferization.support.call_graph import is_call

_MAX_OTHERS = 4
"""A memref from which more others are derived is followed as if it were one of them."""


class StraightLineUses(NamedTuple):
    """The uses of a memref, and of those that are derived from it."""

    last: int
    """The position in the block of the last op that uses one of them; -1 if none does."""
    others: frozenset[SSAValue]
    """The derived memrefs that are not used in straight-line code only."""


def straight_line_uses(
    flow: BufferFlow, graph: MemrefFlowGraph
) -> dict[SSAValue, StraightLineUses]:
    """The memrefs, results of ops, that are used in straight-line code only."""
    found: dict[SSAValue, StraightLineUses] = {}
    # What is derived from a memref in its block is behind it there.
    for op in reversed(flow.position):
        for result in filter(flow.is_followed, op.results):
            users = [u.operation for u in result.uses if u.operation in flow.position]
            if not all(_is_in_straight_line(user, op) for user in users):
                continue
            last = max((flow.position[user] for user in users), default=-1)
            others: set[SSAValue] = set()
            for derived in graph.derived(result):
                if (uses := found.get(derived.target)) is None:
                    others.add(derived.target)
                else:
                    last = max(last, uses.last)
                    others |= uses.others
            if len(others) <= _MAX_OTHERS:
                found[result] = StraightLineUses(last, frozenset(others))
    return found


def _is_in_straight_line(user: Operation, op: Operation) -> bool:
    """Whether the user is in the op's block, and no control flow is at it."""
    block = op.parent
    assert block is not None
    return (
        user.parent is block
        and user is not block.last_op
        and not user.regions
        and not is_call(user)
    )
