"""
Programs in the shape of problems that users report, each with what has to come of it.

    // id: slice_of_a_row
    // command: bufferize{function-boundary-type-conversion=identity-layout-map}
    // flags: --allow-unregistered-dialect
    // expect: check copies<=1 output~memref.subview
    func.func @f ...

    // -----

`command` is a pipeline, `flags` are those of `xdsl-opt`. Expectations are

- `accepts`: the command succeeds, which all but `error` take for granted;
- `copies=1`, `copies<=1`, `allocs=1`, `allocs<=1`: how many are in its output;
- `output~RE`, `output!~RE`: whether a regular expression matches a part of the output;
- `error~RE`, `error!~RE`: the command fails, and whether one matches a part of its message;
- `check`: `bufferization-check` finds that the same is computed, and no leak.

No command may end in a traceback.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tests.xdsl_opt import forked_commands

_EXPECTATION = r"(accepts|check)(?=\s|$)|(copies|allocs)(<?=)|(output|error)(!?~)"
_COUNTED = {"copies": r"\bmemref\.copy\b", "allocs": r"\bmemref\.alloc\b"}


class Expectation(NamedTuple):
    """One of the things that are expected of a program."""

    subject: str
    relation: str = ""
    value: str = ""

    def __str__(self) -> str:
        return "".join(self)


@dataclass(frozen=True)
class ReportedProgram:
    """A program of a file."""

    id: str
    command: str
    flags: Sequence[str]
    expectations: Sequence[Expectation]
    text: str

    def __str__(self) -> str:
        return self.id

    @property
    def frees(self) -> bool:
        """Whether the command has to free all memory."""
        passes = re.findall(r"([\w-]+)(\{[^}]*\})?", self.command)
        return any(
            "dealloc" in name or (name == "bufferize" and "free=false" not in options)
            for name, options in passes
        )

    def failures(self) -> Iterator[str]:
        """What does not hold of the program."""
        run = self._call("xdsl-opt", "-p", self.command, *self.flags)
        if "Traceback" in run.stderr:
            yield f"ends in a traceback: {_last_line(run.stderr)}"
            return
        is_refused = run.returncode != 0
        if is_refused != any(e.subject == "error" for e in self.expectations):
            yield f"is refused: {run.stderr}" if is_refused else "is not refused"
            return
        for expectation in self.expectations:
            failure = self._failure(expectation, run)
            if failure is not None:
                yield f"{expectation}: {failure}"

    def _failure(
        self, expectation: Expectation, run: subprocess.CompletedProcess[str]
    ) -> str | None:
        subject, relation, value = expectation
        if subject == "check":
            return self._check()
        if subject in _COUNTED:
            count = len(re.findall(_COUNTED[subject], run.stdout))
            holds = count == int(value) if relation == "=" else count <= int(value)
            return None if holds else f"there are {count}"
        if subject in ("output", "error"):
            text = run.stdout if subject == "output" else run.stderr
            is_found = re.search(value, text) is not None
            return None if is_found == (relation == "~") else text
        return None

    def _check(self) -> str | None:
        leaks = ["--leaks", "error"] if self.frees else []
        flags = [f for f in self.flags if f == "--allow-unregistered-dialect"]
        run = self._call("bufferization-check", "-p", self.command, *leaks, *flags)
        if "Traceback" in run.stderr:
            return f"ends in a traceback: {_last_line(run.stderr)}"
        return None if run.returncode == 0 else run.stdout + run.stderr

    def _call(self, command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory, "program.mlir")
            file.write_text(self.text)
            return subprocess.run(
                [forked_commands() / command, file, *arguments],
                capture_output=True,
                text=True,
                check=False,
            )


def reported_programs(text: str) -> Iterator[ReportedProgram]:
    """
    The programs in the text of a file. Raises `ValueError` if one has no id, no command, or
    nothing that is expected of it.
    """
    for part in re.split(r"^// -----.*$", text, flags=re.M):
        fields = dict(re.findall(r"^// (\w+): (.*)$", part, flags=re.M))
        if not part.strip():
            continue
        for needed in ("id", "command", "expect"):
            if needed not in fields:
                raise ValueError(
                    f"a program has no line '// {needed}:': {part.strip()}"
                )
        yield ReportedProgram(
            fields["id"].strip(),
            fields["command"].strip(),
            shlex.split(fields.get("flags", "")),
            [*_expectations(fields["expect"])],
            part,
        )


def _expectations(text: str) -> Iterator[Expectation]:
    """The expectations of a line; each ends where the next one starts."""
    found = [*re.finditer(rf"(?:^|(?<=\s))(?:{_EXPECTATION})", text)]
    if not found or text[: found[0].start()].strip():
        raise ValueError(f"this is no expectation: {text}")
    ends = [match.start() for match in found[1:]] + [len(text)]
    for match, end in zip(found, ends, strict=True):
        alone, counted, relation, matched, tilde = match.groups(default="")
        value = text[match.end() : end].strip()
        if (alone and value) or (counted and not value.isdigit()):
            raise ValueError(f"this is no expectation: {match[0]}{value}")
        yield Expectation(alone or counted or matched, relation or tilde, value)


def _last_line(text: str) -> str:
    return text.strip().splitlines()[-1]
