"""
When the source of a move can stand for its result, so that bufferization neither copies more nor
keeps more memory alive.

    %t = linalg.transpose ins(%a) ...
    %b = linalg.exp ins(%a) outs(%a)      // overwrites %a
    %r = linalg.generic ins(%t, %b) ...   // has to read %t: for %a, the line above would copy

Each query takes logarithmic time, and time in proportion to the nesting of regions.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xdsl_bufferization.interfaces.move import move_of
from xdsl_bufferization.support.regions import ancestor_in
from xdsl_bufferization.support.shaped_types import ranked_shape
from xdsl_bufferization.tensors.eliminate_moves.memory import SharedMemory


def can_be_read_from_source(
    memory: SharedMemory, op: Operation, source: SSAValue
) -> bool:
    """Whether all uses of the move's result can be uses of its source, which read it."""
    group = memory.of(source)
    last = _end_of_uses(memory, op, (use.operation for use in op.results[0].uses))
    return (
        last is not None
        and not group.is_foreign
        and not group.is_written_between(memory.position(op), last)
        and _keeps_no_more(memory, op, source, last)
    )


def can_be_view(memory: SharedMemory, op: Operation, source: SSAValue) -> bool:
    """Whether the result of the move can be in the buffer of its source."""
    group, moved = memory.of(source), memory.of(op.results[0])
    last = _end_of_uses(memory, op, (use.op for use in moved.uses[-1:]))
    if group is moved or group.is_foreign or moved.is_foreign or last is None:
        return False
    position = memory.position(op)
    if not moved.writes:
        return not group.is_written_between(position, last) and _keeps_no_more(
            memory, op, source, last
        )
    return (
        not group.is_argument
        and not group.is_used_after(position)
        and group.passed_on > position
        # Memory from outside of a loop would have other contents in the next iteration.
        and group.block is op.parent
        and _keeps_no_more(memory, op, source, last)
    )


def _end_of_uses(
    memory: SharedMemory, op: Operation, users: Iterable[Operation]
) -> int | None:
    """
    The last position in the ops of the block of `op` that are users, or have them in their
    regions; `None` if a user is elsewhere.
    """
    end = memory.position(op)
    region = op.parent_region()
    for user in users:
        ancestor = None if region is None else ancestor_in(region, user)
        if ancestor is None or ancestor.parent is not op.parent:
            return None
        end = max(end, memory.end(ancestor))
    return end


def _keeps_no_more(
    memory: SharedMemory, op: Operation, source: SSAValue, last: int
) -> bool:
    """
    Whether the buffer of the source takes no more memory up to the last position than that of
    the result of the move, if it is not alive there anyway.
    """
    group, (result,) = memory.of(source), op.results
    if group.is_kept or group.is_used_after(last - 1):
        return True
    size = memory.bytes_of(result)
    if group.size is not None and size is not None:
        return group.size <= size
    move = move_of(op)
    return (
        not group.has_parts
        and move is not None
        and move.map is not None
        and _uses_all_elements(ranked_shape(source), move.map)
    )


def _uses_all_elements(shape: Iterable[int], map: AffineMap) -> bool:
    """Whether the result of a move has each element of a source of that shape."""
    dimensions = [
        index.position if isinstance(index, AffineDimExpr) else None
        for size, index in zip(shape, map.results, strict=True)
        if size != 1
    ]
    return None not in dimensions and len({*dimensions}) == len(dimensions)
