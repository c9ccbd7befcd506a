"""Programs that do not call this package: passes of xDSL's do what xDSL alone does."""

from __future__ import annotations

import subprocess

import pytest

from tests.processes import XDSL_OPT, run_python
from xdsl_bufferization.host.repairs import VARIABLE
from xdsl_bufferization.universe import ALWAYS

UNUSED = """
func.func @f(%m: memref<?xf32LAYOUT>) {
  %t = bufferization.to_tensor %m restrict : memref<?xf32LAYOUT> to tensor<?xf32>
  func.return
}
"""
LAYOUT = ", strided<[?], offset: ?>"

MLIR = """
func.func @f(%c: i1, %x: f32) -> f32 {
  %r = scf.if %c -> f32 {
    scf.yield %x : f32
  } else {
    scf.yield %x : f32
  }
  func.return %r : f32
}
"""


def xdsl_opt(
    text: str, passes: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    return run_python(XDSL_OPT, "-p", passes, text=text, **variables)


@pytest.mark.parametrize("passes", ["dce", "cse", "canonicalize"])
def test_to_tensor_is_kept(passes: str):
    """xDSL does not know that `bufferization.to_tensor` has no effects."""
    text = UNUSED.replace("LAYOUT", "")
    run = xdsl_opt(text, passes)

    assert "bufferization.to_tensor %m restrict" in run.stdout, run.stderr


def test_to_tensor_is_erased_by_commands_that_call_this_package():
    text = UNUSED.replace("LAYOUT", "")
    run = xdsl_opt(text, "buffer-hoisting,canonicalize")

    assert "func.return" in run.stdout, run.stderr
    assert "to_tensor" not in run.stdout


def test_layouts_are_read_by_every_command():
    """`one-shot-bufferize` prints them, and xDSL's class refuses them."""
    text = UNUSED.replace("LAYOUT", LAYOUT)
    run = xdsl_opt(text, "canonicalize")

    assert f"memref<?xf32{LAYOUT}> to tensor<?xf32>" in run.stdout


@pytest.mark.parametrize(
    "passes, variables, is_read",
    [
        ("canonicalize", {}, False),
        ("canonicalize", {ALWAYS: "0"}, False),
        ("canonicalize", {ALWAYS: "1"}, True),
        ("canonicalize,bufferize", {}, True),
        ("bufferize", {VARIABLE: "1"}, True),
    ],
)
def test_text_of_mlir_is_read_by_commands_that_call_this_package(
    passes: str, variables: dict[str, str], is_read: bool
):
    run = xdsl_opt(MLIR, passes, **variables)

    assert (run.returncode == 0) == is_read, run.stderr
    assert ("func.return" in run.stdout) == is_read


@pytest.mark.slow
def test_targets_call_this_package_too():
    run = xdsl_opt(MLIR, "")
    assert run.returncode != 0
    report = run_python(XDSL_OPT, "-t", "bufferization-report", text=MLIR)

    assert "@f" in report.stdout, report.stderr


_PRODUCT = """
#product = affine_map<(d0)[s0] -> (d0 * s0)>
func.func @f() {
  "test.op"() {map = #product, splat = dense<[0.0, -0.0]> : tensor<2xf32>} : () -> ()
  func.return
}
"""


def test_without_repairs_xdsls_classes_stay_as_they_are():
    repaired = xdsl_opt(_PRODUCT, "bufferize")
    unrepaired = xdsl_opt(_PRODUCT, "bufferize", **{VARIABLE: "1"})

    assert "d0 * s0" in repaired.stdout, repaired.stderr
    assert unrepaired.returncode != 0
