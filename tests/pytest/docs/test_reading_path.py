"""The path through One-Shot Bufferize in docs/architecture.md: its length, and what is on it."""

from __future__ import annotations

import ast
import re

import pytest

from tests.environments import PROJECT

DOCUMENT = (PROJECT / "docs" / "architecture.md").read_text()
SECTION = DOCUMENT.split("## One-Shot Bufferize in an afternoon\n")[1].split("\n## ")[0]
PATH: list[str] = re.findall(r"^\d+\. `([\w/]+\.py)`", SECTION, re.M)
SIDE_PATHS: list[str] = re.findall(
    r"`([\w/]+\.py)`", SECTION.split("Two side paths")[1].split("\n\n")[0]
)


def source(file: str) -> str:
    return (PROJECT / "xdsl_bufferization" / file).read_text()


def test_the_path_has_no_more_than_5000_lines():
    assert len(PATH) > 15
    assert sum(len(source(file).splitlines()) for file in PATH) <= 5000


@pytest.mark.parametrize("file", [*PATH, *SIDE_PATHS])
def test_each_file_opens_with_a_program(file: str):
    docstring = ast.get_docstring(ast.parse(source(file)))
    assert docstring is not None
    assert re.search(r"^    .*%\w", docstring, re.M)
