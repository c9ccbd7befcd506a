"""The command `bufferization-check` as its users call it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from xdsl_bufferization.semantics.checking.command import main

BUFFERIZE = "one-shot-bufferize{bufferize-function-boundaries=true}"

BEFORE = """
func.func @first(%t: tensor<?xf32>, %x: f32) -> (tensor<?xf32>, f32) {
  %i = arith.constant 0 : index
  %r = tensor.insert %x into %t[%i] : tensor<?xf32>
  %old = tensor.extract %t[%i] : tensor<?xf32>
  func.return %r, %old : tensor<?xf32>, f32
}
func.func @second(%x: f32) -> f32 {
  func.return %x : f32
}
"""
WRONG = """
func.func @first(%t: memref<?xf32>, %x: f32) -> (memref<?xf32>, f32) {
  %i = arith.constant 0 : index
  memref.store %x, %t[%i] : memref<?xf32>
  %old = memref.load %t[%i] : memref<?xf32>
  func.return %t, %old : memref<?xf32>, f32
}
func.func @second(%x: f32) -> f32 {
  func.return %x : f32
}
"""


@pytest.fixture
def before(tmp_path: Path) -> str:
    path = tmp_path / "before.mlir"
    path.write_text(BEFORE)
    return str(path)


@pytest.fixture
def wrong(tmp_path: Path) -> str:
    path = tmp_path / "after.mlir"
    path.write_text(WRONG)
    return str(path)


def test_a_pipeline_that_is_right(before: str, capsys: pytest.CaptureFixture[str]):
    assert main([before, "-p", f"{BUFFERIZE},buffer-deallocation-pipeline"]) == 0

    printed = capsys.readouterr().out
    assert "@first: 4 inputs" in printed
    assert "@second: 4 inputs" in printed
    assert "before and after compute the same" in printed


def test_without_a_pipeline_it_is_bufferize(
    before: str, capsys: pytest.CaptureFixture[str]
):
    assert main([before]) == 0
    assert main([before, "-p", "bufferize"]) == 0

    by_default, bufferized = capsys.readouterr().out.split("compute the same\n")[:2]
    assert by_default == bufferized
    assert "allocations                    0               1" in by_default


def test_modules_within_the_module_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "nested.mlir"
    path.write_text(f"{BEFORE}module @inner {{{BEFORE}}}")
    assert main([str(path)]) == 0

    printed = capsys.readouterr().out
    assert printed.endswith(
        "not checked, in a module within the module: @inner::first, @inner::second\n"
    )
    assert main([str(path), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["left_out"] == ["inner::first", "inner::second"]


def test_ops_without_semantics_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "unknown.mlir"
    path.write_text("""
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %r = "test.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
""")
    assert main([str(path), "-p", "cse"]) == 1

    printed = capsys.readouterr().out
    assert "@f: missing semantics: 'test.op': has no semantics here; " in printed
    assert "by --semantics of bufferization-check" in printed
    assert f"at: {path}:3:8: in @f" in printed


def test_two_files(before: str, wrong: str, capsys: pytest.CaptureFixture[str]):
    assert main([before, wrong, "--size", "0.0=3", "--arg", "1=2.5"]) == 1

    printed = capsys.readouterr().out
    assert "@first: difference: result 1 is" in printed
    assert "2.5 after" in printed
    assert f"at: {wrong}:2:1: in @first" in printed
    assert "  0: 3 of float32: [" in printed
    assert "  1: 2.5" in printed


def test_json(before: str, wrong: str, capsys: pytest.CaptureFixture[str]):
    assert main([before, wrong, "--json", "--size", "2000", "--arg", "1=inf"]) == 1

    report = json.loads(capsys.readouterr().out)
    problem = report["functions"][0]["problem"]
    assert problem["kind"] == "difference"
    assert problem["actual"] == "inf"
    assert len(problem["inputs"][0]) == 2000
    assert problem["inputs"][0][0] == problem["expected"]


def test_one_function(before: str, wrong: str, capsys: pytest.CaptureFixture[str]):
    assert main([before, wrong, "--function", "second", "--runs", "1"]) == 0

    assert "@second: 1 input\n" in capsys.readouterr().out


def test_leaks(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "leaking.mlir"
    path.write_text("""
    func.func @f(%t: tensor<4xf32>, %x: f32) -> (f32, f32) {
      %i = arith.constant 0 : index
      %u = tensor.insert %x into %t[%i] : tensor<4xf32>
      %new = tensor.extract %u[%i] : tensor<4xf32>
      %old = tensor.extract %t[%i] : tensor<4xf32>
      func.return %new, %old : f32, f32
    }""")
    before = str(path)

    assert main([before, "-p", BUFFERIZE]) == 0
    assert main([before, "-p", BUFFERIZE, "--leaks=error"]) == 1
    freed = f"{BUFFERIZE},buffer-deallocation-pipeline"
    assert main([before, "-p", freed, "--leaks=report"]) == 0
    printed = capsys.readouterr().out
    assert "1 buffer of 16 bytes is never freed" in printed


def test_refused_by_the_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "unknown.mlir"
    path.write_text('%t = "mine.tensor"() : () -> tensor<4xf32>\n')

    arguments = [str(path), "-p", BUFFERIZE, "--allow-unregistered-dialect"]

    assert main(arguments) in (1, 2)
    assert "bufferization-check: " in capsys.readouterr().err


def test_own_semantics(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    program = tmp_path / "mine.mlir"
    program.write_text("""
    func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
      %r = "mine.double"(%t) : (tensor<4xf32>) -> tensor<4xf32>
      func.return %r : tensor<4xf32>
    }""")
    (tmp_path / "semantics_of_mine.py").write_text("""
from xdsl.interpreter import register_impls
from xdsl_bufferization.semantics.interpreter import Functions, impl_named

@register_impls
class Mine(Functions):
    @impl_named("mine.double")
    def double(self, interpreter, op, operands):
        return (operands[0] + operands[0],)
""")
    monkeypatch.chdir(tmp_path)
    arguments = [str(program), str(program), "--allow-unregistered-dialect"]

    assert main(arguments) == 1
    assert "mine.double" in capsys.readouterr().out
    assert main([*arguments, "--semantics", "semantics_of_mine:Mine"]) == 0


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["FILE", "-p", "canonicalize"], "give one file, with -p PIPELINE if not"),
        (["--runs", "0", "FILE"], "0 is less than 1"),
        (["--size", "x", "FILE"], "--size takes N or ARG.DIM=N, not 'x'"),
        (["--seed", "-1", "FILE"], "-1 is less than 0"),
        (["--size", "9" * 20, "FILE"], f"@first: argument 0 of sizes [{'9' * 20}] is"),
        (["--arg", "1", "FILE"], "--arg takes I=VALUE or I=FILE.npy, not '1'"),
        (
            ["--arg", "0=1", "FILE"],
            "@first: argument 0, of type 'tensor<?xf32>', is no scalar, so it cannot be 1",
        ),
        (["missing.mlir"], "missing.mlir: No such file"),
        (["--function", "frist", "FILE"], "with a body; did you mean 'first'?"),
        (["--function", "other", "FILE"], "with a body; there are: @first"),
        (["--semantics", "nowhere:X", "FILE"], "No module named 'nowhere'"),
        (["--leaks", "maybe", "FILE"], "invalid choice"),
        (["FILE", "FILE"], "give one file, with -p PIPELINE if not"),
    ],
)
def test_wrong_usage(
    before: str, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
):
    given = [before, *(before if a == "FILE" else a for a in arguments)]

    try:
        status = main(given)
    except SystemExit as exit:
        status = exit.code

    assert status == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("pipeline", ["no-such-pass", "one-shot-bufferize{"])
def test_no_pipeline(before: str, pipeline: str, capsys: pytest.CaptureFixture[str]):
    assert main([before, "-p", pipeline]) == 2

    assert "bufferization-check: " in capsys.readouterr().err


def test_no_module(before: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "broken.mlir"
    path.write_text("func.func @f(")

    assert main([before, str(path)]) == 2

    assert "broken.mlir" in capsys.readouterr().err


def test_a_module_that_is_not_valid(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "twice.mlir"
    path.write_text("func.func private @f()\nfunc.func private @f()\n")

    assert main([str(path)]) == 2

    printed = capsys.readouterr().err
    assert "'func.func' is not valid: Redefinition of symbol \"f\"" in printed
    assert f"at: {path}:2:1" in printed


@pytest.mark.parametrize("package", ["ml_dtypes", "numpy"])
def test_packages_that_are_not_installed(before: str, package: str):
    program = (
        f"import sys; sys.modules[{package!r}] = None\n"
        "from xdsl_bufferization.semantics.checking.command import main\n"
        f"sys.exit(main([{before!r}, '-p', 'canonicalize']))"
    )

    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )

    assert run.returncode == 2
    assert run.stderr == (
        f"bufferization-check: {package} is not installed: "
        "pip install 'xdsl-bufferization[check]'\n"
    )


def test_the_installed_command(before: str):
    command = Path(sys.executable).with_name("bufferization-check")

    run = subprocess.run(
        [command, before, before], capture_output=True, text=True, check=False
    )

    assert run.returncode == 0, run.stderr
    assert run.stderr == ""


def test_a_closed_pipe(before: str):
    """Who stops reading the report sees no traceback."""
    command = Path(sys.executable).with_name("bufferization-check")

    with subprocess.Popen(
        [command, before, before],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        assert run.stdout is not None
        run.stdout.close()
        assert run.stderr is not None
        assert run.stderr.read() == ""

    assert run.returncode == 1


HUGE = """
func.func @argument(%t: tensor<9223372036854775807xf32>) {
  func.return
}
func.func @empty(%i: index) -> f32 {
  %t = tensor.empty() : tensor<1000000000000000xf32>
  %x = tensor.extract %t[%i] : tensor<1000000000000000xf32>
  func.return %x : f32
}
func.func @alloc(%i: index) -> f32 {
  %m = memref.alloc() : memref<9223372036854775807x9223372036854775807xf32>
  %x = memref.load %m[%i, %i] : memref<9223372036854775807x9223372036854775807xf32>
  func.return %x : f32
}
func.func @unknown(%x: f32) -> f32 {
  %y = "test.op"(%x) : (f32) -> f32
  func.return %y : f32
}
"""


@pytest.mark.parametrize(
    "function, status, message",
    [
        ("argument", 2, "there are no inputs for @argument"),
        ("empty", 1, "the last time with: needs more memory than there is"),
        ("alloc", 1, "the last time with: needs more memory than there is"),
        ("unknown", 1, "'test.op'"),
    ],
)
def test_programs_that_can_not_run(
    function: str,
    status: int,
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
):
    path = tmp_path / "huge.mlir"
    path.write_text(HUGE)

    assert main([str(path), "-p", "cse", "--function", function]) == status

    captured = capsys.readouterr()
    assert message in captured.out + captured.err
