"""
Random programs, bufferized and freed: no leak, nothing freed twice, the same numbers.

`python -m tests.pytest.transforms.test_deallocation_of_random_programs FIRST LAST
[FAMILY ...]` tries the seeds of a range, with the families of ops named, or all of them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
import pytest
from xdsl.context import Context

from tests.deallocation import with_xdsl
from tests.deallocation.recording import RecordedCall, Recording, run_recorded
from tests.peer import MlirTools, PeerError, find_mlir_tools
from tests.peer.runner import parse_module, print_generic
from tests.programs import FAMILIES, FREEING_FAMILIES, generate_program
from tests.programs.comparison import OPTIONS, inputs_for
from tests.programs.generator import Program
from tests.slow import in_turn, slow
from xdsl_bufferization import one_shot_bufferize
from xdsl_bufferization.support.diagnostics import BufferizationError

RUNNING = (*(f for f in FAMILIES if f != "external"), *FREEING_FAMILIES)
"""Families of programs that may be run as they are."""

SEEDS = [range(500, 501), *slow([range(501, 503)])]

PIPELINES = {
    "": with_xdsl(),
    "dynamic": with_xdsl("private-function-dynamic-ownership=true"),
}


def bufferized(tools: MlirTools, programs: Sequence[Program]) -> list[str]:
    """Those of the programs that can be bufferized, on memrefs."""
    texts: list[str] = []
    for text in tools.opt_each([program.text for program in programs]):
        if isinstance(text, PeerError):
            raise text
        module = parse_module(text)
        try:
            one_shot_bufferize(Context(), module, OPTIONS)
        except BufferizationError:
            texts.append("")
        else:
            texts.append(print_generic(module))
    return texts


def failures(
    tools: MlirTools, families: Sequence[str], seeds: Sequence[int], pipeline: str
) -> dict[int, str]:
    """What is wrong with the seeds' programs when they are freed."""
    programs = [generate_program(seed, families) for seed in seeds]
    found: dict[int, str] = {}
    calls: list[RecordedCall] = []
    whose: list[int] = []
    texts = bufferized(tools, programs)
    for seed, program, text in zip(seeds, programs, texts, strict=True):
        if not text:
            continue
        (freed,) = PIPELINES[pipeline](tools, [text])
        if isinstance(freed, Exception):
            found[seed] = f"{type(freed).__name__}: {freed}"
            continue
        for function, inputs in inputs_for(program):
            calls.extend(
                RecordedCall(version, function.name, inputs)
                for version in (freed, text)
            )
            whose.append(seed)
    recordings = iter(run_recorded(tools, calls))
    for seed in whose:
        recording, leaking = next(recordings), next(recordings)
        if wrong := difference(recording, leaking):
            found[seed] = wrong
    return found


def difference(recording: Recording | PeerError, leaking: Recording | PeerError) -> str:
    """
    What is wrong with a program that frees, other than it is with one that leaks.

    Tensors that a function is given may be overwritten, or not if it returns a clone now.
    """
    if isinstance(leaking, PeerError):
        return ""
    if isinstance(recording, PeerError):
        return str(recording)
    if recording.errors:
        return recording.errors
    for result, wanted in zip(recording.results, leaking.results, strict=True):
        if not np.array_equal(result, wanted, equal_nan=True):
            return f"{result} should be {wanted}"
    return ""


@pytest.mark.usefixtures("c_compiler")
@pytest.mark.parametrize("pipeline, family", in_turn(PIPELINES, RUNNING, 6))
@pytest.mark.parametrize("seeds", SEEDS)
def test_all_is_freed_once(
    mlir_tools: MlirTools, seeds: range, pipeline: str, family: str
):
    assert failures(mlir_tools, [family], seeds, pipeline) == {}


def main() -> None:
    tools = find_mlir_tools()
    assert tools is not None, "needs LLVM 22's mlir-opt and mlir-runner"
    first, last, *families = sys.argv[1:]
    seeds = range(int(first), int(last))
    for pipeline in PIPELINES:
        for seed, wrong in failures(
            tools, families or RUNNING, seeds, pipeline
        ).items():
            print(f"seed {seed} {pipeline}: {wrong}")


if __name__ == "__main__":
    main()
