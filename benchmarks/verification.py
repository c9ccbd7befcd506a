"""
How the time grows with the program that `verify-bufferization-decisions` takes, and the bound
of the bytes that are copied.

    python -m benchmarks.verification
"""

from __future__ import annotations

import time
from typing import NamedTuple

from xdsl.context import Context
from xdsl.parser import Parser
from xdsl.universe import Universe

from benchmarks.programs import FAMILIES
from xdsl_bufferization import OneShotOptions
from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.verification.copy_bound.bound import copy_bounds
from xdsl_bufferization.verification.functions import check_decisions

SIZES = (1000, 4000)


class Times(NamedTuple):
    """In seconds."""

    analysis: float
    verification: float
    bound: float


def main() -> None:
    print(
        "seconds of processor time to take the decisions, to verify them, and to bound"
    )
    print("what every bufferization copies")
    print(
        f"{'program':26} {'N':>6} {'analysis':>9} {'verify':>8} {'growth':>7} "
        f"{'bound':>8} {'growth':>7}"
    )
    for name, generate in FAMILIES.items():
        former: Times | None = None
        for n in SIZES:
            times = _measure(generate(n))
            print(
                f"{name:26} {n:6} {times.analysis:9.3f} "
                f"{times.verification:8.3f} {_growth(former, times, 1)} "
                f"{times.bound:8.3f} {_growth(former, times, 2)}",
                flush=True,
            )
            former = times


def _growth(former: Times | None, now: Times, index: int) -> str:
    return f"{now[index] / former[index]:7.2f}" if former else " " * 7


def _measure(text: str) -> Times:
    context = Context()
    for name, factory in Universe.get_multiverse().all_dialects.items():
        context.register_dialect(name, factory)
    module = Parser(context, text).parse_module()
    options = OneShotOptions(bufferize_function_boundaries=True)
    start = time.process_time()
    one_shot = OneShotBufferization(module, options)
    one_shot.analyze()
    decided = time.process_time()
    one_shot.annotate()
    before = time.process_time()
    problems = check_decisions(module, bufferize_function_boundaries=True)
    after = time.process_time()
    assert not problems
    copy_bounds(module)
    return Times(decided - start, after - before, time.process_time() - after)


if __name__ == "__main__":
    main()
