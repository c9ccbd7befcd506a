"""The report as text, for people at a terminal, and as JSON, for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from xdsl_bufferization.report.model import (
    Allocation,
    Arena,
    Buffer,
    BufferCopy,
    Copy,
    MemoryFunction,
    Report,
    Step,
    TensorFunction,
    Usage,
)
from xdsl_bufferization.report.source import Note
from xdsl_bufferization.report.writer import Writer


def to_json(report: Report) -> str:
    """The report as a JSON object, whose keys are the fields of the dataclasses."""
    return json.dumps(asdict(report), indent=2) + "\n"


def join_json(reports: Iterable[str]) -> str:
    """A JSON list of reports in JSON."""
    return json.dumps([*map(json.loads, reports)], indent=2) + "\n"


def to_text(report: Report, *, colored: bool = False) -> str:
    """The report as text of about 100 columns, with ANSI colors if `colored`."""
    writer = Writer(report.source, colored=colored)
    if not report.functions:
        writer.line("There are no functions to report on.")
    if report.program:
        writer.line("Lines are those of the program as xdsl-opt prints it:")
        writer.line()
        writer.listing(report.program)
        writer.line()
    for index, function in enumerate(report.functions):
        if index:
            writer.line()
        if isinstance(function, TensorFunction):
            _write_tensor_function(writer, function)
        else:
            _write_memory_function(writer, function)
    return writer.text


def _write_donations(writer: Writer, function: TensorFunction | MemoryFunction) -> None:
    for donation in function.donations:
        writer.line(
            f"  result {donation.result} is in the memory of {donation.argument}, as agreed"
        )


# Functions on tensors ---------------------------------------------------------------------


def _write_tensor_function(writer: Writer, function: TensorFunction) -> None:
    writer.title(function.name, function.place)
    writer.line(
        f"  tensor operands: {function.in_place} in place, {function.out_of_place} out "
        "of place"
    )
    writer.line(f"  buffers: {writer.total(a.size for a in function.allocations)}")
    writer.line(f"  copies: {writer.total(c.size for c in function.copies)}")
    if function.eliminated:
        total = writer.total(c.size for c in function.eliminated)
        writer.line(f"  copies eliminated: {total}")
    if function.moves:
        total = writer.total(m.size for m in function.moves)
        writer.line(f"  moves: {total}")
    if function.copied:
        writer.line(f"  {function.copied:,} bytes copied, {_forced(function)}")
    _write_donations(writer, function)
    if function.allocations:
        writer.line()
        writer.table(
            ("buffer", "type", "bytes", "made for", ""),
            [
                (
                    a.name,
                    a.type,
                    writer.size(a.size),
                    a.op + writer.at(a.place),
                    "in each run of "
                    + ", ".join(n.text + writer.at(n.place) for n in a.loops)
                    if a.loops
                    else "",
                )
                for a in function.allocations
            ],
        )
    for made in function.allocations:
        if made.notes or made.advice:
            what = f"another buffer for {made.value}"
            _write_reason(writer, what, made, "a buffer for this")
    for copy in function.copies:
        _write_reason(writer, f"copy of {copy.value}", copy, "copied for this")
    if function.eliminated:
        writer.line()
        writer.table(
            ("eliminated copy of", "bytes", "for", "since"),
            [
                (
                    copy.value,
                    writer.size(copy.size),
                    copy.op + writer.at(copy.place),
                    copy.verdict_reason,
                )
                for copy in function.eliminated
            ],
        )
    if function.moves:
        writer.line()
        writer.table(
            ("move to", "type", "bytes", "by"),
            [
                (
                    move.value,
                    move.type,
                    writer.size(move.size),
                    move.op + writer.at(move.place) + _loops(writer, move.loops),
                )
                for move in function.moves
            ],
        )


def _forced(function: TensorFunction) -> str:
    """How many of the copied bytes are forced, and how loops are counted."""
    forced = (
        f"of which at least {function.forced:,} are forced"
        if function.forced
        else "of which none are known to be forced"
    )
    if all(copy.is_times_known for copy in function.copies):
        return forced
    return f"{forced}; loops of unknown length count once"


def _write_reason(
    writer: Writer, what: str, about: Allocation | Copy, mark: str
) -> None:
    """Write what there is, why, the lines that this is about, and the advice."""
    size = "" if about.size is None else f", {about.size:,} bytes"
    where = "".join(
        f", in each run of {n.text}{writer.at(n.place)}" for n in about.loops[-1:]
    )
    writer.line()
    writer.headline(f"{what}{writer.at(about.place)}{size}{where}", about.reason)
    writer.quote([Note(mark, about.place), *about.notes])
    if verdict := _verdict(about):
        writer.remark(*verdict)
    for advice in about.advice:
        writer.help(advice)
    if isinstance(about, Copy) and about.tried:
        writer.remark("tried", f"{about.tried}.")


def _verdict(about: Allocation | Copy) -> tuple[str, str] | None:
    """The verdict, and the sentence that explains it; `None` if there is none."""
    if isinstance(about, Allocation):
        return ("needed", f"{about.needed}.") if about.needed else None
    verdict: str = about.verdict
    if about.peak_increase is not None:
        verdict += f", at + {about.peak_increase:,} bytes of peak"
    if about.verdict_reason:
        return verdict, f"{about.verdict_reason}."
    if about.verdict == "unknown":
        return verdict, "no way to avoid it is known."
    return verdict, "by a change of the program."


# Functions on memrefs ---------------------------------------------------------------------


def _write_memory_function(writer: Writer, function: MemoryFunction) -> None:
    """Write the buffers with their live ranges, and what is live at the peak."""
    writer.title(function.name, function.place)
    heap = [b for b in function.buffers if b.kind == "heap"]
    stack = [b for b in function.buffers if b.kind == "stack"]
    writer.line(f"  heap: {writer.total(b.size for b in heap)}{_peak(function.heap)}")
    if stack:
        total = writer.total(b.size for b in stack)
        writer.line(f"  stack: {total}{_peak(function.stack)}")
    for arena in function.arenas:
        writer.line(_arena(arena))
    writer.line(f"  copies: {writer.total(c.size for c in function.copies)}")
    _write_donations(writer, function)
    if function.calls:
        calls = ", ".join(n.text + writer.at(n.place) for n in function.calls)
        writer.line(f"  without the memory of functions that are called: {calls}")
    if function.buffers:
        writer.line()
        _write_buffers(writer, function)
    if function.copies:
        writer.line()
        _write_copies(writer, function.copies)
    _write_peak(writer, "heap", function.heap, function.buffers)
    _write_peak(writer, "stack", function.stack, function.buffers)
    for arena in function.arenas:
        _write_peak(writer, arena.name, arena.usage, function.buffers)


def _write_buffers(writer: Writer, function: MemoryFunction) -> None:
    writer.table(
        ("buffer", "type", "bytes", "where", "made", "used", "end"),
        [
            (
                b.name,
                b.type,
                writer.size(b.size),
                b.kind if b.offset is None else f"arena at {b.offset:,}",
                _line(b) + _loops(writer, b.loops),
                _uses(b),
                _end(writer, b),
            )
            for b in function.buffers
        ],
    )


def _write_copies(writer: Writer, copies: Sequence[BufferCopy]) -> None:
    writer.table(
        ("copy of", "to", "bytes", "by"),
        [
            (
                c.source,
                c.target,
                writer.size(c.size),
                c.op + writer.at(c.place) + _loops(writer, c.loops),
            )
            for c in copies
        ],
    )


def _write_peak(
    writer: Writer, what: str, usage: Usage, buffers: Sequence[Buffer]
) -> None:
    peak = usage.peak
    if peak is None or len(usage.alive) < 2:
        return
    writer.line()
    idle = {*usage.idle}
    names = ", ".join(
        f"{buffers[number].name} {writer.size(buffers[number].size)}"
        + (" (not in use)" if number in idle else "")
        for number in usage.alive
    )
    at = f"{peak.note.text}{writer.at(peak.note.place)}"
    writer.headline(f"most of the {what} at {at}, {_alive(peak)}", names)
    writer.quote([Note("the peak", peak.note.place)])
    if usage.needed_bytes < peak.live_bytes and what != "stack":
        writer.help(
            f"{usage.needed_bytes:,} bytes are enough there if each buffer is made before "
            "its first use and freed right behind its last: plan-static-memory plans an "
            "arena like that."
        )


def _peak(usage: Usage) -> str:
    if usage.peak is None:
        return ""
    more = " or more" if usage.is_lower_bound else ""
    return f"; {_alive(usage.peak)}{more} at once"


def _alive(step: Step) -> str:
    """How much is live, as far as sizes are known."""
    if not step.unknown:
        return f"{step.live_bytes:,} bytes"
    unknown = f"{_buffers(step.unknown)} of unknown size"
    return f"{step.live_bytes:,} bytes and {unknown}" if step.live_bytes else unknown


def _buffers(number: int) -> str:
    return "1 buffer" if number == 1 else f"{number} buffers"


def _arena(arena: Arena) -> str:
    size = "" if arena.size is None else f" of {arena.size:,} bytes"
    return (
        f"  arena {arena.name}{size}: {_buffers(len(arena.parts))}{_peak(arena.usage)}"
    )


def _line(buffer: Buffer) -> str:
    return "" if buffer.place is None else f"line {buffer.place.line}"


def _loops(writer: Writer, loops: Sequence[Note]) -> str:
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


def _end(writer: Writer, buffer: Buffer) -> str:
    places = {n.place.line for n in buffer.frees if n.place is not None}
    lines = ", ".join(map(str, sorted(places)))
    more = f", {buffer.more_at_once + 1} at once" if buffer.more_at_once else ""
    if buffer.piles_up:
        more += ", one more in each run"
    if not lines:
        return buffer.ending + more
    return f"{buffer.ending} in line{'s' if len(places) > 1 else ''} {lines}{more}"
