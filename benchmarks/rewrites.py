"""
What each rewrite of `eliminate-copies` saves, and where its absence would be better.

For each program, `bufferize` runs with all rewrites and without each in turn (`without=NAME`). A
result is better if it copies and moves fewer bytes when it runs, each loop counted as in
`tensors/costs/profile.py`, or as many with a lower peak. Prints a row of a Markdown table for
each rewrite, and after it the programs that are better without it.

    python -m benchmarks.rewrites [--only NAME] [--random N]

The programs are those of `tests.golden`, without its random ones unless `--random` gives a number.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from multiprocessing import Pool
from typing import NamedTuple

from xdsl.utils.exceptions import PassFailedException

from tests.golden import Program, executed_and_peak, programs
from tests.peer.runner import parse_module
from xdsl_bufferization.semantics.checking.check import parse_pipeline
from xdsl_bufferization.support.reading import context_of_all_dialects
from xdsl_bufferization.tensors.edits import REWRITES

_ALL = ""


class Result(NamedTuple):
    """What is left of a program."""

    executed: int
    """Bytes that copies and moves read and write when its functions run once."""
    peak: int


def results(program: Program) -> tuple[str, Mapping[str, Result]]:
    """The results by the rewrite that is left out; none for a program that is refused."""
    name, text = program
    found: dict[str, Result] = {}
    try:
        module = parse_module(text)
        module.verify()
    except Exception:  # xDSL's verifiers raise others than VerifyException, too
        return name, found
    context = context_of_all_dialects(allow_unregistered=True)
    for rewrite in (_ALL, *REWRITES):
        options = "function-boundary-type-conversion=identity-layout-map"
        if rewrite:
            options += f" without={rewrite}"
        work = module.clone()
        try:
            parse_pipeline(f"bufferize{{{options}}}").apply(context, work)
        except PassFailedException:
            return name, {}
        found[rewrite] = Result(*executed_and_peak(work))
        if rewrite == _ALL and found[_ALL] == (0, 0):
            return name, {}
    return name, found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="programs whose names contain this")
    parser.add_argument("--random", type=int, default=0, help="random programs")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    only: str = options.only
    number: int = options.random
    chosen = [
        (name, text)
        for name, text in programs(number)
        if only in name and "linalg." in text
    ]
    with Pool(options.jobs) as pool:
        each = dict(pool.imap_unordered(results, chosen, chunksize=4))
    print(
        "| rewrite | programs helped | bytes saved | peaks lowered by | better without it |"
    )
    print("| --- | --: | --: | --: | --: |")
    for rewrite in REWRITES:
        pairs = [(n, r[_ALL], r[rewrite]) for n, r in each.items() if r]
        helped = [(a, b) for _, a, b in pairs if a < b]
        saved = sum(b.executed - a.executed for a, b in helped)
        lowered = sum(max(0, b.peak - a.peak) for a, b in helped)
        better = [(name, a, b) for name, a, b in pairs if b < a]
        print(
            f"| `{rewrite}` | {len(helped)} | {saved:,} | {lowered:,} | {len(better)} |"
        )
        for name, a, b in better:
            print(f"    {name}: {tuple(a)} -> {tuple(b)}")


if __name__ == "__main__":
    main()
