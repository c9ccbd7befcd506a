"""
Programs with deallocations free all that they allocate, once, and not too early.

Each program is run by MLIR's own tools with an allocator that keeps count, with several
arguments, so that each way through it is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
import pytest

from tests.deallocation import (
    DYNAMIC_OWNERSHIP,
    Pipeline,
    inputs_for,
    read_programs,
    with_mlir_opt,
    with_nothing,
    with_xdsl,
)
from tests.deallocation.recording import (
    Outcome,
    RecordedCall,
    Recording,
    costs_of,
    function_type,
    record_programs,
    run_recorded,
)
from tests.peer import MlirTools, PeerError
from tests.slow import slow

pytestmark = pytest.mark.usefixtures("c_compiler")

PROGRAMS = read_programs()

NOT_LOWERED = {
    # The copy for the caller has a static offset in its type, as no new buffer has.
    "view_of_argument_returned": "failed to legalize operation 'bufferization.clone'",
}
"""Programs that do not compile, with any pipeline, and what mlir-opt says of them."""

PEER_REFUSES = {
    "loop_of_blocks": "Only structured control-flow loops are supported",
    "loop_of_blocks_replaces_sometimes": "Only structured control-flow loops",
    "loops_of_blocks": "Only structured control-flow loops are supported",
    "self_loop": "Only structured control-flow loops are supported",
    "switch": "Terminators with more than one successor are not supported",
}
"""Programs for which the pipeline of mlir-opt is not made, and what it says of them."""

NEVER_CLONED = {"call_returns_twice"}
"""Programs with a clone for a case that never comes, which mlir-opt does not make."""

CASES = [
    (program.name, options)
    for options in ("", DYNAMIC_OWNERSHIP)
    for program in PROGRAMS
    if not options or program.has_private_functions
]
"""Programs and options of the pipeline, of which the one is for private functions only."""

RUNNING = [case for case in CASES if case[0] not in NOT_LOWERED]
RUNNING_WITH_PEER = [case for case in RUNNING if case[0] not in PEER_REFUSES]


@cache
def outcomes(
    tools: MlirTools, pipeline: Callable[[str], Pipeline], options: str
) -> dict[str, Outcome]:
    """What comes of all programs with these options, which are run together."""
    programs = [program for program in PROGRAMS if (program.name, options) in CASES]
    return record_programs(tools, programs, pipeline(options))


def recordings(
    tools: MlirTools, pipeline: Callable[[str], Pipeline], options: str, name: str
) -> list[Recording]:
    """What was recorded of each call of the program. Raises why nothing was."""
    return outcomes(tools, pipeline, options)[name].get_recordings()


@pytest.mark.parametrize("pipeline", [with_xdsl, *slow([with_mlir_opt])])
@pytest.mark.parametrize("name, options", RUNNING)
def test_all_is_freed_once_and_not_too_early(
    mlir_tools: MlirTools,
    name: str,
    options: str,
    pipeline: Callable[[str], Pipeline],
):
    if pipeline is with_mlir_opt and name in PEER_REFUSES:
        with pytest.raises(PeerError, match=PEER_REFUSES[name]):
            recordings(mlir_tools, pipeline, options, name)
        return
    for found, leaking in zip(
        recordings(mlir_tools, pipeline, options, name),
        recordings(mlir_tools, with_nothing, "", name),
        strict=True,
    ):
        np.testing.assert_equal(found.results, leaking.results)
        np.testing.assert_equal(found.arguments, leaking.arguments)
        assert not found.errors


@pytest.mark.slow  # mlir-opt and mlir-runner take most of the time
@pytest.mark.parametrize("name, options", RUNNING_WITH_PEER)
def test_no_more_memory_is_used_than_with_mlir_opt(
    mlir_tools: MlirTools, name: str, options: str
):
    for ours, theirs in zip(
        recordings(mlir_tools, with_xdsl, options, name),
        recordings(mlir_tools, with_mlir_opt, options, name),
        strict=True,
    ):
        assert ours.counts.peak_bytes <= theirs.counts.peak_bytes


@pytest.mark.slow  # as above
@pytest.mark.parametrize("name, options", RUNNING_WITH_PEER)
def test_no_more_clones_and_checks_than_with_mlir_opt(
    mlir_tools: MlirTools, name: str, options: str
):
    ours, theirs = (
        outcomes(mlir_tools, pipeline, options)[name].text
        for pipeline in (with_xdsl, with_mlir_opt)
    )
    assert isinstance(ours, str)
    assert isinstance(theirs, str)
    (_, clones, checks), (_, peer_clones, peer_checks) = map(costs_of, (ours, theirs))
    assert clones <= peer_clones + (name in NEVER_CLONED)
    assert checks <= peer_checks


@pytest.mark.parametrize("pipeline", [with_xdsl, *slow([with_mlir_opt])])
@pytest.mark.parametrize("name", NOT_LOWERED)
def test_what_can_not_be_lowered(
    mlir_tools: MlirTools, name: str, pipeline: Callable[[str], Pipeline]
):
    with pytest.raises(PeerError, match=NOT_LOWERED[name]):
        recordings(mlir_tools, pipeline, "", name)


def record(tools: MlirTools, *programs: str) -> list[Recording | PeerError]:
    """What is recorded of functions @f that already free something."""
    calls: list[RecordedCall] = []
    for program in programs:
        module = tools.opt(program)
        inputs = next(inputs_for(function_type(module, "f")))
        calls.append(RecordedCall(module, "f", inputs))
    return run_recorded(tools, calls)


RIGHT = """
func.func @f(%x: f32) -> (memref<4xf32>, memref<2xf32, strided<[2], offset: 1>>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  memref.dealloc %b : memref<8xf32>
  %c = memref.alloc() : memref<2xf32>
  memref.dealloc %c : memref<2xf32>
  %v = memref.subview %a[1] [2] [2]
      : memref<4xf32> to memref<2xf32, strided<[2], offset: 1>>
  return %a, %v : memref<4xf32>, memref<2xf32, strided<[2], offset: 1>>
}
"""


def test_what_is_recorded(mlir_tools: MlirTools):
    [recording] = record(mlir_tools, RIGHT)
    assert isinstance(recording, Recording)
    assert recording.counts._asdict() == {
        "allocs": 3,
        "frees": 3,
        "leaked": 0,
        "double_frees": 0,
        "unknown_frees": 0,
        "late_writes": 0,
        "peak_bytes": 4 * (4 + 8),
    }
    assert not recording.errors
    assert [result.shape for result in recording.results] == [(4,), (2,)]
    assert len(np.unique(np.concatenate(recording.results))) == 1


ALLOC = """
%b = memref.alloc() : memref<2xf32>
memref.store %x, %b[%i] : memref<2xf32>
"""
FREE = "memref.dealloc %b : memref<2xf32>\n"
GLOBAL = """
memref.global "private" @g : memref<2xf32> = dense<0.0>
"""

WRONG = {
    "leaked: 1": ALLOC,
    "double_frees: 1": ALLOC + FREE + FREE,
    "unknown_frees: 1": "memref.dealloc %a : memref<2xf32>\n",
    "leaked: 1, unknown_frees: 2": f"""
      {ALLOC}
      memref.dealloc %a : memref<2xf32>
      %g = memref.get_global @g : memref<2xf32>
      memref.dealloc %g : memref<2xf32>
    """,
    "late_writes: 1": f"{ALLOC + FREE} memref.store %x, %b[%i] : memref<2xf32>\n",
}
"""What is found, and the body of a function that takes a memref."""

WRONG_RESULTS = {
    # It is freed by the function, and by its caller.
    "double_frees: 1": f"{ALLOC + FREE} return %b : memref<2xf32>",
    # It belongs to the caller, who frees what it gets.
    "unknown_frees: 1": "return %a : memref<2xf32>",
}
"""The same for functions that return a memref."""


def wrong_programs() -> Iterator[tuple[str, str]]:
    """What is found, and the program."""
    arguments = "(%a: memref<2xf32>, %x: f32, %i: index)"
    for errors, body in WRONG.items():
        yield errors, f"{GLOBAL} func.func @f{arguments} {{ {body} return }}"
    for errors, body in WRONG_RESULTS.items():
        yield errors, f"func.func @f{arguments} -> memref<2xf32> {{ {body} }}"


def test_what_is_wrong_is_found(mlir_tools: MlirTools):
    errors, programs = zip(*wrong_programs(), strict=True)
    found = record(mlir_tools, *programs)
    assert [r.errors for r in found if isinstance(r, Recording)] == [*errors]


def test_what_is_freed_is_overwritten(mlir_tools: MlirTools):
    [recording] = record(
        mlir_tools,
        """
func.func @f(%x: i32) -> i32 {
  %b = memref.alloc() : memref<i32>
  memref.store %x, %b[] : memref<i32>
  memref.dealloc %b : memref<i32>
  %r = memref.load %b[] : memref<i32>
  return %r : i32
}
""",
    )
    assert isinstance(recording, Recording)
    assert recording.results[0].tobytes() == b"\xa5" * 4


def test_a_program_that_crashes_does_not_take_others_along(mlir_tools: MlirTools):
    crash = """
func.func @f() {
  %false = arith.constant false
  cf.assert %false, "not so"
  return
}
"""
    first, second, third = record(mlir_tools, RIGHT, crash, RIGHT)
    assert isinstance(first, Recording)
    assert isinstance(second, PeerError)
    assert isinstance(third, Recording)
