"""`python -m tests.golden`; see the package."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from multiprocessing import Pool
from pathlib import Path

from tests.golden import Corpus, Figures, Result, measure, programs

FIGURES = Path(__file__).with_name("figures.txt")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="commit to these figures")
    parser.add_argument("--only", default="", help="programs whose names contain this")
    parser.add_argument("--every", type=int, default=1, help="each Nth program only")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    only: str = arguments.only
    every: int = arguments.every
    chosen = [program for program in programs() if only in program[0]][::every]
    former = _read()
    found: dict[tuple[str, str], Result] = {}
    with Pool(arguments.jobs) as pool:
        for results in pool.imap(measure, chosen, chunksize=4):
            found.update(results)
    if arguments.write:
        _write(found if every == 1 and not only else {**former, **found})
        return 0
    return _compare(former, found)


def _read() -> Corpus:
    if not FIGURES.exists():
        return {}
    corpus: dict[tuple[str, str], Result] = {}
    for line in FIGURES.read_text().splitlines():
        program, pipeline, figures = line.split(" ", 2)
        corpus[program, pipeline] = Figures.parse(figures)
    return corpus


def _write(corpus: Corpus) -> None:
    lines = [f"{program} {pipeline} {r}" for (program, pipeline), r in corpus.items()]
    FIGURES.write_text("".join(f"{line}\n" for line in lines))


def _compare(former: Corpus, found: Corpus) -> int:
    worse = better = texts = 0
    for key, after in found.items():
        before = former.get(key)
        if before is None or before == after:
            continue
        if isinstance(before, str) or isinstance(after, str):
            worse += isinstance(after, str)
            print(f"other  {' '.join(key)}: {before} -> {after}")
            continue
        changes = [
            f"{name} {b:,} -> {a:,}"
            for name, b, a in zip(_NAMES, *map(_numbers, (before, after)), strict=True)
            if a != b
        ]
        if not changes:
            texts += 1
            continue
        is_worse = any(
            a > b for a, b in zip(*map(_numbers, (after, before)), strict=True)
        )
        worse += is_worse
        better += not is_worse
        print(
            f"{'WORSE ' if is_worse else 'better'} {' '.join(key)}: {', '.join(changes)}"
        )
    print(f"{len(found)} results: {better} better, {worse} worse, {texts} other texts")
    return 1 if worse else 0


_NAMES = "copies", "bytes", "allocations", "peak"


def _numbers(figures: Figures) -> Sequence[int]:
    return figures.copies, figures.bytes, figures.allocations, figures.peak


if __name__ == "__main__":
    sys.exit(main())
