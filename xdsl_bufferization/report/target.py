"""
The target `bufferization-report`: what bufferization does to a program, and why.

How much a program may copy, for jobs that fail when it copies more; and copies of an earlier
report, which a job does not fail for again.

    $ xdsl-opt -t 'bufferization-report{format=json}' model.mlir > report.json
    $ xdsl-opt -t 'bufferization-report{max-bytes-copied=0 baseline="report.json"}' model.mlir

A copy was there before if the earlier report has one of the same function, op, type and number of
loops, at an op that is written alike, made no fewer times. Lines, and names that printers
number, may differ: `%5 = tensor.pad %4` is `%7 = tensor.pad %6` after two more ops. Copies are
counted, so that a second one like the first is new. Takes time linear in the copies.

The report as remarks, one for each copy, move and allocation: a line each, as compilers print
them for editors, or SARIF, https://docs.oasis-open.org/sarif/sarif/v2.1.0/, for code scanning.
"""

from __future__ import annotations

import json
import os
import re
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any, Literal, TypeAlias, cast
from urllib.parse import quote

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from xdsl_bufferization.host.commands import reduced_gc
from xdsl_bufferization.host.printing import prints_to_terminal
from xdsl_bufferization.report.codes import Code
from xdsl_bufferization.report.model import (
    BufferCopy,
    Copy,
    MemoryFunction,
    Report,
    TensorFunction,
)
from xdsl_bufferization.report.report import report_on
from xdsl_bufferization.report.source import (
    ORIGIN,
    Note,
    Sized,
    SourceRange,
    assumed_numbers,
    formula_text,
)
from xdsl_bufferization.report.text import join_json, to_json, to_text
from xdsl_bufferization.report.writer import WIDTH, width_of_terminal
from xdsl_bufferization.support.diagnostics import BufferizationError, OutputError
from xdsl_bufferization.support.names import printable
from xdsl_bufferization.transforms.bufferize import BufferizePass


@dataclass(frozen=True)
class BufferizationReportTarget(BufferizePass, Target):
    """
    Tell what the pass `bufferize` does to functions on tensors: which buffers it makes, and
    each copy with the reason and what can be done about it; and of functions on memrefs,
    which memory they have when.

    The program stays as it is. It has the options of the pass, and these.
    """

    name = "bufferization-report"

    format: Literal["text", "html", "json", "remarks", "sarif"] = "text"
    """
    `text`, for people, `html`, for a browser, `json`, for programs, `remarks`, one line for
    each copy and allocation, for editors, or `sarif`, the same for code scanning.
    """
    function: str = ""
    """Report on this function only."""
    color: Literal["auto", "always", "never"] = "auto"
    """Colors in text: `always`, `never`, or `auto`, which is on a terminal only."""
    fail_on: Literal["never", "avoidable-copies"] = "never"
    """With `avoidable-copies`: fail, after the report, if there are any."""
    max_bytes_copied: int = -1
    """Fail, after the report, if more bytes are copied; -1 for no limit."""
    assume: tuple[str, ...] = ()
    """
    Numbers for sizes that are known at run time only, as in `"%x.0=32"`, the first size of the
    argument `%x`, or `"%n=32"`, an `index`. Buffers, copies and peaks are in bytes then.
    """
    baseline: str = ""
    """
    The file of an earlier report, `format=json`, in quotes: only copies that are not in it count
    for `fail-on` and `max-bytes-copied`.
    """

    explain: str = ""
    """
    Explain a code of a reason, such as `B001`, with an example, instead of reporting on one.
    """

    def explained(self) -> str:
        """
        The text about the code in `explain`; empty if there is none.

        Raises `BufferizationError` for a code that does not exist.
        """
        return self.explain and Code.explained(self.explain)

    @reduced_gc()
    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """
        Write the report.

        Raises `BufferizationError` if the program cannot be bufferized, an option has an
        invalid value, or a package that the format needs is not installed; and `OutputError`,
        after the report is written, if more is copied than the options allow.
        """
        if self.test_analysis_only:
            raise BufferizationError(
                None, f"{self.name}: test-analysis-only leaves nothing to report on"
            )
        baseline = Baseline(self.baseline) if self.baseline else None
        in_files = self.format in ("remarks", "sarif")
        report = report_on(
            ctx,
            module,
            self,
            self.function,
            in_files=in_files,
            assumed=assumed_numbers(self.assume),
        )
        text = self._formatted(report)
        output.write(text)
        problems = too_much(
            report,
            avoidable=self.fail_on == "avoidable-copies",
            max_bytes_copied=self.max_bytes_copied,
            baseline=baseline,
        )
        for problem in problems:
            raise OutputError(f"{self.name}: {problem}", text)

    def joins_outputs(self) -> Callable[[Sequence[str]], str] | None:
        """
        The function that makes one document of the reports on the parts of a file, or `None` if
        lines separate them; see `JoiningTarget`.
        """
        if self.format == "html":
            raise BufferizationError(
                None,
                f"{self.name}: format=html is a page on one program, and --split-input-file "
                "makes several",
                hint="take format=json, or call xdsl-opt for each part",
            )
        return {"json": join_json, "sarif": join_sarif}.get(self.format)

    def _formatted(self, report: Report) -> str:
        match self.format:
            case "json":
                return to_json(report)
            case "remarks":
                return to_remarks(report)
            case "sarif":
                return to_sarif(report)
            case "html":
                # Only this format needs what this imports.
                from xdsl_bufferization.report.html import to_html

                return to_html(report)
            case "text":
                colored = self.color == "always" or (
                    self.color == "auto"
                    and prints_to_terminal.get()
                    and "NO_COLOR" not in os.environ
                )
                width = width_of_terminal() if prints_to_terminal.get() else WIDTH
                return to_text(report, colored=colored, width=width)


_NUMBERED = re.compile(r"(%|#map|#set|\^bb)\d*(?![\w$.-])")
"""Names that printers number."""

_Json: TypeAlias = dict[str, object]


_Key: TypeAlias = tuple[str, str, str, str, int]
"""
The properties by which a copy is found in an earlier report: the function, the op, the type, the
line of the op without numbers in names, and the number of loops.
"""

_CopyIn: TypeAlias = tuple[str, Copy | BufferCopy]
"""The name of a function, and a copy in it."""


class Baseline:
    """
    The copies of an earlier report: of the report in JSON, or list of reports, in a file.

    Raises `BufferizationError` if there is no such file, or it is no report.
    """

    def __init__(self, path: str) -> None:
        self._times: dict[_Key, list[int]] = {}
        """The numbers of times that copies are made, ascending."""
        try:
            read: object = json.loads(Path(path).read_text(encoding="utf-8"))
            for report in cast(
                "list[_Json]", read if isinstance(read, list) else [read]
            ):
                for function in cast("list[_Json]", report["functions"]):
                    for copy in cast("list[_Json]", function["copies"]):
                        key = _key(str(function["name"]), copy)
                        times = int(cast("int", copy["times"]))
                        insort(self._times.setdefault(key, []), times)
            return
        except OSError as error:
            problem = error.strerror or str(error)
        except (ValueError, KeyError, TypeError):
            problem = "it is no report of format=json"
        raise BufferizationError(
            None,
            f"bufferization-report: baseline={path} cannot be read: {problem}",
            hint="write it with bufferization-report{format=json}",
        )

    def new(self, copies: Iterable[_CopyIn]) -> Sequence[_CopyIn]:
        """The copies that were not there before."""
        left = {key: [*times] for key, times in self._times.items()}
        found: list[_CopyIn] = []
        for function, copy in copies:
            times = left.get(_key(function, asdict(copy)), [])
            if (index := bisect_left(times, copy.times)) < len(times):
                del times[index]
            else:
                found.append((function, copy))
        return found


def _key(function: str, copy: _Json) -> _Key:
    place = cast("_Json", copy["place"] or {"text": ""})
    return (
        function,
        str(copy["op"]),
        str(copy.get("type", "")),
        _NUMBERED.sub(r"\1", " ".join(str(place["text"]).split())),
        len(cast("list[object]", copy["loops"])),
    )


_NAMED = 3
"""The most copies that an error names."""


def too_much(
    report: Report,
    *,
    avoidable: bool,
    max_bytes_copied: int,
    baseline: Baseline | None = None,
) -> Iterator[str]:
    """
    The limits that are exceeded, a line for each: any avoidable copy, if `avoidable`; and more
    bytes than the number, unless that is negative. A copy of unknown size counts as one byte. With
    a baseline, only copies count that are not in it.
    """
    found: Sequence[_CopyIn] = [
        (function.name, copy)
        for function in report.functions
        for copy in function.copies
    ]
    new = ""
    if baseline is not None:
        new, found = "new ", baseline.new(found)
    copies = [copy for _, copy in found]
    left = [c for c in copies if isinstance(c, Copy) and c.verdict == "avoidable"]
    if avoidable and left:
        are = "are" if len(left) > 1 else "is"
        known, unknown = _bytes(left)
        sizes = [f"of {known:,} bytes"] if known else []
        sizes += [f"{f'{unknown} ' if known else ''}of unknown size"] if unknown else []
        yield (
            f"fail-on=avoidable-copies: {_copies(len(left), new)} {are} avoidable, "
            f"{' and '.join(sizes)}{_places(report, left) if new else ''}"
        )
    known, unknown = _bytes(copies)
    if 0 <= max_bytes_copied < known + unknown:
        sizes = [f"{known} {new}bytes"] if known else []
        sizes += [f"{_copies(unknown, new)} of unknown size"] if unknown else []
        are = "is" if (known, unknown) == (0, 1) else "are"
        yield (
            f"max-bytes-copied={max_bytes_copied}: {' and '.join(sizes)} {are} copied"
            f"{_places(report, copies) if new else ''}"
        )


def _bytes(copies: Sequence[Copy | BufferCopy]) -> tuple[int, int]:
    """The bytes that are copied, loops included, and how often copies of unknown size are made."""
    return (
        sum(copy.times * (copy.size or 0) for copy in copies),
        sum(copy.times for copy in copies if copy.size is None),
    )


def _copies(number: int, new: str) -> str:
    return f"{number} {new}{'copy' if number == 1 else 'copies'}"


def _places(report: Report, copies: Sequence[Copy | BufferCopy]) -> str:
    """The first of the copies."""
    named = [f"{c.op} at {position(report, c.place)}" for c in copies[:_NAMED]]
    more = f" and {len(copies) - _NAMED} more" if len(copies) > _NAMED else ""
    return f": {', '.join(named)}{more}"


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
        of_function = (
            _on_tensors(function)
            if isinstance(function, TensorFunction)
            else _on_memrefs(function)
        )
        yield from sorted(
            of_function,
            key=lambda it: (it.place.line, it.place.column) if it.place else (0, 0),
        )


def _on_tensors(function: TensorFunction) -> Iterator[Remark]:
    for made in function.allocations:
        reason = f": {made.reason}" if made.reason else ""
        reason += f" [{made.code}]" if made.code else ""
        text = f"allocated{_size(made)}: {made.name}, for {made.op}{reason}"
        yield Remark("allocation", text, made.place, made.notes)
    for copy in function.copies:
        peak = copy.peak_increase
        at = "" if peak is None else f", at + {peak} bytes of peak"
        verdict = "" if copy.verdict == "unknown" else f" [{copy.verdict}{at}]"
        rule = "avoidable-copy" if copy.verdict == "avoidable" else "copy"
        text = f"copied{_size(copy)}: {copy.reason} [{copy.code}]{verdict}"
        yield Remark(rule, text, copy.place, copy.notes)
    for move in function.moves:
        text = f"moved{_size(move)}: {move.op} to {move.value}: {move.reason} [{move.code}]"
        yield Remark("move", text, move.place, move.notes)


def _on_memrefs(function: MemoryFunction) -> Iterator[Remark]:
    for buffer in function.buffers:
        if buffer.kind != "arena":
            what = f"{buffer.name}, {buffer.kind}, {buffer.ending}"
            yield Remark(
                "allocation", f"allocated{_size(buffer)}: {what}", buffer.place
            )
    for copy in function.copies:
        text = f"copied{_size(copy)}: {copy.source} to {copy.target}"
        yield Remark("copy", text, copy.place)


def _size(sized: Sized) -> str:
    if sized.bytes is None:
        return ", unknown size"
    known = sized.size
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
