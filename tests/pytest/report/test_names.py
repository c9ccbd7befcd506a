"""Names, lines and files that hold anything are harmless in every report."""

from __future__ import annotations

import json
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.slow import in_turn
from tests.xdsl_opt import forked_commands, run_xdsl_opt
from xdsl_bufferization.report.source import Note, SourceRange
from xdsl_bufferization.report.writer import Writer
from xdsl_bufferization.semantics.checking.command import main as check

ODD = "\nerror: fake\x1b[31m\"<script>'|\\ü\u202e"
"""What names hold."""
LITERAL = r"\0Aerror: fake\1B[31m\22<script>'|\\\C3\BC\E2\80\AE"
"""The same as MLIR prints it."""
ASCII = r"\0Aerror: fake\1B[31m\22<script>'|\\"
"""Without what xDSL refuses in string attributes, names of attributes and ops, and locations."""

TENSORS = f"""
"builtin.module"() ({{
func.func private @"callee{LITERAL}"() {{
  func.return
}}
func.func @"function{LITERAL}"(%t: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, f32)
    attributes {{"attribute{ASCII}" = "value{LITERAL}"}} {{
  %w = tensor.insert %x into %t[%i] {{"{ASCII}" = "{LITERAL}"}} : tensor<4xf32> // \x1b[31m\u202e
  %r = tensor.extract %t[%i] : tensor<4xf32> loc("location{ASCII}":1:2)
  func.return %w, %r : tensor<4xf32>, f32
}}
}}) {{sym_name = "module{ASCII}"}} : () -> ()
"""

MEMREFS = f"""
func.func private @"callee{LITERAL}"() {{
  func.return
}}
func.func @"function{LITERAL}"(%i: index) -> memref<4xf32, "space{LITERAL}"> {{
  func.call @"callee{LITERAL}"() : () -> ()
  %m = memref.alloc() : memref<4xf32, "space{LITERAL}">
  "my.op{ASCII}"(%m) : (memref<4xf32, "space{LITERAL}">) -> () // \x1b[31m\u202e
  func.return %m : memref<4xf32, "space{LITERAL}">
}}
"""


def odd_file(directory: Path, text: str) -> Path:
    """A file of the text, whose name is odd, too."""
    path = directory / f"file{ODD}.mlir"
    path.write_text(text)
    return path


def unprintable(text: str) -> set[str]:
    return {c for c in text if c != "\n" and not c.isprintable()}


def is_harmless(text: str) -> bool:
    """Whether nothing but printable lines is in it, none of which is an error."""
    lines = text.split("\n")
    return not unprintable(text) and not any(s.startswith("error: fake") for s in lines)


@pytest.mark.parametrize("program", [TENSORS, MEMREFS], ids=["tensors", "memrefs"])
@pytest.mark.parametrize(
    "changed, form",
    in_turn([False, True], ["text", "remarks", "sarif", "json", "html"]),
)
def test_reports(tmp_path: Path, program: str, changed: bool, form: str):
    output = run_xdsl_opt(
        odd_file(tmp_path, program),
        "--allow-unregistered-dialect",
        *(("-p", "drop-equivalent-buffer-results,cse") if changed else ()),
        "-t",
        f"bufferization-report{{format={form}}}",
    )

    assert is_harmless(output)
    if form in ("text",):
        assert f'@"function{LITERAL}"' in output or f'::"function{LITERAL}"' in output


def test_json_has_the_names_as_they_are(tmp_path: Path):
    output = run_xdsl_opt(
        odd_file(tmp_path, TENSORS), "-t", "bufferization-report{format=json}"
    )

    names = [function["name"] for function in json.loads(output)["functions"]]
    assert any(name.endswith(f"::function{ODD}") for name in names)


def test_marks_below_long_names_are_as_long_as_what_is_quoted(tmp_path: Path):
    name = "o" * 1000
    program = f"""
    func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {{
      %w = "my.{name}"(%t) : (tensor<4xf32>) -> tensor<4xf32>
      func.return %w : tensor<4xf32>
    }}
    """
    run = subprocess.run(
        [
            forked_commands() / "xdsl-opt",
            odd_file(tmp_path, program),
            "--allow-unregistered-dialect",
            "-p",
            "bufferize",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    writer = Writer("p.mlir", colored=False)
    writer.quote([Note("here", SourceRange(1, 3, len(name), f"  {name}"))])

    for text in run.stderr, writer.text:
        (mark,) = (line for line in text.splitlines() if "^" in line)
        assert len(mark) < 150


class _Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.scripts = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.scripts += tag == "script"


@pytest.mark.parametrize("program", [TENSORS, MEMREFS], ids=["tensors", "memrefs"])
def test_html_has_no_elements_from_the_program(tmp_path: Path, program: str):
    output = run_xdsl_opt(
        odd_file(tmp_path, program),
        "--allow-unregistered-dialect",
        "-t",
        "bufferization-report{format=html}",
    )

    elements = _Elements()
    elements.feed(output)
    assert elements.scripts == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("-p", "bufferize"),
        ("-p", "plan-static-memory{print-plan=true}"),
        ("-t", "bufferization-report{function=g}"),
        ("-p", 'one-shot-bufferize{no-analysis-func-filter="g" copy-before-write}'),
    ],
)
def test_messages(tmp_path: Path, arguments: tuple[str, ...]):
    text = f"""
    func.func @"f{LITERAL}"(%t: tensor<4xf32>) -> tensor<4xf32> {{
      %w = "my.op{ASCII}"(%t) : (tensor<4xf32>) -> tensor<4xf32> // \x1b[31m
      func.return %w : tensor<4xf32>
    }}
    func.func @"m{LITERAL}"() {{
      %m = memref.alloc() : memref<4xf32, "space{LITERAL}">
      memref.dealloc %m : memref<4xf32, "space{LITERAL}">
      func.return
    }}
    """

    run = subprocess.run(
        [
            forked_commands() / "xdsl-opt",
            odd_file(tmp_path, text),
            "--allow-unregistered-dialect",
            *arguments,
        ],
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.stderr
    assert "Traceback" not in run.stderr
    assert is_harmless(run.stderr)


@pytest.mark.parametrize(
    "text, arguments",
    [
        (TENSORS, ()),
        (TENSORS, ("--function", ODD)),
        (f'"my.op{ASCII}"() : () -> ()', ()),
        (f'func.func @"f{LITERAL}"() {{ func.return %x : i32 }}', ()),
        (f"""func.func @"f{LITERAL}"(%t: tensor<4xf32>) -> tensor<4xf32> {{
          %w = "my.op{ASCII}"(%t) : (tensor<4xf32>) -> tensor<4xf32> // \x1b[31m
          func.return %w : tensor<4xf32>
        }}""", ("--allow-unregistered-dialect", "-p", "cse")),
    ],
    ids=["right", "no such function", "unregistered", "undefined", "refused"],
)  # fmt: skip
def test_bufferization_check(
    tmp_path: Path,
    text: str,
    arguments: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
):
    check([str(odd_file(tmp_path, text)), *arguments])

    shown = capsys.readouterr()
    assert is_harmless(shown.out)
    assert is_harmless(shown.err)
    assert shown.out or shown.err
