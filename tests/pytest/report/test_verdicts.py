"""What the report calls forced and avoidable, at any size, and that it is consistent."""

from __future__ import annotations

from io import StringIO

import pytest
from xdsl.context import Context

from tests.peer import MlirTools
from tests.peer.runner import parse_module
from tests.programs import FAMILIES
from tests.pytest.report.reports import copies_in, programs, report, report_of
from tests.slow import exhaustive, one_in, slow
from xdsl_bufferization.report.model import Copy, TensorFunction
from xdsl_bufferization.report.target import BufferizationReportTarget
from xdsl_bufferization.support.diagnostics import OutputError

READ_LATER = """
func.func @f(%t: tensor<SIZExf32>, %i: index, %x: f32) -> (f32, f32) {
  %set = tensor.insert %x into %t[%i] : tensor<SIZExf32>
  %old = tensor.extract %t[%i] : tensor<SIZExf32>
  %new = tensor.extract %set[%i] : tensor<SIZExf32>
  func.return %old, %new : f32, f32
}
"""
"""The copy of %t is avoidable: the first extraction may come before the insertion."""

TWO_VERSIONS = """
func.func private @external(tensor<SIZExf32>, tensor<SIZExf32>)
func.func @f(%t: tensor<SIZExf32>, %i: index, %x: f32, %y: f32) {
  %a = tensor.insert %x into %t[%i] : tensor<SIZExf32>
  %b = tensor.insert %y into %t[%i] : tensor<SIZExf32>
  func.call @external(%a, %b) : (tensor<SIZExf32>, tensor<SIZExf32>) -> ()
  func.return
}
"""
"""What is called needs both at once."""

MAY_BE_WRITTEN = """
func.func private @external(tensor<SIZExf32>)
func.func @f(%t: tensor<SIZExf32>, %i: index, %x: f32) -> f32 {
  %a = tensor.insert %x into %t[%i] : tensor<SIZExf32>
  %b = tensor.insert %x into %t[%i] : tensor<SIZExf32>
  func.call @external(%a) : (tensor<SIZExf32>) -> ()
  %r = tensor.extract %b[%i] : tensor<SIZExf32>
  func.return %r : f32
}
"""
"""What is called may write %a."""


def emitted(text: str, **options: object) -> str:
    """The report, with the error behind it if there is one."""
    output = StringIO()
    target = BufferizationReportTarget(eliminate_copies=False, **options)  # pyright: ignore[reportArgumentType]
    try:
        target.emit(Context(), parse_module(text), output)
    except OutputError as error:
        return f"{output.getvalue()}error: {error}"
    return output.getvalue()


@pytest.mark.parametrize("size", ["8", "?"])
@pytest.mark.parametrize(
    "text, verdict, fails",
    [
        (READ_LATER, "avoidable", True),
        (TWO_VERSIONS, "forced", False),
        (MAY_BE_WRITTEN, "unknown", False),
    ],
    ids=["avoidable", "forced", "unknown"],
)
def test_verdicts_do_not_depend_on_the_size(
    text: str, verdict: str, fails: bool, size: str
):
    said = emitted(text.replace("SIZE", size), fail_on="avoidable-copies")
    assert f"\n  {verdict}: " in said
    assert ("fail-on=avoidable-copies: 1 copy is avoidable" in said) == fails
    assert not fails or ("of unknown size" in said.splitlines()[-1]) == (size == "?")


def test_a_copy_that_a_call_may_need_is_not_called_avoidable():
    (copy,) = copies_in(report(parse_module(MAY_BE_WRITTEN.replace("SIZE", "8"))))
    assert copy.verdict == "unknown"
    assert "both start from %t, so that one of them needs a copy" in copy.verdict_reason
    assert not copy.advice


def contradictions(copy: Copy) -> list[str]:
    """What is said of a copy that does not go together."""
    found: list[str] = []
    if (
        "must not be written" in copy.reason
        and "can be computed" in copy.verdict_reason
    ):
        found.append("it is computed in memory that must not be written")
    if (copy.verdict == "avoidable") != bool(
        copy.advice or (copy.verdict == "avoidable" and copy.verdict_reason)
    ):
        found.append("it is avoidable if and only if a way is known")
    if "needs a copy" in copy.verdict_reason and copy.verdict != "unknown":
        found.append("one of two ops needs a copy")
    return found


@pytest.mark.parametrize(
    "seeds", [range(1), *slow([range(1, 2)]), *exhaustive([range(2, 5)])]
)
@pytest.mark.parametrize("family", one_in(9, FAMILIES))
def test_verdict_reason_and_advice_agree(
    family: str, seeds: range, mlir_tools: MlirTools
):
    for text in programs(mlir_tools, family, seeds):
        reported = report_of(text)
        for copy in copies_in(reported):
            assert not contradictions(copy), copy
        for function in reported.functions:
            for copy in (
                function.eliminated if isinstance(function, TensorFunction) else ()
            ):
                assert copy.verdict == "avoidable"
                assert copy.verdict_reason
                assert "needs a copy" not in copy.verdict_reason
