"""
`python -m tests.fuzzing`: random programs through pipelines, until the time is over or so
many are done.

Each failure is made small and saved to a file; the exit status is 1 if there are any.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from random import Random

from tests.fuzzing.campaign import Origin, Tally, run, shrink, try_program
from tests.fuzzing.peer import PEER_PIPELINES
from tests.fuzzing.pipelines import ALONE, FREED, PIPELINES
from tests.fuzzing.strategy import NEEDS_TOOLS, families_here
from tests.fuzzing.trials import Trial
from tests.peer import why_no_mlir_tools
from tests.programs import FAMILIES

_SHRUNK = 10
"""How many failures are made small: of each kind with the same families, the first."""


def origins(first: int, families: list[str], ops: int) -> Iterator[Origin]:
    """Programs with each family by itself, and every other one with several."""
    for seed in count(first):
        if seed % 2:
            chosen = Random(seed).sample(families, k=min(3, len(families)))
        else:
            chosen = [families[seed // 2 % len(families)]]
        # What `external` computes is told for one type of element only.
        if "external" in chosen and "elements" in chosen:
            chosen.remove("elements")
        yield Origin(seed, tuple(sorted(chosen)), ops)


def main() -> int:
    arguments = _parser().parse_args()
    names: list[str] = arguments.pipeline or [*PIPELINES]
    if arguments.peer:
        names = [*PEER_PIPELINES]
    elif arguments.programs and not arguments.pipeline:
        names = [ALONE.name, FREED.name]
    families: list[str] = arguments.family or families_here()
    if len(families_here()) < len(FAMILIES):
        print(f"without the family {NEEDS_TOOLS}: {why_no_mlir_tools()}")
    first: int = arguments.first
    if first < 0:
        first = secrets.randbelow(1_000_000_000)
    print(f"programs from seed {first} on, through {', '.join(names)}", flush=True)
    tally = _fuzz(names, families, first, arguments.programs, arguments)
    print(tally)
    _save_failures(tally, arguments.output)
    return 1 if tally.failures else 0


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
    parser.add_argument("--family", action="append", choices=FAMILIES)
    parser.add_argument(
        "--output", type=Path, default=Path("fuzzing-failures"), help="a directory"
    )
    return parser


def _fuzz(
    names: list[str],
    families: list[str],
    first: int,
    programs: int | None,
    arguments: argparse.Namespace,
) -> Tally:
    tally = Tally()
    started = reported = time.monotonic()
    todo = origins(first, families, arguments.ops)
    if programs is not None:
        todo = (origin for origin, _ in zip(todo, range(programs), strict=False))
    outcomes = run(partial(try_program, pipelines=names), todo, arguments.jobs)
    for outcome in outcomes:
        for name, trial in tally.add(outcome):
            print(f"{outcome.origin}, {name}: {trial.kind}", flush=True)
        now = time.monotonic()
        if programs is None and now - started > arguments.seconds:
            break
        if now - reported > 10:
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
        f"{origin}, {name}: {_passes(name)}",
        *trial.message.strip().splitlines(),
    ]
    program = small or str(origin.module())
    return "\n".join([*(f"// {line}" for line in about), program])


def _passes(name: str) -> str:
    if name in PEER_PIPELINES:
        return " ".join(PEER_PIPELINES[name])
    return PIPELINES[name].passes


if __name__ == "__main__":
    sys.exit(main())
