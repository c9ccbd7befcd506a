"""The report on a function on tensors, as text."""

from __future__ import annotations

from xdsl_bufferization.report.formulas import amount, formula_text
from xdsl_bufferization.report.model import Allocation, Copy, Move, TensorFunction
from xdsl_bufferization.report.source import Note
from xdsl_bufferization.report.text_memory import write_donations, write_peaks
from xdsl_bufferization.report.writer import Writer


def write_tensor_function(writer: Writer, function: TensorFunction) -> None:
    """Write the peak, then the buffers, and each copy with its reason."""
    writer.title(function.name, function.place)
    if function.memory is not None:
        write_peaks(writer, function.memory)
    _write_numbers(writer, function)
    _write_buffers(writer, function)
    for made in function.allocations:
        if made.notes or made.advice:
            what = f"another buffer for {made.value}"
            _write_reason(writer, what, made, "a buffer for this")
    for copy in function.copies:
        _write_reason(writer, f"copy of {copy.value}", copy, "copied for this")
    _write_eliminated(writer, function)
    for move in function.moves:
        _write_reason(writer, f"move to {move.value}", move, "moved by this")


def _write_numbers(writer: Writer, function: TensorFunction) -> None:
    writer.fact(
        f"tensor operands: {function.in_place} in place, {function.out_of_place} out "
        "of place"
    )
    writer.fact(f"buffers: {writer.total(map(amount, function.allocations))}")
    writer.fact(f"copies: {writer.total(map(amount, function.copies))}")
    if function.eliminated:
        total = writer.total(map(amount, function.eliminated))
        writer.fact(f"copies eliminated: {total}")
    if function.moves:
        total = writer.total(map(amount, function.moves))
        writer.fact(f"moves: {total}")
    if function.copied:
        writer.fact(f"{function.copied:,} bytes copied; {_forced(function)}")
    write_donations(writer, function)


def _write_buffers(writer: Writer, function: TensorFunction) -> None:
    """Write a table of the buffers; with their names in the output, if one differs."""
    if not function.allocations:
        return
    differs = any(a.output_name != a.name for a in function.allocations)
    writer.line()
    writer.table(
        ("buffer", "type", "bytes", "made for", "in each run of", "output"),
        [
            (
                a.name,
                a.type,
                writer.size(amount(a)),
                a.op + writer.at(a.place),
                ", ".join(n.text + writer.at(n.place) for n in a.loops),
                a.output_name if differs else "",
            )
            for a in function.allocations
        ],
    )


def _write_eliminated(writer: Writer, function: TensorFunction) -> None:
    if not function.eliminated:
        return
    writer.line()
    writer.table(
        ("eliminated copy of", "bytes", "for", "since"),
        [
            (
                copy.value,
                writer.size(amount(copy)),
                copy.op + writer.at(copy.place),
                copy.verdict_reason,
            )
            for copy in function.eliminated
        ],
    )


def _forced(function: TensorFunction) -> str:
    """How many of the copied bytes are forced, and how loops are counted."""
    forced = (
        f"at least {function.forced:,} are forced"
        if function.forced
        else "all may be avoidable"
    )
    if all(copy.is_times_known for copy in function.copies):
        return forced
    return f"{forced}; loops of unknown length count once"


def _write_reason(
    writer: Writer, what: str, about: Allocation | Copy | Move, mark: str
) -> None:
    """Write what there is, why, the lines that this is about, and the advice."""
    known = amount(about)
    size = "" if known is None else f", {formula_text(known)} bytes"
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


def _verdict(about: Allocation | Copy | Move) -> tuple[str, str] | None:
    """The verdict, and the sentence that explains it; `None` if there is none."""
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
    return verdict, "by a change of the program."
