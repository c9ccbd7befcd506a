"""Many random programs through pipelines, on several processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

from xdsl.dialects.builtin import ModuleOp

from tests.fuzzing.minimal import Try, minimal
from tests.fuzzing.peer import PEER_PIPELINES, attempt_with_peer
from tests.fuzzing.pipelines import PIPELINES, Pipeline
from tests.fuzzing.random_pipelines import random_pipeline
from tests.fuzzing.trials import Trial, Verdict, attempt, read
from tests.peer import find_mlir_tools
from tests.programs import Program, generate_program

RANDOM = "random"
"""The name of a pipeline that is another for each seed."""


@dataclass(frozen=True)
class Origin:
    """What a random program is made of."""

    seed: int
    families: Sequence[str]
    ops: int = 14
    """How many a function has at most, besides those in regions."""

    def __str__(self) -> str:
        names = ", ".join(self.families) if self.families else "no family"
        return f"seed {self.seed} with {names}"

    def module(self) -> ModuleOp:
        """The program, as a module."""
        return read(self.program().text, find_mlir_tools())

    def program(self) -> Program:
        """The program, as text."""
        return generate_program(self.seed, self.families, ops=self.ops)


@dataclass(frozen=True)
class Outcome:
    """What came of a random program in each pipeline."""

    origin: Origin
    trials: Sequence[tuple[str, Trial]]
    """With the names of the pipelines."""


def try_program(origin: Origin, pipelines: Sequence[str]) -> Outcome:
    """Send the program through the pipelines of these names, of ours or mlir-opt's."""
    module = origin.module()
    return Outcome(origin, [(name, _trial(name, origin)(module)) for name in pipelines])


def shrink(origin: Origin, pipeline: str) -> ModuleOp:
    """A small program that ends in the pipeline as the random one does."""
    return minimal(origin.module(), _trial(pipeline, origin))


def _trial(pipeline: str, origin: Origin) -> Try:
    if pipeline in PEER_PIPELINES:
        options = PEER_PIPELINES[pipeline]
        return partial(attempt_with_peer, options=options, seed=origin.seed)
    return partial(attempt, pipeline=pipeline_of(pipeline, origin), seed=origin.seed)


def pipeline_of(name: str, origin: Origin) -> Pipeline:
    """The pipeline of that name; the random one is that of the program's seed."""
    if name != RANDOM:
        return PIPELINES[name]
    functions = origin.program().functions
    return random_pipeline(origin.seed, [f.name for f in functions if f.has_body])


@dataclass
class Tally:
    """What came of all programs so far."""

    programs: int = 0
    verdicts: Counter[tuple[str, Verdict]] = field(
        default_factory=Counter[tuple[str, Verdict]]
    )
    """By pipeline."""
    refusals: Counter[str] = field(default_factory=Counter[str])
    """By reason."""
    failures: list[tuple[Origin, str, Trial]] = field(
        default_factory=list[tuple[Origin, str, Trial]]
    )
    """With the pipeline's name."""

    def add(self, outcome: Outcome) -> Sequence[tuple[str, Trial]]:
        """Count what came of a program; the failures are returned."""
        self.programs += 1
        failures = [t for t in outcome.trials if t[1].verdict is Verdict.FAILED]
        self.failures += [(outcome.origin, *failure) for failure in failures]
        for name, trial in outcome.trials:
            self.verdicts[name, trial.verdict] += 1
            if trial.verdict is Verdict.REFUSED:
                self.refusals[trial.kind] += 1
        return failures

    def __str__(self) -> str:
        names = dict.fromkeys(name for name, _ in self.verdicts)
        rows = [("pipeline", *Verdict)]
        rows += [
            (name, *(str(self.verdicts[name, v]) for v in Verdict)) for name in names
        ]
        lines = [f"{self.programs} programs"]
        lines += [
            "".join([f"{row[0]:<36}", *(f"{c:>12}" for c in row[1:])]) for row in rows
        ]
        for reason, count in self.refusals.most_common():
            lines.append(f"refused {count} times: {reason}")
        for kind, count in Counter(t.kind for _, _, t in self.failures).most_common():
            lines.append(f"failed {count} times: {kind}")
        return "\n".join(lines)


def run(
    work: Callable[[Origin], Outcome], origins: Iterable[Origin], jobs: int
) -> Iterator[Outcome]:
    """What `work` returns for each of the programs, of which there may be endlessly many."""
    todo = iter(origins)
    with ProcessPoolExecutor(jobs) as pool:
        pending: set[Future[Outcome]] = set()
        try:
            while True:
                for origin in islice(todo, 4 * jobs - len(pending)):
                    pending.add(pool.submit(work, origin))
                if not pending:
                    return
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            for future in pending:
                future.cancel()
