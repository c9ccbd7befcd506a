"""
Random programs through random pipelines, compiled and run by MLIR's tools, with an allocator
that records what is freed.

    python -m tests.fuzzing.compiled [--programs N | --seconds N] [--first SEED]

What programs compute is compared with what they compute when mlir-opt bufferizes them and
copies before each write. This sees what our interpreter shares with the passes: how programs
are read and printed, layouts, and addresses. The exit status is 1 if something differs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from tests.deallocation.recording import RecordedCall, Recording, run_recorded
from tests.fuzzing.pipelines import Pipeline
from tests.fuzzing.random_pipelines import random_pipeline
from tests.fuzzing.seeds import batches, chosen_first
from tests.fuzzing.trials import apply, read, with_private_callees
from tests.peer import MlirTools, PeerError, find_mlir_tools, why_no_mlir_tools
from tests.peer.runner import print_generic
from tests.programs import FAMILIES, MEMORY_FAMILIES, Program, generate_program
from tests.programs.comparison import inputs_for
from xdsl_bufferization.support.diagnostics import BufferizationError

RUNNING = (
    *(family for family in FAMILIES if family != "external"),
    *(
        family
        for family in MEMORY_FAMILIES
        if family not in ("spaces", "outside", "modules")
    ),
)
"""Families of programs that can be compiled as they are."""

_REFERENCE = (
    "--one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops "
    "copy-before-write",
    "--convert-bufferization-to-memref",
)
_OTHER_ARGUMENTS = (
    "arena-as-argument=true",
    "arena=argument",
    "modify-public-functions=true",
    "results=arguments",
)
"""Options with which functions take what this caller does not pass."""
_TOGETHER = 8
"""How many programs are compiled together."""


@dataclass(frozen=True)
class CompiledTrial:
    """A program that was compiled."""

    seed: int
    passes: str
    wrong: str = ""
    """What is wrong with it, or nothing."""


def try_compiled(tools: MlirTools, seeds: Sequence[int]) -> Iterator[CompiledTrial]:
    """Run those of the seeds' programs that both mlir-opt and the pipeline bufferize."""
    programs = [_program(seed) for seed in seeds]
    references = tools.opt_each([p.text for p in programs], *_REFERENCE)
    calls: list[RecordedCall] = []
    tried: list[tuple[int, str]] = []
    for seed, program, reference in zip(seeds, programs, references, strict=True):
        if isinstance(reference, PeerError):
            continue
        pipeline = _pipeline(seed)
        ours = _freed(program, pipeline, tools)
        if ours is None:
            continue
        last = program.functions[-1]
        for function, inputs in inputs_for(program):
            if function is last or not pipeline.hides_callees:
                calls += [
                    RecordedCall(text, function.name, inputs)
                    for text in (ours, reference)
                ]
                tried.append((seed, pipeline.passes))
    recordings = iter(run_recorded(tools, calls))
    found: dict[tuple[int, str], str] = {}
    for trial in tried:
        wrong = _difference(next(recordings), next(recordings))
        found[trial] = found.get(trial) or wrong
    for (seed, passes), wrong in found.items():
        yield CompiledTrial(seed, passes, wrong)


def _program(seed: int) -> Program:
    return generate_program(seed, Random(seed).sample(RUNNING, k=2), ops=8)


def _pipeline(seed: int) -> Pipeline:
    """The first from the seed on that frees, and lets functions take what they took."""
    while True:
        pipeline = random_pipeline(seed)
        if pipeline.frees and not any(o in pipeline.passes for o in _OTHER_ARGUMENTS):
            return pipeline
        seed += 1_000_003


def _freed(program: Program, pipeline: Pipeline, tools: MlirTools) -> str | None:
    """The program behind the pipeline, in generic form; `None` if that refuses it."""
    module = read(program.text, tools)
    if pipeline.hides_callees:
        module = with_private_callees(module)
    try:
        apply(pipeline.passes, module)
    except BufferizationError:
        return None
    return print_generic(module)


def _difference(ours: Recording | PeerError, reference: Recording | PeerError) -> str:
    if isinstance(reference, PeerError):
        return ""
    if isinstance(ours, PeerError):
        return str(ours)
    for result, wanted in zip(ours.results, reference.results, strict=True):
        if not np.array_equal(result, wanted, equal_nan=True):
            return f"{result} should be {wanted}"
    return ours.errors


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing.compiled")
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("--programs", type=int, default=100, help="how many seeds")
    amount.add_argument("--seconds", type=float, help="a time in place of a number")
    parser.add_argument("--first", type=int, default=-1, help="the first seed")
    arguments = parser.parse_args()
    tools = find_mlir_tools()
    if tools is None:
        print(why_no_mlir_tools())
        return 0
    first = chosen_first(arguments.first)
    programs = compiled = failed = 0
    for seeds in batches(first, arguments.programs, arguments.seconds, _TOGETHER):
        programs += len(seeds)
        for trial in try_compiled(tools, seeds):
            compiled += 1
            if trial.wrong:
                failed += 1
                print(f"seed {trial.seed}, {trial.passes}: {trial.wrong}", flush=True)
    print(f"{compiled} programs of {programs} compiled and run, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
