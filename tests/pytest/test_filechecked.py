"""
All programs of the FileCheck tests are refused with a diagnosis, or compute the same after each of
the pipelines, with what they leak remarked upon; and the report on each can be written.
"""

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from tests.fuzzing.filechecked import (
    FILES,
    TRIALS,
    programs_in,
    read,
    wrong,
)
from tests.peer.runner import parse_module
from tests.slow import in_turn
from xdsl_bufferization.transforms.bufferize import BufferizePass

LEFT = {
    # Whether bufferization.dealloc frees memory depends on conditions of the program's own.
    "dialects/bufferization/dealloc_canonicalize.mlir",
    "transforms/buffer-deallocation-simplification.mlir",
}
"""The programs of which that does not hold yet, with what is wrong."""


@pytest.mark.parametrize("trial, file", in_turn(TRIALS, FILES, 18))
def test_programs_are_refused_or_right(trial: str, file: str):
    problems: list[str] = []
    for program in programs_in(file):
        module = read(program)
        if module is not None and str(program) not in LEFT:
            problem = wrong(module, trial)
            problems += [] if problem is None else [f"{program}: {problem}"]
    assert problems == []


PROGRAM = """
func.func @f(%m: memref<4xf32>, %x: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  %r = memref.load %a[%i] : memref<4xf32>
  func.return %r : f32
}
"""


def test_leaks_without_a_remark_are_wrong():
    assert wrong(parse_module(PROGRAM), "bufferize") is None
    found = wrong(parse_module(PROGRAM), "bufferize{free=false}")
    assert found is not None
    assert "leak: 1 buffer of 16 bytes is never freed" in found


def test_refusals_are_right():
    assert wrong(parse_module(PROGRAM), "bufferize{dialect-filter=none}") is None


def test_exceptions_are_wrong(monkeypatch: pytest.MonkeyPatch):
    def apply(self: BufferizePass, ctx: Context, op: ModuleOp) -> None:
        raise KeyError

    monkeypatch.setattr(BufferizePass, "apply", apply)
    assert "KeyError" in (wrong(parse_module(PROGRAM), "bufferize") or "")
