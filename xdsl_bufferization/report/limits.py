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
from dataclasses import asdict, dataclass
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


@dataclass(frozen=True, slots=True)
class CopyIn:
    """A copy, and the name of its function."""

    function: str
    copy: Copy | BufferCopy


def copies_in(report: Report) -> Sequence[CopyIn]:
    """All copies of a report."""
    return [
        CopyIn(function.name, copy)
        for function in report.functions
        for copy in function.copies
    ]


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

    def new(self, copies: Iterable[CopyIn]) -> Sequence[CopyIn]:
        """The copies that were not there before."""
        left = {key: [*times] for key, times in self._times.items()}
        found: list[CopyIn] = []
        for copy in copies:
            key = _key_of_json({"name": copy.function}, asdict(copy.copy))
            times = left.get(key, [])
            if (index := bisect_left(times, copy.copy.times)) < len(times):
                del times[index]
            else:
                found.append(copy)
        return found


def _key_of_json(function: _Json, copy: _Json) -> _Key:
    place = cast("_Json", copy["place"] or {"text": ""})
    return _Key(
        str(function["name"]),
        str(copy["op"]),
        str(copy.get("type", "")),
        _without_numbers(str(place["text"])),
        len(cast("list[object]", copy["loops"])),
    )


def _without_numbers(text: str) -> str:
    return _NUMBERED.sub(r"\1", " ".join(text.split()))


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
    copies = copies_in(report)
    new = "" if baseline is None else "new "
    if baseline is not None:
        copies = baseline.new(copies)
    found = [
        c for c in copies if isinstance(c.copy, Copy) and c.copy.verdict == "avoidable"
    ]
    if avoidable and found:
        are = f"1 {new}copy is" if len(found) == 1 else f"{len(found)} {new}copies are"
        yield (
            f"fail-on=avoidable-copies: {are} avoidable, {_bytes(found)}"
            + ("" if baseline is None else f": {_places(report, found)}")
        )
    copied = sum(
        c.copy.times * (1 if c.copy.size is None else c.copy.size) for c in copies
    )
    if max_bytes_copied is not None and copied > max_bytes_copied:
        unknown = sum(c.copy.times for c in copies if c.copy.size is None)
        number = f"1 {new}copy" if unknown == 1 else f"{unknown} {new}copies"
        parts = [f"{copied - unknown} {new}bytes"] if copied > unknown else []
        parts += [f"{number} of unknown size"] if unknown else []
        are = "is" if (copied, unknown) == (1, 1) else "are"
        yield (
            f"max-bytes-copied={max_bytes_copied}: {' and '.join(parts)} {are} copied"
            + ("" if baseline is None else f": {_places(report, copies)}")
        )


def _bytes(copies: Sequence[CopyIn]) -> str:
    """How large the copies are, in all iterations of the loops around them."""
    known = [c.copy.times * c.copy.size for c in copies if c.copy.size is not None]
    unknown = len(copies) - len(known)
    sizes = [f"of {sum(known):,} bytes"] if known else []
    if unknown:
        sizes.append(f"{unknown} of unknown size" if known else "of unknown size")
    return " and ".join(sizes)


def _places(report: Report, copies: Sequence[CopyIn]) -> str:
    """The first of the copies."""
    named = [
        f"{c.copy.op} at {position(report, c.copy.place)}" for c in copies[:_NAMED]
    ]
    more = f" and {len(copies) - _NAMED} more" if len(copies) > _NAMED else ""
    return ", ".join(named) + more
