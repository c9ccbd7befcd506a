"""
Parts of arenas, and the buffers that they hold.

One part may hold several buffers one after the other, since common subexpression
elimination merges views at the same offset. A new buffer begins where another part has used
the same bytes in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sortedcontainers import SortedList
from xdsl.ir import BlockArgument, Operation, SSAValue

from xdsl_bufferization.interfaces.allocation import AllocationOpInterface
from xdsl_bufferization.interfaces.view_like import byte_shift_of
from xdsl_bufferization.placement.arenas import ARENA_ATTRIBUTE
from xdsl_bufferization.report.formulas import Formula, number_of
from xdsl_bufferization.report.model import Span
from xdsl_bufferization.report.source import Source
from xdsl_bufferization.support.attributes import argument_attributes, constant_integer
from xdsl_bufferization.support.memref_types import without_casts
from xdsl_bufferization.support.regions import defining_op


def offset_in_arena(
    op: Operation, function: Operation, source: Source
) -> Formula | None:
    """
    The offset in bytes of a view in an arena of the function; `None` for other ops, and if it is
    not known.

        %part = memref.view %arena[%c64][] : memref<256xi8> to memref<8xf32>    // 64
    """
    shift = byte_shift_of(op)
    if shift is None or not _is_arena(op.operands[0], function):
        return None
    if (offset := constant_integer(shift)) is not None:
        return number_of(offset)
    return source.sizes.number(shift, source.value_name)


def _is_arena(value: SSAValue, function: Operation) -> bool:
    """Whether the memref is allocated in the function, or an arena argument."""
    memory = without_casts(value)
    if not isinstance(memory, BlockArgument):
        return AllocationOpInterface.of(defining_op(memory)) is not None
    attributes = argument_attributes(function)
    return (
        bool(attributes)
        and memory.block.parent_op() is function
        and ARENA_ATTRIBUTE in attributes[memory.index]
    )


@dataclass(frozen=True, slots=True)
class Part:
    """
    A range of bytes of an arena, and when it is used; of bytes that are known at run time, their
    `magnitude`.
    """

    offset: int
    size: int | None
    uses: Sequence[Span]


def buffers_of_parts(parts: Sequence[Part]) -> Sequence[Sequence[Sequence[int]]]:
    """For each part its buffers, each as the indices of its uses, in order."""
    found: list[list[list[int]]] = [[] for _ in parts]
    uses = sorted(
        (use.first, use.end, number, index)
        for number, part in enumerate(parts)
        for index, use in enumerate(part.uses)
    )
    open_parts: SortedList[tuple[int, int]] = SortedList()
    """The parts in use, by offset and index; no two of them share bytes."""
    for _, _, number, index in uses:
        part = parts[number]
        if part.size is None:
            # Its bytes are unknown, so all uses count as one buffer.
            found[number] = found[number] or [[]]
            found[number][0].append(index)
            continue
        key = part.offset, number
        if key not in open_parts:
            end = part.offset + part.size
            for other in _sharing(part.offset, end, parts, open_parts):
                open_parts.remove(other)
            open_parts.add(key)
            found[number].append([])
        found[number][-1].append(index)
    return found


def _sharing(
    start: int,
    end: int,
    parts: Sequence[Part],
    open_parts: SortedList[tuple[int, int]],
) -> Sequence[tuple[int, int]]:
    """The open parts that share bytes with those from `start` to `end`."""
    first = open_parts.bisect_left((start, -1))
    if first:
        offset, number = open_parts[first - 1]
        if offset + (parts[number].size or 0) > start:
            first -= 1
    stop = open_parts.bisect_left((end, -1))
    return [open_parts[i] for i in range(first, stop)]
