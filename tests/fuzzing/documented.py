"""The programs of docs/mlir-opt-bugs.md, and what it says of them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.fuzzing.peer import PEER_PIPELINES, attempt_with_peer
from tests.fuzzing.trials import Trial, Verdict, read
from tests.peer import MlirTools

DOCUMENT = Path(__file__).parents[2] / "docs" / "mlir-opt-bugs.md"

SEEDS = range(3)
"""Of the inputs that each program is run on."""


@dataclass(frozen=True)
class Claim:
    """What becomes of a program in mlir-opt, as the document says."""

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
    """A program of the document."""

    title: str
    text: str
    claims: Sequence[Claim]

    def __str__(self) -> str:
        return self.title


def documented_programs() -> Iterator[DocumentedProgram]:
    """All of them, in their order."""
    sections = re.split(r"^#+ (.*)$", DOCUMENT.read_text(), flags=re.M)[1:]
    for title, body in zip(sections[::2], sections[1::2], strict=True):
        for text in re.findall(r"^```mlir\n(.*?)^```$", body, flags=re.M | re.S):
            claims = re.findall(r"^// (mlir-opt.*): (.*)$", text, flags=re.M)
            yield DocumentedProgram(title, text, [Claim(*claim) for claim in claims])
