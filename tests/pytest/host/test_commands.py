"""Texts with mistakes and deep programs in commands that call this package."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from random import Random

import pytest
from xdsl.parser import AttrParser
from xdsl.xdsl_opt_main import xDSLOptMain

from tests.environments import PROJECT
from xdsl_bufferization.semantics.checking.command import main as check_main

PROGRAMS = sorted((PROJECT / "tests" / "filecheck" / "models").rglob("*.mlir"))


def message_of(path: Path, text: str, pipeline: str = "bufferize") -> str | None:
    """How the command ends with a program of this text; `None` if it accepts it."""
    path.write_text(text)
    arguments = [str(path), "-p", pipeline, "--allow-unregistered-dialect"]
    try:
        xDSLOptMain(args=arguments).run()
    except SystemExit as end:
        return str(end.code)
    return None


@pytest.mark.parametrize("seed", range(4))
def test_damaged_texts_end_with_a_message(seed: int, tmp_path: Path):
    random = Random(seed)
    told = 0
    for path in random.sample(PROGRAMS, 12):
        text = re.sub("^//.*\n", "", path.read_text(), flags=re.MULTILINE)
        start = random.randrange(len(text))
        end = start + random.choice((1, 3, len(text)))
        message = message_of(tmp_path / "text.mlir", text[:start] + text[end:])
        if message is not None:
            assert message.startswith("error: ")
            told += 1
    assert told


def conditionals(depth: int) -> str:
    values = range(depth)
    starts = (f"%{i} = scf.if %c -> (tensor<4xf32>) {{\n" for i in values)
    ends = (
        "} else {\nscf.yield %t : tensor<4xf32>\n}\n"
        + (f"scf.yield %{i} : tensor<4xf32>\n" if i else "")
        for i in reversed(values)
    )
    return f"""
func.func @f(%c: i1, %t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {{
{"".join(starts)}
%s = tensor.insert %x into %t[%i] : tensor<4xf32>
scf.yield %s : tensor<4xf32>
{"".join(ends)}
func.return %0 : tensor<4xf32>
}}"""


def test_programs_are_nested_deeply(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    limit = sys.getrecursionlimit()

    assert message_of(tmp_path / "deep.mlir", conditionals(300)) is None
    assert "memref.store" in capsys.readouterr().out
    assert sys.getrecursionlimit() == limit


def test_programs_that_are_nested_too_deeply(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "deep.mlir"

    message = message_of(path, conditionals(2000))

    assert message is not None
    assert message.startswith("error: the program is nested too deeply for Python's")
    assert "hint: " in message
    assert check_main([str(path)]) == 2
    assert "nested too deeply" in capsys.readouterr().err


def test_an_exception_of_the_parser_has_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def fail(*_: object) -> None:
        raise KeyError("key")

    monkeypatch.setattr(AttrParser, "parse_optional_symbol_name", fail)
    message = message_of(tmp_path / "text.mlir", "\n func.func @f() { func.return }")

    assert message is not None
    assert message.startswith("error: KeyError: 'key', at ")
    assert "text.mlir:2:12" in message
