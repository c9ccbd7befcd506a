"""The core, the check of its decisions and the report name no op: they ask interfaces."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from xdsl.universe import XDSL_UNIVERSE

from tests.environments import PROJECT

PACKAGE = PROJECT / "xdsl_bufferization"
FOLDERS = "one_shot", "report", "verification"

ALLOWED = {"bufferization", "builtin", "func"}
"""What One-Shot Bufferize is about: programs, functions, and its own dialect."""

INSERTED = {
    "one_shot/rewriting/bufferizer.py": {"memref"},
    "one_shot/rewriting/op_builder.py": {"arith", "memref"},
    "one_shot/rewriting/tensor_copies.py": {"tensor"},
}
"""The dialects of the ops that the rewrite inserts."""

DIALECTS = {*XDSL_UNIVERSE.all_dialects}
IMPORTED = re.compile(r"(?:xdsl|xdsl_bufferization)\.dialects\.(\w+)")
NAME = re.compile(r"(\w+)\.\w*")

FILES = sorted(
    path.relative_to(PACKAGE).as_posix()
    for folder in FOLDERS
    for path in (PACKAGE / folder).rglob("*.py")
)


def imported_dialects(tree: ast.Module) -> Iterator[str]:
    """The dialects that the file imports, or modules of."""
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{a.name}" for a in node.names)]
        yield from (m[1] for name in names if (m := IMPORTED.match(name)))


def named_dialects(tree: ast.Module) -> Iterator[str]:
    """The dialects of ops whose names, or whose dialect's prefix, are string constants."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            match = NAME.fullmatch(node.value)
            if match and match[1] in DIALECTS:
                yield match[1]


@pytest.mark.parametrize("file", FILES)
def test_no_op_is_named(file: str):
    tree = ast.parse((PACKAGE / Path(file)).read_text())
    allowed = ALLOWED | INSERTED.get(file, set())
    assert {*imported_dialects(tree), *named_dialects(tree)} <= allowed


def test_each_exception_is_needed():
    for file, dialects in INSERTED.items():
        assert {*imported_dialects(ast.parse((PACKAGE / file).read_text()))} >= dialects


@pytest.mark.parametrize(
    "text, dialects",
    [
        ("from xdsl.dialects import scf", {"scf"}),
        ("from xdsl.dialects.scf import ForOp", {"scf"}),
        ("from xdsl_bufferization.dialects.scf import ForallOp", {"scf"}),
        ("import xdsl.dialects.affine", {"affine"}),
        ("op_name(op) == 'scf.for'", {"scf"}),
        ("op_name(op).startswith('linalg.')", {"linalg"}),
        ("'use tensor.extract_slice'", set[str]()),
    ],
)
def test_names_are_found(text: str, dialects: set[str]):
    tree = ast.parse(text)
    assert {*imported_dialects(tree), *named_dialects(tree)} == dialects
