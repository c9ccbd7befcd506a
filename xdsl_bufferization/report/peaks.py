"""
The buffers that are alive when a function needs most memory, why each of them is, and the rows of
a table of buffers.

    %a = linalg.exp ...          // %a, 16,384 bytes, made here
    %b = linalg.matmul ...       // the peak: %b is made, and %a is needed still
    %c = linalg.add ins(%a, ...) // until this op

A view of an arena that holds several buffers, one after the other, is one row with several ranges
of use. All other buffers have a row each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl_bufferization.report.buffer_sizes import (
    NONE,
    Formula,
    formula_text,
    total,
)
from xdsl_bufferization.report.model import Buffer, MemoryFunction, Usage
from xdsl_bufferization.report.source import Note, SourceRange


def rows_of(buffers: Iterable[Buffer]) -> Sequence[Sequence[Buffer]]:
    """The buffers, in order; buffers of one view are together."""
    rows: dict[object, list[Buffer]] = {}
    for number, buffer in enumerate(buffers):
        offset = offset_text(buffer)
        key = (buffer.name, offset) if offset else number
        rows.setdefault(key, []).append(buffer)
    return [*rows.values()]


def help_at_peak(function: MemoryFunction) -> Sequence[str]:
    """Ways to lower the peak of the heap, in sentences, if several buffers are live there."""
    heap = function.heap
    if function.advice or heap.peak is None or len(heap.alive) < 2:
        return function.advice
    if heap.needed_bytes < heap.peak.live_bytes and heap.peak.bytes.number is not None:
        less = heap.peak.live_bytes - heap.needed_bytes
        return [
            f"{heap.needed_bytes:,} bytes are enough, {less:,} less, if each buffer is made before "
            "its first use and freed after its last: plan-static-memory plans an arena like that."
        ]
    return [
        "The report on the program before bufferize, if it has tensors there, tries donations, "
        "options and passes."
    ]


def offset_text(buffer: Buffer) -> str:
    """The offset of a part of an arena, also if it is known at run time only; empty for others."""
    return "" if buffer.offset_bytes is None else formula_text(buffer.offset_bytes)


def sizes_at_once(buffers: Iterable[Buffer]) -> Sequence[Formula | None]:
    """
    The size of each buffer that the function itself allocates, once for each that is live at once;
    of a loop that leaves one more in each run, one counts.
    """
    return [
        buffer.bytes
        for buffer in buffers
        if not buffer.is_callee
        for _ in range(1 + buffer.more_at_once)
    ]


SHOWN = 12
"""The most buffers at a peak that are listed, the largest first."""


@dataclass(frozen=True, slots=True)
class AtPeak:
    """A buffer that is alive at a peak."""

    buffer: Buffer
    is_idle: bool
    """Whether no op uses it at that time: not any more, or not yet."""
    loop: Note | None = None
    """The outermost loop that uses the buffer to the end, and that it is made outside of."""

    @property
    def made(self) -> str:
        """The op that makes it, with its line."""
        return _at(Note(self.buffer.op, self.buffer.place))

    @property
    def needed(self) -> str:
        """Until when it is needed, or why it is there."""
        buffer = self.buffer
        leaves = buffer.is_left or buffer.ending == "returned"
        if buffer.is_callee:
            return "during the call"
        if buffer.last_use is None:
            return buffer.ending if leaves else "never used"
        until = _at(buffer.last_use)
        if self.loop is not None:
            until += f" in {_at(self.loop)}"
        if leaves:
            until += f", {buffer.ending}"
        return f"{until}; not in use at the peak" if self.is_idle else until


def buffers_at_peak(function: MemoryFunction, usage: Usage) -> Sequence[AtPeak]:
    """The buffers that are alive at the peak, the largest first."""
    idle = {*usage.idle}
    return [
        AtPeak(function.buffers[n], n in idle, _loop(function, n)) for n in usage.alive
    ]


def _loop(function: MemoryFunction, number: int) -> Note | None:
    """The outermost loop that uses a buffer to the end, and that it is made outside of."""
    buffer = function.buffers[number]
    if buffer.used is None:
        return None
    made, last = buffer.taken.first, buffer.used.end - 1
    for loop in function.loops:
        if loop.span.first <= last < loop.span.end and not made >= loop.span.first:
            return loop.note
    return None


def peak_of(function: MemoryFunction) -> Formula:
    """The bytes that the function needs at once: its heap, and the arenas that it is given."""
    heap = NONE if function.heap.peak is None else function.heap.peak.bytes
    given, _ = total(a.bytes for a in function.arenas if a.place is None)
    return heap + given


def _at(note: Note) -> str:
    return note.text + line_of(note.place)


def line_of(place: SourceRange | None) -> str:
    """The name of the layer, and the number of the line in brackets."""
    return "" if place is None else f"{place.layer} (line {place.line})"
