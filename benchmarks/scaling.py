"""
How the time of One-Shot Bufferize, and of all that `bufferize` does, grows with the program.

For each family of programs and each size: the time xDSL takes to parse the text, the time of
`one-shot-bufferize`, that of `bufferize`, and the time of a whole call of mlir-opt with
One-Shot Bufferize on the same text, where that is installed. It is processor time, which
unlike the clock does not count what else the machine does. Each program has a process of its
own, and the garbage collector runs as it does for users, but starts with nothing left over to
collect. Small and large programs
take turns, and the medians of several runs are reported.

    python -m benchmarks.scaling
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.universe import Universe

from benchmarks.peer_time import peer_seconds
from benchmarks.programs import FAMILIES
from tests.peer import find_mlir_tools, why_no_mlir_tools
from xdsl_bufferization import OneShotOptions, bufferize, one_shot_bufferize

SIZES = (1000, 4000)
PEER_PASS = "--one-shot-bufferize=bufferize-function-boundaries"
TARGET = 4.6
"""By what factor a pass may become slower from the first size to the second."""


class Times(NamedTuple):
    """Seconds of processor time."""

    parse: float
    one_shot: float
    bufferize: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="of each (default 3)")
    parser.add_argument(
        "--limit", type=float, default=20, help="of mlir-opt's time, in s (default 20)"
    )
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure is not None:
        family, n = arguments.measure
        print(json.dumps(_measure(FAMILIES[family](int(n)))))
        return
    _print_table(arguments.runs, arguments.limit)


def _print_table(runs: int, limit: float) -> None:
    tools = find_mlir_tools()
    print(
        f"seconds, median of {runs} runs; from N = {SIZES[0]} to N = {SIZES[1]} at most"
    )
    print(f"{TARGET} times, and less for one-shot-bufferize than for parsing")
    if tools is None:
        print(f"mlir-opt is not measured: {why_no_mlir_tools()}")
    print(
        f"{'program':26} {'N':>6} {'parse':>8} {'one-shot':>9} {'growth':>7}"
        f" {'bufferize':>10} {'growth':>7} {'mlir-opt':>9}"
    )
    for name, generate in FAMILIES.items():
        rounds = [[_measure_apart(name, n) for n in SIZES] for _ in range(runs)]
        small, large = (_median(times) for times in zip(*rounds, strict=True))
        factors = large.one_shot / small.one_shot, large.bufferize / small.bufferize
        growth = [f"{factor:.2f}" for factor in factors]
        verdict = "met" if max(factors) <= TARGET else "GROWTH MISSED"
        rows = (small, ("", ""), ""), (large, growth, verdict)
        for n, (times, (of_one_shot, of_bufferize), note) in zip(
            SIZES, rows, strict=True
        ):
            slow = "  SLOWER THAN PARSING" if times.one_shot >= times.parse else ""
            peer = peer_seconds(
                generate(n),
                "--one-shot-bufferize=bufferize-function-boundaries",
                limit=limit,
            )
            print(
                f"{name:26} {n:6} {times.parse:8.3f} {times.one_shot:9.3f}"
                f" {of_one_shot:>7} {times.bufferize:10.3f} {of_bufferize:>7} {peer:>9}"
                f"  {note}{slow}",
                flush=True,
            )


def _median(runs: Sequence[Times]) -> Times:
    return Times(*(statistics.median(seconds) for seconds in zip(*runs, strict=True)))


def _measure_apart(family: str, n: int) -> Times:
    command = [sys.executable, "-m", __spec__.name, "--measure", family, str(n)]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if run.returncode:
        sys.exit(f"{family} of size {n} failed")
    return Times(*json.loads(run.stdout))


def _measure(text: str) -> Times:
    context = Context()
    for name, factory in Universe.get_multiverse().all_dialects.items():
        context.register_dialect(name, factory)
    options = OneShotOptions(bufferize_function_boundaries=True)

    def one_shot(module: ModuleOp) -> None:
        one_shot_bufferize(context, module, options)

    def all_of_it(module: ModuleOp) -> None:
        bufferize(context, module)

    # A first small program: what is imported on first use is not what is measured.
    for run in (one_shot, all_of_it):
        run(Parser(context, FAMILIES["extract/add/insert tiles"](1)).parse_module())
    parsing, passes = 0.0, list[float]()
    for run in (one_shot, all_of_it):
        gc.collect()
        start = time.process_time()
        module = Parser(context, text).parse_module()
        parsing = time.process_time() - start
        gc.collect()
        start = time.process_time()
        run(module)
        passes.append(time.process_time() - start)
        del module
    return Times(parsing, *passes)


if __name__ == "__main__":
    main()
