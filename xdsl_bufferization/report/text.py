"""The report as text, for people at a terminal, and as JSON, for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict

from xdsl_bufferization.report.formulas import formula_text
from xdsl_bufferization.report.model import Report, TensorFunction
from xdsl_bufferization.report.text_memory import write_memory_function
from xdsl_bufferization.report.text_tensors import write_tensor_function
from xdsl_bufferization.report.writer import WIDTH, Writer


def to_json(report: Report) -> str:
    """The report as a JSON object, whose keys are the fields of the dataclasses."""
    return json.dumps(asdict(report), indent=2, default=formula_text) + "\n"


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
            write_tensor_function(writer, function)
        else:
            write_memory_function(writer, function)
    return writer.text
