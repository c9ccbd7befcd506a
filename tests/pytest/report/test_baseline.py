"""Limits with a baseline: a new copy does not take the place of an old one."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

from tests.xdsl_opt import run_xdsl_opt
from xdsl_bufferization.report.target import BufferizationReportTarget
from xdsl_bufferization.support.diagnostics import BufferizationError, OutputError
from xdsl_bufferization.support.reading import context_of_all_dialects, parse_module

UPDATE = """
  %{n}0 = tensor.insert %x into %t[%{i}] : tensor<8xf32>
  %{n}1 = tensor.extract %t[%{i}] : tensor<8xf32>
  %{n}2 = tensor.extract %{n}0[%{i}] : tensor<8xf32>
  %{n}3 = arith.addf %{n}1, %{n}2 : f32
"""
"""An avoidable copy of %t."""
OTHER = """
  %s = tensor.splat %x : tensor<4xf32>
  %o = tensor.insert_slice %s into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %o_old = tensor.extract %t[%i] : tensor<8xf32>
  %o_new = tensor.extract %o[%i] : tensor<8xf32>
"""
"""Other copies."""


def program(*parts: str) -> str:
    arguments = "%t: tensor<8xf32>, %i: index, %j: index, %x: f32"
    return f"func.func @f({arguments}) {{{''.join(parts)}  func.return\n}}\n"


def update(name: str, index: str = "i") -> str:
    return UPDATE.format(n=name, i=index)


def emitted(text: str, baseline: Path | None, output: StringIO, **options: object):
    target = BufferizationReportTarget(
        baseline="" if baseline is None else str(baseline),
        eliminate_copies=False,
        **options,  # pyright: ignore[reportArgumentType]
    )
    context = context_of_all_dialects()
    target.emit(context, parse_module(context, text, "program.mlir"), output)


def saved(text: str, path: Path) -> Path:
    output = StringIO()
    emitted(text, None, output, format="json")
    path.write_text(output.getvalue())
    return path


LIMITS = [{"fail_on": "avoidable-copies"}, {"max_bytes_copied": 0}]


@pytest.mark.parametrize("limit", LIMITS, ids=["fail-on", "max-bytes-copied"])
def test_copies_of_the_baseline_do_not_count(limit: dict[str, object], tmp_path: Path):
    baseline = saved(program(update("1")), tmp_path / "report.json")
    with pytest.raises(OutputError):
        emitted(program(update("1")), None, StringIO(), **limit)
    emitted(program(update("1")), baseline, StringIO(), **limit)
    # In another line, and with another number.
    moved = program("\n  %0 = arith.constant 0 : index\n\n", update("5"))
    emitted(moved, baseline, StringIO(), **limit)
    # One less.
    emitted(program(), baseline, StringIO(), **limit)


@pytest.mark.parametrize("limit", LIMITS, ids=["fail-on", "max-bytes-copied"])
@pytest.mark.parametrize(
    "changed, found",
    [
        (program(OTHER), "tensor.insert_slice at program.mlir:3:"),
        (program(update("1", "j")), "tensor.insert at program.mlir:2:"),
        (program(update("1"), update("2")), "tensor.insert at program.mlir:"),
    ],
    ids=["another op", "another place", "one more of the same"],
)
def test_a_new_copy_does_not_take_the_place_of_an_old_one(
    changed: str, found: str, limit: dict[str, object], tmp_path: Path
):
    baseline = saved(program(update("1")), tmp_path / "report.json")
    with pytest.raises(OutputError, match=f"new .*: {found}"):
        emitted(changed, baseline, StringIO(), **limit)


LOOP = """
func.func @f(%t: tensor<8xf32>, %i: index, %x: f32) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {n} : index
  scf.for %k = %c0 to %n step %c1 {{
    %set = tensor.insert %x into %t[%i] : tensor<8xf32>
    %y = tensor.extract %set[%k] : tensor<8xf32>
    %z = tensor.extract %t[%k] : tensor<8xf32>
    vector.print %y : f32
    vector.print %z : f32
  }}
  func.return
}}
"""


def test_a_copy_that_is_made_more_often_is_new(tmp_path: Path):
    baseline = saved(LOOP.format(n=4), tmp_path / "report.json")
    emitted(LOOP.format(n=3), baseline, StringIO(), max_bytes_copied=0)
    with pytest.raises(OutputError, match="160 new bytes are copied"):
        emitted(LOOP.format(n=5), baseline, StringIO(), max_bytes_copied=0)


def test_a_baseline_of_several_parts(tmp_path: Path):
    source = tmp_path / "program.mlir"
    source.write_text(f"{program(update('1'))}// -----\n{program(OTHER)}")
    options = "eliminate-copies=false"
    target = f"bufferization-report{{format=json {options}}}"
    baseline = tmp_path / "report.json"
    baseline.write_text(run_xdsl_opt("-t", target, str(source), "--split-input-file"))
    limited = f'fail-on=avoidable-copies baseline="{baseline}" {options}'
    target = f"bufferization-report{{format=remarks {limited}}}"
    assert "avoidable" in run_xdsl_opt("-t", target, str(source), "--split-input-file")


@pytest.mark.parametrize(
    "content, problem",
    [
        (None, "No such file"),
        ("{", "it is no report of format=json"),
        ('{"functions": [{"name": "f"}]}', "it is no report of format=json"),
        ("3", "it is no report of format=json"),
    ],
)
def test_a_baseline_that_cannot_be_read(
    content: str | None, problem: str, tmp_path: Path
):
    path = tmp_path / "report.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(BufferizationError, match=problem):
        emitted(program(), path, StringIO(), fail_on="avoidable-copies")


def test_no_baseline_is_needed():
    emitted(program(), None, StringIO(), fail_on="avoidable-copies")
