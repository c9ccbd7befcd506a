"""
What `eliminate-copies` makes of random programs: fewer copies, no more memory, and the same
results.

    python -m tests.fuzzing.elimination [--programs N] [--first SEED]

prints a row of a Markdown table for each family of programs: copies, the bytes copied and
the sum of the functions' peaks in bytes, behind `eliminate-empty-tensors` and behind
`eliminate-copies`. Ends with an error at a program that computes something else or has more
of any of these in a function.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable
from random import Random
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, NoneAttr
from xdsl.dialects.func import FuncOp

from tests.fuzzing.strategy import families_here
from tests.fuzzing.trials import read
from tests.peer import find_mlir_tools
from tests.programs import generate_program
from xdsl_bufferization import OneShotOptions
from xdsl_bufferization.semantics.checking.check import (
    CheckOptions,
    check,
    parse_pipeline,
)
from xdsl_bufferization.semantics.checking.report import ProblemKind
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.costs.profile import Bytes, Copies, Cost
from xdsl_bufferization.tensors.eliminate_copies.driver import (
    eliminate_copies,
    share_memory,
)
from xdsl_bufferization.tensors.empty_tensor_elimination import eliminate_empty_tensors

OPTIONS = OneShotOptions(bufferize_function_boundaries=True, allow_unknown_ops=True)
PIPELINE = "one-shot-bufferize{bufferize-function-boundaries allow-unknown-ops}"


class Elimination(NamedTuple):
    """The costs of a program, behind `eliminate-empty-tensors` and `eliminate-copies`."""

    before: Cost
    after: Cost


def eliminate(module: ModuleOp, runs: int) -> Elimination:
    """
    Eliminate the copies of a clone of the program, and run it before and after
    bufferization, each time with so many inputs.

    Raises `AssertionError` if it computes something else, or a function has more copies,
    more bytes copied or a higher peak than as it came, or behind `eliminate-empty-tensors`
    where that makes no function worse: what it does to one may make a caller worse, so that
    not both are to be had. `BufferizationError` if the program cannot be bufferized.
    """
    simple, after = module.clone(), module.clone()
    came_costs = Costs(AnalysedModule(module, OPTIONS))
    eliminate_empty_tensors(simple)
    before_costs = Costs(AnalysedModule(simple, OPTIONS))
    share_memory(eliminate_copies(after, OPTIONS))
    after.verify()
    after_costs = Costs(AnalysedModule(after, OPTIONS))
    all_came = [came_costs.of(f) for f in functions_of(module)]
    all_before = [before_costs.of(f) for f in functions_of(simple)]
    is_worse_nowhere = all(map(Cost.is_no_more_than, all_before, all_came))
    for came, before, function in zip(
        all_came, all_before, functions_of(after), strict=True
    ):
        now = after_costs.of(function)
        assert now.is_no_more_than(came), f"{function.sym_name}: {came}, {now}"
        if is_worse_nowhere:
            assert now.is_no_more_than(before), f"{function.sym_name}: {before}, {now}"
    costs = Elimination(_total(before_costs, simple), _total(after_costs, after))
    if not after.is_structurally_equivalent(module):
        assert_same(module, after, runs)
        parse_pipeline(PIPELINE).apply(Context(), after)
        after.verify()
        assert_same(module, after, runs)
    return costs


def functions_of(module: ModuleOp) -> list[FuncOp]:
    """The functions with bodies."""
    return [op for op in module.ops if isinstance(op, FuncOp) and op.body.blocks]


def _total(costs: Costs, module: ModuleOp) -> Cost:
    each = [costs.of(function) for function in functions_of(module)]
    peak = Bytes(sum(_peak(cost) for cost in each))
    return Cost(all_copies(cost.copies for cost in each), {NoneAttr(): peak})


def all_copies(copies: Iterable[Copies]) -> Copies:
    """Copies of several functions, without those in further iterations."""
    copies = [*copies]
    return Copies(sum(c.number for c in copies), Bytes(sum(c.size for c in copies)))


def _peak(cost: Cost) -> int:
    """The sum of the peaks of all memory spaces, in bytes."""
    return sum(cost.peaks.values())


def assert_same(before: ModuleOp, after: ModuleOp, runs: int) -> None:
    """Assert that both programs compute the same, on so many inputs."""
    report = check(before, after, CheckOptions(runs=runs, searches=0))
    if report.problem is not None:
        # Of a random program it may not be known which inputs it is made for.
        assert report.problem.kind is ProblemKind.NO_INPUT, report


def random_module(
    seed: int, families: Iterable[str] | None = None
) -> tuple[str, ModuleOp]:
    """
    A program of one or two of the families, by default of those that can be read here, and the name
    of the first.
    """
    # docs/tensor-passes.md has the figures of these, which are older than the one left out.
    families = [family for family in families or families_here() if family != "moves"]
    first = families[seed % len(families)]
    second = families[seed // len(families) % len(families)]
    program = generate_program(Random(seed), {first, second}, functions=2, ops=8)
    return first, read(program.text, find_mlir_tools())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    found: dict[str, list[Elimination]] = defaultdict(list)
    refused = 0
    for seed in range(arguments.first, arguments.first + arguments.programs):
        family, module = random_module(seed)
        try:
            found[family].append(eliminate(module, runs=2))
        except BufferizationError:
            refused += 1
        except Exception:
            print(f"seed {seed}", file=sys.stderr)
            raise
    print("| family | programs | copies | bytes copied | peak bytes |")
    print("|---|--:|--:|--:|--:|")
    for family, eliminations in sorted(found.items()):
        print(_row(family, eliminations))
    print(_row("all", [e for each in found.values() for e in each]))
    print(f"\n{refused} more are refused: they cannot be bufferized.")


def _row(family: str, eliminations: list[Elimination]) -> str:
    cells = [
        " -> ".join(f"{sum(values):,}" for values in zip(*pairs, strict=True))
        for pairs in (
            [(e.before.copies.number, e.after.copies.number) for e in eliminations],
            [(e.before.copies.size, e.after.copies.size) for e in eliminations],
            [(_peak(e.before), _peak(e.after)) for e in eliminations],
        )
    ]
    return f"| {family} | {len(eliminations):,} | {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
