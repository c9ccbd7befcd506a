"""
How much a program may copy, for jobs that fail when it copies more; and copies of an earlier
report, which a job does not fail for again.

    $ xdsl-opt -t 'bufferization-report{format=json}' model.mlir > report.json
    $ xdsl-opt -t 'bufferization-report{max-bytes-copied=0 baseline="report.json"}' model.mlir

A copy was there before if the earlier report has one of the same function, op, type and number of
loops, at an op that is written alike, made no fewer times. Lines, and names that printers
number, may differ: `%5 = tensor.pad %4` is `%7 = tensor.pad %6` after two more ops. Copies are
counted, so that a second one like the first is new. Takes time linear in the copies.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple, TypeAlias, cast

from xdsl_bufferization.report.model import (
    BufferCopy,
    Copy,
    Report,
)
from xdsl_bufferization.report.remarks import position
from xdsl_bufferization.support.diagnostics import BufferizationError

_NUMBERED = re.compile(r"(%|#map|#set|\^bb)\d*(?![\w$.-])")
"""Names that printers number."""

_Json: TypeAlias = dict[str, object]


class _Key(NamedTuple):
    """The properties by which a copy is found in an earlier report."""

    function: str
    op: str
    type: str
    text: str
    """The line of the op, without numbers in names."""
    loops: int


_CopyIn: TypeAlias = tuple[str, Copy | BufferCopy]
"""The name of a function, and a copy in it."""


class Baseline:
    """The copies of an earlier report."""

    def __init__(self, copies: Iterable[tuple[_Key, int]] = ()):
        """The copies, each with the number of times that it is made."""
        self._times: dict[_Key, list[int]] = {}
        for key, times in copies:
            insort(self._times.setdefault(key, []), times)

    @classmethod
    def read(cls, path: str) -> Baseline:
        """
        The copies of the report in JSON, or list of reports, in a file.

        Raises `BufferizationError` if there is no such file, or it is no report.
        """
        try:
            read: object = json.loads(Path(path).read_text(encoding="utf-8"))
            reports = cast("list[_Json]", read if isinstance(read, list) else [read])
            return cls(
                (_key_of_json(function, copy), int(cast("int", copy["times"])))
                for report in reports
                for function in cast("list[_Json]", report["functions"])
                for copy in cast("list[_Json]", function["copies"])
            )
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
            times = left.get(_key_of_json({"name": function}, asdict(copy)), [])
            if (index := bisect_left(times, copy.times)) < len(times):
                del times[index]
            else:
                found.append((function, copy))
        return found


def _key_of_json(function: _Json, copy: _Json) -> _Key:
    place = cast("_Json", copy["place"] or {"text": ""})
    return _Key(
        str(function["name"]),
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
    max_bytes_copied: int | None,
    baseline: Baseline | None = None,
) -> Iterator[str]:
    """
    The limits that are exceeded, a line for each: any avoidable copy, if `avoidable`; and more
    bytes than the number, if one is given. A copy of unknown size counts as one byte. With a
    baseline, only copies count that are not in it.
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
    if max_bytes_copied is not None and known + unknown > max_bytes_copied:
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
