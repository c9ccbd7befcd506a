"""
The report as remarks, one for each copy, move and allocation: a line each, as compilers print
them for editors, or SARIF, https://docs.oasis-open.org/sarif/sarif/v2.1.0/, for code scanning.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from xdsl_bufferization.report.formulas import Sized, formula_text
from xdsl_bufferization.report.model import (
    Allocation,
    Buffer,
    Copy,
    Move,
    Report,
    TensorFunction,
)
from xdsl_bufferization.report.source import ORIGIN, Note, SourceRange
from xdsl_bufferization.support.names import printable

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_RULES = {
    "avoidable-copy": "A copy for which a way to avoid it is known.",
    "copy": "A copy of the contents of one buffer to another.",
    "allocation": "A buffer that is allocated.",
    "move": "An op that only moves elements to another buffer.",
}
"""The kinds of remarks."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark on one part of the program."""

    rule: str
    """One of `_RULES`."""
    text: str
    place: SourceRange | None
    notes: Sequence[Note] = ()
    """The other parts that it is about."""


def to_remarks(report: Report) -> str:
    """A line for each remark, `FILE:LINE:COLUMN: remark: ...`."""
    return "".join(
        f"{position(report, remark.place)}: remark: {printable(remark.text)}\n"
        for remark in _remarks(report)
    )


def to_sarif(report: Report) -> str:
    """The remarks as a SARIF log, in which avoidable copies are warnings."""
    rules = list(_RULES)
    results: list[dict[str, Any]] = []
    for remark in _remarks(report):
        result: dict[str, Any] = {
            "ruleId": remark.rule,
            "ruleIndex": rules.index(remark.rule),
            "level": "warning" if remark.rule == "avoidable-copy" else "note",
            "message": {"text": remark.text},
        }
        if remark.place is not None:
            result["locations"] = [_location(report, remark.place)]
        related = [
            {"message": {"text": note.text}, **_location(report, note.place)}
            for note in remark.notes
            if note.place is not None
        ]
        if related:
            result["relatedLocations"] = related
        results.append(result)
    driver = {
        "name": "bufferization-report",
        "version": version("xdsl-bufferization"),
        "rules": [
            {"id": rule, "shortDescription": {"text": text}}
            for rule, text in _RULES.items()
        ],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2) + "\n"


def join_sarif(logs: Iterable[str]) -> str:
    """One SARIF log, of one run, with the results of several."""
    first, *others = [json.loads(log) for log in logs]
    (run,) = first["runs"]
    for log in others:
        run["results"] += log["runs"][0]["results"]
    return json.dumps(first, indent=2) + "\n"


def _remarks(report: Report) -> Iterator[Remark]:
    """The remarks on each function, in the order of the program."""
    for function in report.functions:
        if isinstance(function, TensorFunction):
            remarks = [
                *map(_tensor_allocation, function.allocations),
                *map(_tensor_copy, function.copies),
                *map(_tensor_move, function.moves),
            ]
        else:
            remarks = [
                *(_buffer(b) for b in function.buffers if b.kind != "arena"),
                *(
                    Remark(
                        "copy",
                        f"copied{_size(c)}: {c.source} to {c.target}",
                        c.place,
                    )
                    for c in function.copies
                ),
            ]
        yield from sorted(remarks, key=lambda remark: _order(remark.place))


def _order(place: SourceRange | None) -> tuple[int, int]:
    return (0, 0) if place is None else (place.line, place.column)


def _tensor_allocation(allocation: Allocation) -> Remark:
    reason = f": {allocation.reason}" if allocation.reason else ""
    reason += f" [{allocation.code}]" if allocation.code else ""
    text = f"allocated{_size(allocation)}: {allocation.name}, for {allocation.op}"
    return Remark("allocation", text + reason, allocation.place, allocation.notes)


def _tensor_copy(copy: Copy) -> Remark:
    peak = copy.peak_increase
    at = "" if peak is None else f", at + {peak} bytes of peak"
    verdict = "" if copy.verdict == "unknown" else f" [{copy.verdict}{at}]"
    return Remark(
        "avoidable-copy" if copy.verdict == "avoidable" else "copy",
        f"copied{_size(copy)}: {copy.reason} [{copy.code}]{verdict}",
        copy.place,
        copy.notes,
    )


def _tensor_move(move: Move) -> Remark:
    text = f"moved{_size(move)}: {move.op} to {move.value}: {move.reason} [{move.code}]"
    return Remark("move", text, move.place, move.notes)


def _buffer(buffer: Buffer) -> Remark:
    text = f"allocated{_size(buffer)}: {buffer.name}, {buffer.kind}, {buffer.ending}"
    return Remark("allocation", text, buffer.place)


def _size(sized: Sized) -> str:
    if sized.bytes is None:
        return ", unknown size"
    known = sized.bytes.number
    return f", {formula_text(sized.bytes) if known is None else known} bytes"


def _file_and_line(report: Report, place: SourceRange) -> tuple[str, int, int, int]:
    """
    The file, line, column and length. Of a program that passes have changed, they are those
    of the op that an op is made for, if that is known.
    """
    if not report.source and (origin := ORIGIN.fullmatch(place.origin)):
        return origin[1], int(origin[2]), int(origin[3]), 1
    return report.source or "printed", place.line, place.column, place.length


def position(report: Report, place: SourceRange | None) -> str:
    """The place as compilers write it, `FILE:LINE:COLUMN`; only the file without a place."""
    if place is None:
        return printable(report.source) or "printed"
    file, line, column, _ = _file_and_line(report, place)
    return f"{printable(file)}:{line}:{column}"


def _location(report: Report, place: SourceRange) -> dict[str, Any]:
    file, line, column, length = _file_and_line(report, place)
    path = Path(file)
    return {
        "physicalLocation": {
            "artifactLocation": {
                "uri": path.as_uri() if path.is_absolute() else quote(path.as_posix())
            },
            "region": {
                "startLine": line,
                "startColumn": column,
                "endColumn": column + length,
            },
        }
    }
