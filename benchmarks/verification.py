"""
How the time grows with the program that `verify-bufferization-decisions` takes.

    python -m benchmarks.verification
"""

from __future__ import annotations

import time

from xdsl.context import Context
from xdsl.parser import Parser
from xdsl.universe import Universe

from benchmarks.programs import FAMILIES
from xdsl_bufferization import OneShotOptions
from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.verification.functions import check_decisions

SIZES = (1000, 4000)


def main() -> None:
    print("seconds of processor time to take the decisions, and to verify them")
    print(f"{'program':26} {'N':>6} {'analysis':>9} {'verify':>8} {'growth':>7}")
    for name, generate in FAMILIES.items():
        first = 0.0
        for n in SIZES:
            analysis, verification = _measure(generate(n))
            growth = f"{verification / first:.2f}" if first else ""
            first = verification
            print(
                f"{name:26} {n:6} {analysis:9.3f} {verification:8.3f} {growth:>7}",
                flush=True,
            )


def _measure(text: str) -> tuple[float, float]:
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
    return decided - start, after - before


if __name__ == "__main__":
    main()
