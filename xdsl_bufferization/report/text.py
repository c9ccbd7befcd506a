"""
The report as text, for people at a terminal, and as JSON, for programs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import TypeAlias, TypeVar

from xdsl_bufferization.report.model import (
    SHOWN,
    Allocation,
    Arena,
    AtPeak,
    Buffer,
    BufferCopy,
    Copy,
    MemoryFunction,
    Move,
    Report,
    Step,
    TensorFunction,
    Usage,
    buffers_at_peak,
    help_at_peak,
    line_of,
    offset_text,
    rows_of,
    sizes_at_once,
)
from xdsl_bufferization.report.source import (
    Formula,
    Note,
    formula_text,
    magnitude,
    total,
)
from xdsl_bufferization.report.writer import WIDTH, Writer


def _write_memory_function(writer: Writer, function: MemoryFunction) -> None:
    """Write what is live at the peak, then the buffers with their live ranges."""
    writer.title(function.name, function.place)
    _write_peaks(writer, function)
    _write_numbers(writer, function)
    if function.buffers:
        writer.line()
        _write_buffers(writer, function)
    if function.copies:
        writer.line()
        _write_copies(writer, function.copies)


def _write_donations(writer: Writer, function: TensorFunction | MemoryFunction) -> None:
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
    writer.fact(f"copies: {_copied(writer, function.copies)}")
    _write_donations(writer, function)
    if function.calls:
        calls = ", ".join(n.text + line_of(n.place) for n in function.calls)
        writer.fact(f"without the memory of functions that are called: {calls}")


# Peaks -----------------------------------------------------------------------------------


def _write_peaks(writer: Writer, function: MemoryFunction) -> None:
    """Write how much memory is needed at once, when, and for which buffers."""
    peaks = [
        ("peak", function.heap),
        ("peak of the stack", function.stack),
        *((f"peak in {arena.name}", arena.usage) for arena in function.arenas),
    ]
    peaks = [(what, usage, usage.peak) for what, usage in peaks if usage.peak]
    for what, usage, peak in peaks:
        _write_peak(writer, what, function, usage, peak)
        if usage is function.heap and function.least_peak is not None:
            writer.fact(
                f"no order of these ops needs less than {function.least_peak:,} bytes"
            )
        for advice in help_at_peak(function) if usage is function.heap else ():
            writer.help(advice)
    if any(len(usage.alive) > 1 for _, usage, _ in peaks):
        writer.line()


def _write_peak(
    writer: Writer, what: str, function: MemoryFunction, usage: Usage, peak: Step
) -> None:
    more = " or more" if usage.is_lower_bound else ""
    at = f"{peak.note.text}{line_of(peak.note.place)}"
    alive = buffers_at_peak(function, usage)
    only = f": {alive[0].buffer.name}" if len(alive) == 1 else ""
    others = "".join(
        f", or {_alive(other)} at {other.note.text}{line_of(other.note.place)}"
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


def _at_peak(writer: Writer, it: AtPeak) -> Sequence[str]:
    size = writer.size(it.buffer.bytes)
    if it.buffer.more_at_once:
        size = f"{it.buffer.more_at_once + 1} x {size}"
    return it.buffer.name, size, it.made, it.needed


def _smaller(writer: Writer, others: Sequence[AtPeak]) -> Sequence[Sequence[str]]:
    """A row for the buffers that are not listed."""
    if not others:
        return []
    size, _ = total(o.buffer.bytes for o in others)
    return [(f"{len(others)} more", writer.size(size), "", "")]


def _alive(step: Step) -> str:
    """How much is live, as far as sizes are known."""
    known = f"{formula_text(step.bytes)} bytes"
    if not step.unknown:
        return known
    unknown = f"{_buffers(step.unknown)} of unknown size"
    return f"{known} and {unknown}" if step.bytes.terms else unknown


# Buffers and copies ----------------------------------------------------------------------


def _write_buffers(writer: Writer, function: MemoryFunction) -> None:
    writer.table(
        ("buffer", "type", "bytes", "where", "made", "used", "end"),
        [
            (
                first.name,
                first.type,
                writer.size(first.bytes),
                _where(first),
                _line(first) + _in_loops(first.loops),
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
                writer.size(c.bytes),
                c.op + line_of(c.place) + _in_loops(c.loops),
            )
            for c in copies
        ],
    )


def _buffers(number: int) -> str:
    return "1 buffer" if number == 1 else f"{number} buffers"


def _arena(arena: Arena) -> str:
    known = arena.bytes
    size = "" if known is None else f" of {formula_text(known)} bytes"
    whose = "arena of the caller" if arena.is_given else "arena"
    return f"{whose} {arena.name}{size}: {_buffers(len(arena.parts))}"


def _line(buffer: Buffer) -> str:
    return "" if buffer.place is None else f"line {buffer.place.line}"


def _in_loops(loops: Sequence[Note]) -> str:
    """The innermost of the loops; empty if there are none."""
    if not loops:
        return ""
    return f" in {loops[-1].text}{line_of(loops[-1].place)}"


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


# Functions on tensors -----------------------------------------------------------------


def _write_tensor_function(writer: Writer, function: TensorFunction) -> None:
    """Write the peak, then the buffers, and each copy with its reason."""
    writer.title(function.name, function.place)
    if function.memory is not None:
        _write_peaks(writer, function.memory)
    _write_tensor_numbers(writer, function)
    made = [a for a in function.allocations if a.notes or a.advice]
    _write_reasons(writer, function.copies, "copy of", "copied for this", most=12)
    _write_reasons(writer, function.moves, "move to", "moved by this")
    _write_reasons(writer, made, "another buffer for", "a buffer for this")
    _write_allocations(writer, function)
    _write_eliminated(writer, function)


def _write_tensor_numbers(writer: Writer, function: TensorFunction) -> None:
    writer.fact(
        f"tensor operands: {function.in_place} in place, {function.out_of_place} out "
        "of place"
    )
    writer.fact(f"buffers: {writer.total(it.bytes for it in function.allocations)}")
    writer.fact(f"copies: {_copies(writer, function)}")
    _write_sums(writer, function.copies)
    if function.eliminated:
        total = writer.total(it.bytes for it in function.eliminated)
        writer.fact(f"copies eliminated: {total}")
    if function.moves:
        total = writer.total(it.bytes for it in function.moves)
        writer.fact(f"moves: {total}")
        _write_sums(writer, function.moves)
    _write_donations(writer, function)


def _write_allocations(writer: Writer, function: TensorFunction) -> None:
    """Write a table of the largest buffers; with names in the output, if one differs."""
    if not function.allocations:
        return
    differs = any(a.output_name != a.name for a in function.allocations)
    shown, others = function.allocations, ()
    if len(shown) > 2 * SHOWN:
        by_size = sorted(shown, key=lambda it: -magnitude(it.bytes))
        shown, others = by_size[:SHOWN], by_size[SHOWN:]
    writer.line()
    writer.table(
        ("buffer", "type", "bytes", "made for", "in each run of", "output"),
        [
            (
                a.name,
                a.type,
                writer.size(a.bytes),
                a.op
                + line_of(a.place)
                + (f"; {a.reason}" if a.reason and not a.code else ""),
                ", ".join(n.text + line_of(n.place) for n in a.loops),
                a.output_name if differs else "",
            )
            for a in shown
        ],
    )
    if others:
        writer.fact(f"others: {writer.total(it.bytes for it in others)}")


def _write_eliminated(writer: Writer, function: TensorFunction) -> None:
    if not function.eliminated:
        return
    writer.line()
    writer.table(
        ("eliminated copy of", "bytes", "for", "since"),
        [
            (
                copy.value + f" and {len(others)} more" * bool(others),
                writer.size(total(c.bytes for c in (copy, *others))[0]),
                copy.op + line_of(copy.place),
                copy.verdict_reason,
            )
            for copy, *others in _alike(
                function.eliminated, lambda copy: (copy.op, copy.verdict_reason)
            )
        ],
    )


def _copies(writer: Writer, function: TensorFunction) -> str:
    """The copies, and how much of what they copy is forced."""
    text = _copied(writer, function.copies)
    if not function.copied:
        return text
    text += (
        f", at least {function.forced:,} of them forced"
        if function.forced
        else ", all may be avoidable"
    )
    is_known = all(copy.is_times_known for copy in function.copies)
    return text + "; loops of unknown length count once" * (not is_known)


def _copied(writer: Writer, copies: Sequence[Copy | BufferCopy]) -> str:
    """The copies in the text, and what they copy when executed, if loops repeat them."""
    text = writer.total(it.bytes for it in copies)
    if any(copy.times != 1 for copy in copies):
        executed, _ = total(it.bytes and it.bytes.times(it.times) for it in copies)
        text += f" in the text, {formula_text(executed)} when executed"
    return text


_Reasoned: TypeAlias = Allocation | Copy | Move


_ItemT = TypeVar("_ItemT", bound=_Reasoned)


def _alike(
    items: Iterable[_ItemT], key: Callable[[_ItemT], object]
) -> Sequence[Sequence[_ItemT]]:
    """The items in groups of equal keys, in the order of the first ones."""
    groups: dict[object, list[_ItemT]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return [*groups.values()]


def _without_places(text: str) -> str:
    """A reason without what differs between copies that are alike."""
    return _PLACE.sub(r"\1", _NAME.sub("%...", text))


def _write_sums(writer: Writer, items: Sequence[Copy] | Sequence[Move]) -> None:
    """Write the bytes for each reason, if there are several, and not one for each item."""
    groups = [*_alike(items, lambda it: _without_places(it.reason))]
    groups.sort(key=lambda group: -sum(magnitude(it.bytes) for it in group))
    for group in groups if 1 < len(groups) < len(items) else ():
        size = writer.total(it.bytes for it in group)
        writer.sentence(f"{size}: {_without_places(group[0].reason)}", indent=4)


def _write_reasons(
    writer: Writer, items: Sequence[_Reasoned], what: str, mark: str, most: int = 3
) -> None:
    """Write the first of what is there, each like another one as a line number of that."""
    groups = _alike(
        items,
        lambda it: (
            it.op,
            it.type,
            it.bytes,
            _without_places(" ".join((it.reason, *it.advice))),
        ),
    )
    for first, *others in groups[:most]:
        _write_reason(writer, f"{what} {first.value}", first, mark)
        if others:
            named = (o.value + line_of(o.place) for o in others)
            writer.remark(f"{len(others)} more like this one", ", ".join(named))
    if left := [it for group in groups[most:] for it in group]:
        size = writer.total(it.bytes for it in left)
        writer.line()
        writer.sentence(f"{what} others: {size}; format=json has them")


_NAME = re.compile(r"%[\w$.#-]+")
_PLACE = re.compile(r"(\b\w+\.[\w.]+)(?: \S+)? \(line \d+\)|\(line \d+\)")
"""A line, and the layer before it; not the name of the op."""


def _write_reason(writer: Writer, what: str, about: _Reasoned, mark: str) -> None:
    """Write what there is, why, the lines that this is about, and the advice."""
    known = about.bytes
    size = "" if known is None else f", {formula_text(known)} bytes"
    where = "".join(
        f", in each run of {n.text}{line_of(n.place)}" for n in about.loops[-1:]
    )
    if about.place is not None and about.place.layer:
        what += " at"
    writer.line()
    writer.headline(
        f"{what}{line_of(about.place)}{size}{where}", f"{about.reason} [{about.code}]"
    )
    writer.quote([Note(mark, about.place), *about.notes])
    advice = [*about.advice]
    if verdict := _verdict(about):
        label, sentence = verdict
        writer.remark(label, sentence or advice.pop(0))
    for way in advice:
        writer.help(way)
    if isinstance(about, Copy) and about.tried:
        writer.remark("tried", f"{about.tried}.")


def _verdict(about: _Reasoned) -> tuple[str, str] | None:
    """
    The verdict, and the sentence that explains it, or an empty one if that is the first advice;
    `None` if there is none.
    """
    if isinstance(about, Move):
        return None
    if isinstance(about, Allocation):
        return ("needed", f"{about.needed}.") if about.needed else None
    verdict: str = about.verdict
    if about.peak_increase is not None:
        verdict += f", at + {about.peak_increase:,} bytes of peak"
    if about.verdict_reason:
        return verdict, f"{about.verdict_reason}."
    if about.verdict == "unknown":
        return verdict, "no way to avoid it is known."
    return verdict, ""


# Reports ------------------------------------------------------------------------------


def to_json(report: Report) -> str:
    """The report as a JSON object, whose keys are the fields of the dataclasses."""
    return json.dumps(asdict(report), indent=2, default=_number_or_text) + "\n"


def _number_or_text(size: Formula) -> int | str:
    return formula_text(size) if size.number is None else size.number


def join_json(reports: Iterable[str]) -> str:
    """A JSON list of reports in JSON."""
    return json.dumps([*map(json.loads, reports)], indent=2) + "\n"


def to_text(report: Report, *, colored: bool = False, width: int = WIDTH) -> str:
    """The report as text of so many columns, with ANSI colors if `colored`."""
    writer = Writer(report.source, colored=colored, width=width)
    if not report.functions:
        writer.line("There are no functions to report on.")
    if report.program:
        writer.sentence("Lines refer to the program as xdsl-opt prints it:")
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
