"""
When the source of a move can stand for its result, so that bufferization neither copies more nor
keeps more memory alive.

    %t = linalg.transpose ins(%a) ...
    %b = linalg.exp ins(%a) outs(%a)      // overwrites %a
    %r = linalg.generic ins(%t, %b) ...   // has to read %t: for %a, the line above would copy

Each query takes logarithmic time, and time in proportion to the nesting of regions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.move import move_of
from xdsl_bufferization.support.regions import ancestor_in
from xdsl_bufferization.support.shaped_types import ranked_shape
from xdsl_bufferization.tensors.eliminate_moves.memory import Group, SharedMemory
from xdsl_bufferization.tensors.eliminate_moves.obstacles import (
    LivesLonger,
    MayShareAlready,
    Obstacle,
    Overwritten,
    ResultWritten,
    UsedAsMemref,
    UsedInOtherBlock,
)
from xdsl_bufferization.tensors.indexing_maps import order_of


def obstacle_to_reading(
    memory: SharedMemory, op: Operation, source: SSAValue, users: Iterable[Operation]
) -> Obstacle | None:
    """
    The reason why some user of the move's result cannot read the source in its place; `None` if
    all can.
    """
    group = memory.of(source)
    last = _end_of_uses(memory, op, users)
    if isinstance(last, UsedInOtherBlock):
        return last
    if group.is_foreign:
        return UsedAsMemref()
    if (writer := group.written_between(memory.position(op), last)) is not None:
        return Overwritten(writer)
    return _more_memory(memory, op, source, last)


def obstacle_to_view(
    memory: SharedMemory, op: Operation, source: SSAValue
) -> Obstacle | None:
    """The reason why the move's result cannot be in the buffer of its source, if there is one."""
    group, moved = memory.of(source), memory.of(op.results[0])
    last = _end_of_uses(memory, op, (use.op for use in moved.uses[-1:]))
    if isinstance(last, UsedInOtherBlock):
        return last
    if group is moved:
        return MayShareAlready()
    if group.is_foreign or moved.is_foreign:
        return UsedAsMemref()
    position = memory.position(op)
    if moved.writes:
        # A write of the source as well.
        if not _is_dead_after(group, op, position):
            return ResultWritten(moved.writes[0].op)
    elif (writer := group.written_between(position, last)) is not None:
        return Overwritten(writer)
    return _more_memory(memory, op, source, last)


def can_insert_before(
    memory: SharedMemory,
    op: Operation,
    source: SSAValue,
    tensors: Sequence[SSAValue],
    users: Iterable[Operation],
) -> bool:
    """
    Whether insertions into the result of the move can be insertions into its source, in the
    buffer of that, given the result and the tensor after each insertion, and the users after all.
    """
    group, position = memory.of(source), memory.position(op)
    end = _end_of_uses(memory, op, users)
    return (
        not isinstance(end, UsedInOtherBlock)
        and not group.is_foreign
        and memory.is_alone(tensors)
        and _is_dead_after(group, op, position)
        and _more_memory(memory, op, source, end) is None
    )


def _is_dead_after(group: Group, op: Operation, position: int) -> bool:
    """Whether the memory may be written once the op has read it."""
    return (
        not group.is_read_only
        and not group.is_used_after(position)
        and (group.passed_on is None or group.passed_on.position > position)
        # Memory from outside of a loop would have other contents in the next iteration.
        and group.block is op.parent
    )


def _end_of_uses(
    memory: SharedMemory, op: Operation, users: Iterable[Operation]
) -> int | UsedInOtherBlock:
    """
    The last position in the ops of the block of `op` that are users, or have them in their
    regions; a user that is elsewhere, if there is one.
    """
    end = memory.position(op)
    region = op.parent_region()
    for user in users:
        ancestor = None if region is None else ancestor_in(region, user)
        if ancestor is None or ancestor.parent is not op.parent:
            return UsedInOtherBlock(user)
        end = max(end, memory.end(ancestor))
    return end


def _more_memory(
    memory: SharedMemory, op: Operation, source: SSAValue, last: int
) -> LivesLonger | None:
    """
    The memory that the buffer of the source may take up to the last position, besides that of the
    result of the move; `None` if it takes no more, or is alive there anyway.
    """
    group, (result,) = memory.of(source), op.results
    if group.is_kept or group.is_used_after(last - 1):
        return None
    size = memory.bytes_of(result)
    if group.size is not None and size is not None:
        return LivesLonger(group.size - size) if group.size > size else None
    move, shape = move_of(op), ranked_shape(source)
    takes_no_more = (
        not group.has_parts
        and move is not None
        and move.map is not None
        # Each element of the source is in the result.
        and order_of(
            [i for i, n in zip(move.map.results, shape, strict=True) if n != 1]
        )
        is not None
    )
    return None if takes_no_more else LivesLonger(None)
