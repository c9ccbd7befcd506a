"""
`python -m tests.fuzzing`: random programs through pipelines, until the time is over or so
many are done.

Each failure is made small and saved to a file; the exit status is 1 if there are any.
"""

from __future__ import annotations

import argparse
import math
import secrets
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import count, islice
from pathlib import Path
from random import Random

from tests.fuzzing.campaign import (
    RANDOM,
    Origin,
    Outcome,
    Tally,
    pipeline_of,
    run,
    shrink,
    try_program,
)
from tests.fuzzing.peer import PEER_PIPELINES
from tests.fuzzing.pipelines import ALONE, FREED, PIPELINES
from tests.fuzzing.strategy import NEEDS_TOOLS, families_here
from tests.fuzzing.trials import Trial
from tests.peer import why_no_mlir_tools
from tests.programs import FAMILIES, FREEING_FAMILIES, MEMORY_FAMILIES

_SHRUNK = 10
"""How many failures are made small: of each kind with the same families, the first."""

_REPORTED = 10
"""How many seconds are between reports."""


def origins(first: int, families: list[str], ops: int) -> Iterator[Origin]:
    """Programs with each family by itself, and every other one with several."""
    for seed in count(first):
        if seed % 2:
            chosen = Random(seed).sample(families, k=min(3, len(families)))
        else:
            chosen = [families[seed // 2 % len(families)]]
        yield Origin(seed, tuple(sorted(chosen)), ops)


def main() -> int:
    arguments = _parser().parse_args()
    names = _names(arguments)
    if len(families_here()) < len(FAMILIES):
        print(f"without the family {NEEDS_TOOLS}: {why_no_mlir_tools()}")
    first: int = arguments.first
    if first < 0:
        first = secrets.randbelow(1_000_000_000)
    families = arguments.family or families_here()
    if arguments.random and not arguments.family:
        families += (*MEMORY_FAMILIES, *FREEING_FAMILIES)
    todo = origins(first, families, arguments.ops)
    seconds: float = arguments.seconds
    if arguments.programs is not None:
        todo = islice(todo, arguments.programs)
        seconds = math.inf
    print(f"programs from seed {first} on, through {', '.join(names)}", flush=True)
    work = partial(try_program, pipelines=names)
    tally = _tally(run(work, todo, arguments.jobs), seconds)
    print(tally)
    _save_failures(tally, arguments.output)
    return 1 if tally.failures else 0


def _names(arguments: argparse.Namespace) -> Sequence[str]:
    """Of the pipelines that are asked for."""
    if arguments.peer:
        return [*PEER_PIPELINES]
    if arguments.pipeline:
        return arguments.pipeline
    if arguments.random:
        return [RANDOM]
    return [*PIPELINES] if arguments.programs is None else [ALONE.name, FREED.name]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing")
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("--seconds", type=float, default=60)
    amount.add_argument(
        "--programs",
        type=int,
        help="how many, in place of a time; bufferized and freed if not told otherwise",
    )
    parser.add_argument("--first", type=int, default=-1, help="the first seed")
    parser.add_argument(
        "--ops", type=int, default=14, help="of a function at most, regions aside"
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--pipeline", action="append", choices=[*PIPELINES])
    parser.add_argument(
        "--peer", action="store_true", help="check what mlir-opt makes of them"
    )
    parser.add_argument(
        "--random",
        action="store_true",
        help="a random pipeline for each program, and programs of more families",
    )
    parser.add_argument(
        "--family",
        action="append",
        choices=[*FAMILIES, *MEMORY_FAMILIES, *FREEING_FAMILIES],
    )
    parser.add_argument(
        "--output", type=Path, default=Path("fuzzing-failures"), help="a directory"
    )
    return parser


def _tally(outcomes: Iterable[Outcome], seconds: float) -> Tally:
    """Count what comes until the time is over, and print how it goes."""
    tally = Tally()
    started = reported = time.monotonic()
    for outcome in outcomes:
        for name, trial in tally.add(outcome):
            print(f"{outcome.origin}, {name}: {trial.kind}", flush=True)
        now = time.monotonic()
        if now - started > seconds:
            break
        if now - reported > _REPORTED:
            reported = now
            print(
                f"{now - started:.0f} s: {tally.programs} programs, "
                f"{len(tally.failures)} failures",
                flush=True,
            )
    return tally


def _save_failures(tally: Tally, directory: Path) -> None:
    """Make the first failure of each kind small, print all of them, and save them."""
    shrunk: set[tuple[str, Sequence[str]]] = set()
    for origin, name, trial in tally.failures:
        small = ""
        cause = trial.kind, origin.families
        if cause not in shrunk and len(shrunk) < _SHRUNK:
            shrunk.add(cause)
            print(f"making {origin} in {name} small", file=sys.stderr, flush=True)
            small = str(shrink(origin, name))
        text = _description(origin, name, trial, small)
        directory.mkdir(exist_ok=True)
        path = directory / f"{origin.seed}-{name}.mlir"
        path.write_text(text)
        print(f"\n{text}\nsaved in {path}" if small else f"saved in {path}")


def _description(origin: Origin, name: str, trial: Trial, small: str) -> str:
    about = [
        f"{origin}, {name}: {_passes(name, origin)}",
        *trial.message.strip().splitlines(),
    ]
    program = small or str(origin.module())
    return "\n".join([*(f"// {line}" for line in about), program])


def _passes(name: str, origin: Origin) -> str:
    if name in PEER_PIPELINES:
        return " ".join(PEER_PIPELINES[name])
    return pipeline_of(name, origin).passes


if __name__ == "__main__":
    sys.exit(main())
