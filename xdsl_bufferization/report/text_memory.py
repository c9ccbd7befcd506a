"""The report on a function on memrefs, as text, and the peaks of any function."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl_bufferization.report.formulas import amount, formula_text, total
from xdsl_bufferization.report.memory.rows import offset_text, rows_of, sizes_at_once
from xdsl_bufferization.report.model import (
    Arena,
    Buffer,
    BufferCopy,
    MemoryFunction,
    Step,
    TensorFunction,
    Usage,
)
from xdsl_bufferization.report.peaks import SHOWN, AtPeak, buffers_at_peak
from xdsl_bufferization.report.source import Note
from xdsl_bufferization.report.writer import Writer


def write_memory_function(writer: Writer, function: MemoryFunction) -> None:
    """Write what is live at the peak, then the buffers with their live ranges."""
    writer.title(function.name, function.place)
    write_peaks(writer, function)
    _write_numbers(writer, function)
    if function.buffers:
        writer.line()
        _write_buffers(writer, function)
    if function.copies:
        writer.line()
        _write_copies(writer, function.copies)


def write_donations(writer: Writer, function: TensorFunction | MemoryFunction) -> None:
    """Write for each donated argument the result that is in its memory."""
    for donation in function.donations:
        writer.fact(
            f"result {donation.result} is in the memory of {donation.argument}, as agreed"
        )


def _write_numbers(writer: Writer, function: MemoryFunction) -> None:
    heap = [b for b in function.buffers if b.kind == "heap"]
    stack = [b for b in function.buffers if b.kind == "stack" and not b.is_callee]
    writer.fact(f"heap: {writer.total(sizes_at_once(heap))}")
    if stack:
        writer.fact(f"stack: {writer.total(sizes_at_once(stack))}")
    for arena in function.arenas:
        writer.fact(_arena(arena))
    writer.fact(f"copies: {writer.total(map(amount, function.copies))}")
    write_donations(writer, function)
    if function.calls:
        calls = ", ".join(n.text + writer.at(n.place) for n in function.calls)
        writer.fact(f"without the memory of functions that are called: {calls}")


# Peaks -----------------------------------------------------------------------------------


def write_peaks(writer: Writer, function: MemoryFunction) -> None:
    """Write how much memory is needed at once, when, and for which buffers."""
    peaks = [
        ("peak", function.heap),
        ("peak of the stack", function.stack),
        *((f"peak in {arena.name}", arena.usage) for arena in function.arenas),
    ]
    peaks = [(what, usage) for what, usage in peaks if usage.peak is not None]
    for what, usage in peaks:
        _write_peak(writer, what, function, usage)
        if usage is function.heap and function.least_peak is not None:
            writer.fact(
                f"no order of these ops needs less than {function.least_peak:,} bytes"
            )
    if peaks and any(len(usage.alive) > 1 for _, usage in peaks):
        writer.line()


def _write_peak(
    writer: Writer, what: str, function: MemoryFunction, usage: Usage
) -> None:
    peak = usage.peak
    assert peak is not None
    more = " or more" if usage.is_lower_bound else ""
    at = f"{peak.note.text}{writer.at(peak.note.place)}"
    alive = buffers_at_peak(function, usage)
    only = f": {alive[0].buffer.name}" if len(alive) == 1 else ""
    others = "".join(
        f", or {_alive(other)} at {other.note.text}{writer.at(other.note.place)}"
        for other in usage.other_peaks
    )
    which = ", whichever is more" if others else ""
    writer.fact(f"{what}: {_alive(peak)}{more} at {at}{only}{others}{which}")
    if len(alive) < 2:
        return
    writer.table(
        ("at the peak", "bytes", "made by", "needed until"),
        [
            *(_at_peak(writer, it) for it in alive[:SHOWN]),
            *_smaller(writer, alive[SHOWN:]),
        ],
        indent=4,
    )
    writer.quote([Note("the peak", peak.note.place)], indent=4)
    is_known = peak.formula.number is not None
    if is_known and usage.needed_bytes < peak.live_bytes and what == "peak":
        writer.help(
            f"{usage.needed_bytes:,} bytes are enough if each buffer is made before its first "
            "use and freed after its last: plan-static-memory plans an arena like that."
        )


def _at_peak(writer: Writer, it: AtPeak) -> Sequence[str]:
    size = writer.size(amount(it.buffer))
    if it.buffer.more_at_once:
        size = f"{it.buffer.more_at_once + 1} x {size}"
    return it.buffer.name, size, it.made, it.needed


def _smaller(writer: Writer, others: Sequence[AtPeak]) -> Sequence[Sequence[str]]:
    """A row for the buffers that are not listed."""
    if not others:
        return []
    size, _ = total(amount(o.buffer) for o in others)
    return [(f"{len(others)} more", writer.size(size), "", "")]


def _alive(step: Step) -> str:
    """How much is live, as far as sizes are known."""
    known = f"{formula_text(step.formula)} bytes"
    if not step.unknown:
        return known
    unknown = f"{_buffers(step.unknown)} of unknown size"
    return f"{known} and {unknown}" if step.formula.terms else unknown


# Buffers and copies ----------------------------------------------------------------------


def _write_buffers(writer: Writer, function: MemoryFunction) -> None:
    writer.table(
        ("buffer", "type", "bytes", "where", "made", "used", "end"),
        [
            (
                first.name,
                first.type,
                writer.size(amount(first)),
                _where(first),
                _line(first) + in_loops(writer, first.loops),
                ", ".join(map(_uses, row)),
                _end(first),
            )
            for row in rows_of(function.buffers)
            for first in row[:1]
        ],
    )


def _where(buffer: Buffer) -> str:
    if buffer.is_callee:
        return f"{buffer.kind} of callee"
    offset = offset_text(buffer)
    return f"arena at {offset}" if offset else buffer.kind


def _write_copies(writer: Writer, copies: Sequence[BufferCopy]) -> None:
    writer.table(
        ("copy of", "to", "bytes", "by"),
        [
            (
                c.source,
                c.target,
                writer.size(amount(c)),
                c.op + writer.at(c.place) + in_loops(writer, c.loops),
            )
            for c in copies
        ],
    )


def _buffers(number: int) -> str:
    return "1 buffer" if number == 1 else f"{number} buffers"


def _arena(arena: Arena) -> str:
    known = amount(arena)
    size = "" if known is None else f" of {formula_text(known)} bytes"
    whose = "arena" if arena.place is not None else "arena of the caller"
    return f"{whose} {arena.name}{size}: {_buffers(len(arena.parts))}"


def _line(buffer: Buffer) -> str:
    return "" if buffer.place is None else f"line {buffer.place.line}"


def in_loops(writer: Writer, loops: Sequence[Note]) -> str:
    """The innermost of the loops; empty if there are none."""
    if not loops:
        return ""
    return f" in {loops[-1].text}{writer.at(loops[-1].place)}"


def _uses(buffer: Buffer) -> str:
    first, last = buffer.first_use, buffer.last_use
    if first is None or last is None:
        return "never"
    if first.place is None or last.place is None:
        return f"{first.text} to {last.text}"
    if first.place.line == last.place.line:
        return f"line {first.place.line}"
    return f"{first.place.line} to {last.place.line}"


def _end(buffer: Buffer) -> str:
    places = {n.place.line for n in buffer.frees if n.place is not None}
    lines = ", ".join(map(str, sorted(places)))
    more = f", {buffer.more_at_once + 1} at once" if buffer.more_at_once else ""
    if buffer.piles_up:
        more += ", one more in each run"
    if not lines:
        return buffer.ending + more
    return f"{buffer.ending} in line{'s' if len(places) > 1 else ''} {lines}{more}"
