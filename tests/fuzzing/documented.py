"""
The programs of docs/mlir-opt-bugs.md, with others of their kinds in `found`, and what mlir-opt
makes of them, as their comments say.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.fuzzing.found import found_programs
from tests.fuzzing.peer import PEER_PIPELINES, attempt_with_peer
from tests.fuzzing.trials import Trial, Verdict, read
from tests.peer import MlirTools

DOCUMENT = Path(__file__).parents[2] / "docs" / "mlir-opt-bugs.md"

SEEDS = range(3)
"""Of the inputs that each program is run on."""


@dataclass(frozen=True)
class Claim:
    """What becomes of a program in mlir-opt, as a comment in it says."""

    command: str
    """`mlir-opt` with its options, or a name in `PEER_PIPELINES`."""
    outcome: str
    """A verdict, or a kind of failure."""

    @property
    def options(self) -> Sequence[str]:
        """Of mlir-opt."""
        if self.command in PEER_PIPELINES:
            return PEER_PIPELINES[self.command]
        return shlex.split(self.command)[1:]

    def found(self, text: str, tools: MlirTools) -> str:
        """What really becomes of it, in the words of `outcome`."""
        module = read(text, tools)
        trial = Trial(Verdict.EQUAL)
        for seed in SEEDS:
            trial = attempt_with_peer(module, self.options, seed)
            if trial.verdict is not Verdict.EQUAL:
                break
        if trial.verdict is Verdict.FAILED:
            return trial.kind.split(":")[0]
        return trial.verdict


@dataclass(frozen=True)
class DocumentedProgram:
    """A program with claims."""

    title: str
    text: str
    claims: Sequence[Claim]

    def __str__(self) -> str:
        return self.title


def documented_programs() -> Iterator[DocumentedProgram]:
    """Those of the document, in their order, then those of `found` that make claims."""
    sections = re.split(r"^#+ (.*)$", DOCUMENT.read_text(), flags=re.M)[1:]
    for title, body in zip(sections[::2], sections[1::2], strict=True):
        for text in re.findall(r"^```mlir\n(.*?)^```$", body, flags=re.M | re.S):
            yield DocumentedProgram(title, text, [*_claims(text)])
    for program in found_programs():
        if claims := [*_claims(program.text)]:
            yield DocumentedProgram(program.name, program.text, claims)


def _claims(text: str) -> Iterator[Claim]:
    for command, outcome in re.findall(r"^// (mlir-opt.*): (.*)$", text, flags=re.M):
        yield Claim(command, outcome)
