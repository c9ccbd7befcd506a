"""The report as text, for people at a terminal, and as JSON, for programs."""

from __future__ import annotations

import json
from dataclasses import asdict

from xdsl_bufferization.report.memory_text import write_memory_function
from xdsl_bufferization.report.model import Allocation, Copy, Report, TensorFunction
from xdsl_bufferization.report.source import Note
from xdsl_bufferization.report.writer import Writer


def to_json(report: Report) -> str:
    """The report as a JSON object, with the names of the dataclasses' fields."""
    return json.dumps(asdict(report), indent=2) + "\n"


def to_text(report: Report, *, colored: bool = False) -> str:
    """The report as text of some 100 columns, with ANSI colors if these are wanted."""
    writer = Writer(report.source, colored=colored)
    if not report.functions:
        writer.line("There are no functions to report on.")
    if not report.source:
        writer.line("Lines are those of the program as xdsl-opt prints it.")
        writer.line()
    for index, function in enumerate(report.functions):
        if index:
            writer.line()
        if isinstance(function, TensorFunction):
            _write_tensor_function(writer, function)
        else:
            write_memory_function(writer, function)
    return writer.text


def _write_tensor_function(writer: Writer, function: TensorFunction) -> None:
    writer.title(function.name, function.place)
    writer.line(
        f"  tensor operands: {function.in_place} in place, {function.out_of_place} out "
        "of place"
    )
    writer.line(f"  buffers: {writer.total(a.size for a in function.allocations)}")
    writer.line(f"  copies: {writer.total(c.size for c in function.copies)}")
    if function.allocations:
        writer.line()
        writer.table(
            ("buffer", "type", "bytes", "made for", ""),
            [
                (
                    a.value,
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


def _write_reason(
    writer: Writer, what: str, about: Allocation | Copy, mark: str
) -> None:
    """What there is, why, where that comes from, and what can be done about it."""
    size = "" if about.size is None else f", {about.size:,} bytes"
    where = "".join(
        f", in each run of {n.text}{writer.at(n.place)}" for n in about.loops[-1:]
    )
    writer.line()
    writer.headline(f"{what}{writer.at(about.place)}{size}{where}", about.reason)
    writer.quote([Note(mark, about.place), *about.notes])
    for advice in about.advice:
        writer.help(advice)
