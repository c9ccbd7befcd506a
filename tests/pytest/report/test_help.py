"""Help of the report is followed by script, and what it is about is then gone or smaller."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from xdsl.utils.exceptions import ParseError, VerifyException

from tests.environments import PROJECT
from tests.programs import FAMILIES, generate_program
from tests.pytest.report.followed import (
    CONTEXT,
    ForTheAuthorError,
    Help,
    follow,
    helps,
    measured,
)
from tests.slow import one_in
from xdsl_bufferization.report.experiments import Figures, figures
from xdsl_bufferization.report.model import TensorFunction
from xdsl_bufferization.report.report import report_on
from xdsl_bufferization.report.source import magnitude
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.options import ArgumentAccess
from xdsl_bufferization.support.reading import parse_module
from xdsl_bufferization.transforms.bufferize import BufferizePass

FILES = sorted(
    [
        *(PROJECT / "tests" / "filecheck" / "report").glob("*.mlir"),
        *(PROJECT / "tests" / "filecheck" / "models").rglob("*.mlir"),
        *(PROJECT / "tests" / "filecheck" / "transforms").rglob("*.mlir"),
        *(PROJECT / "examples").rglob("*.mlir"),
    ]
)
LARGE = 20_000
"""Characters of programs that are left out."""


def verify(name: str, text: str) -> int:
    """Follow each line of help about the program; returns how many there are."""
    try:
        module = parse_module(CONTEXT, text, name)
        module.verify()
        given = [*helps(module)]
        before = measured(module)
    except (ParseError, VerifyException, BufferizationError):
        return 0
    for line in given:
        _verify(name, text, line, before)
    return len(given)


def _verify(name: str, text: str, given: Help, before: Mapping[str, Figures]) -> None:
    module = parse_module(CONTEXT, text, name)
    function = given.function
    try:
        after = measured(module, follow(module, given))[function]
    except ForTheAuthorError:
        return
    now = before[function]
    copied = magnitude(now.total) - magnitude(after.total)
    peak = magnitude(now.peak) - magnitude(after.peak)
    if given.kind == "copy":
        assert copied > 0, (name, given)
    elif given.kind == "peak":
        assert peak > 0, (name, given)
    for what, saved in (("copied", copied), ("at the peak", peak)):
        pattern = rf"(?:: |, )([\d,]+) bytes (less|more) {what}"
        if (said := re.search(pattern, given.text)) is not None:
            number = int(said[1].replace(",", ""))
            assert saved == (number if said[2] == "less" else -number), (name, given)


def parts(path: str) -> list[str]:
    """The programs of a file."""
    text = (PROJECT / path).read_text()
    return [p for p in re.split(r"^// -----.*\n", text, flags=re.M) if len(p) < LARGE]


@pytest.mark.parametrize(
    "path", one_in(6, [str(path.relative_to(PROJECT)) for path in FILES[::12]])
)
def test_help_about_programs_can_be_followed(path: str):
    for number, text in enumerate(parts(path)):
        verify(f"{path}:{number}", text)


@pytest.mark.parametrize("seed", one_in(5, range(0, 100, 20)))
def test_help_about_random_programs_can_be_followed(seed: int):
    family = sorted(FAMILIES)[seed % len(FAMILIES)]
    verify(f"random:{seed}", generate_program(seed, [family]).text)


LOOP = """
func.func @f(%t: tensor<64xf32>, %n: index, %x: f32) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %t) -> (tensor<64xf32>) {
    %z = tensor.insert %x into %s[%i] : tensor<64xf32>
    scf.yield %z : tensor<64xf32>
  }
  func.return %r : tensor<64xf32>
}
"""


def test_the_help_about_a_returned_result_of_a_loop_is_to_donate_the_argument():
    texts = {given.text for given in helps(parse_module(CONTEXT, LOOP, "loop"))}
    assert texts == {
        "If callers do not need %t any more, donate it, with the attribute "
        "bufferize.aliasing_result = 0 on that argument: 256 bytes less copied, "
        "256 bytes less at the peak."
    }
    assert verify("loop", LOOP) == 2


CACHES = """
func.func @f(%k: tensor<64xf32>, %v: tensor<64xf32>, %x: f32, %i: index)
    -> (tensor<64xf32>, tensor<64xf32>) {
  %new_k = tensor.insert %x into %k[%i] : tensor<64xf32>
  %new_v = tensor.insert %x into %v[%i] : tensor<64xf32>
  func.return %new_k, %new_v : tensor<64xf32>, tensor<64xf32>
}
"""


@pytest.mark.parametrize("access", ArgumentAccess)
def test_updated_arguments_are_donated_together_and_each_for_its_own_result(
    access: ArgumentAccess,
):
    module = parse_module(CONTEXT, CACHES, "caches")
    options = BufferizePass(arguments=access)
    (function,) = report_on(CONTEXT, module, options).functions
    assert isinstance(function, TensorFunction)
    assert function.memory is not None
    together = (
        "If callers do not need %k, %v any more, donate them, with the attribute "
        "bufferize.aliasing_result = 0 on %k, = 1 on %v: 512 bytes less copied, 512 bytes "
        "less at the peak."
    )
    assert function.memory.advice == [together]
    if access is ArgumentAccess.WRITABLE:
        for copy, name in zip(function.copies, "kv", strict=True):
            assert copy.advice[0] == together
            assert copy.advice[1].startswith(f"If callers do not need %{name} any more")
        assert verify("caches", CACHES) == 5


ARENA = """
func.func @f({argument}) {{
  %c0 = arith.constant 0 : index
  {allocation}
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
  linalg.exp ins(%a : memref<16xf32>) outs(%a : memref<16xf32>)
  func.return
}}
"""


@pytest.mark.parametrize(
    ("argument", "allocation"),
    [
        ("", "%arena = memref.alloc() : memref<64xi8>"),
        ("%arena: memref<64xi8> {bufferize.arena = 64 : i64}", ""),
    ],
)
def test_an_arena_counts_once_in_the_peaks_that_are_compared(
    argument: str, allocation: str
):
    text = ARENA.format(argument=argument, allocation=allocation)
    (found,) = figures(parse_module(CONTEXT, text, "arena"), lambda op: op).values()
    assert magnitude(found.peak) == 64
