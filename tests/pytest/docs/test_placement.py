"""What docs/placement.md says of passes, options and the planner is what happens."""

import dataclasses
import re
from pathlib import Path

import pytest
from xdsl.universe import Universe

from tests.documents import Document, prepare, run
from tests.environments import PROJECT

DOCUMENT = Document(PROJECT / "docs" / "placement.md")
PIPELINE = re.findall(r"^    (xdsl-opt .*) program.mlir$", DOCUMENT.text, re.M)[0]
PASSES: list[str] = re.findall(r"^\| `([a-z-]+)` \| [^`|]+ \|$", DOCUMENT.text, re.M)


@pytest.mark.parametrize("program", DOCUMENT.files)
def test_all_passes_together(program: str, tmp_path: Path):
    prepare(DOCUMENT, tmp_path)

    # Remarks quote the program as it was.
    done = run(f"{PIPELINE} {program} 2> /dev/null", tmp_path)

    assert done.returncode == 0, done.stdout
    assert "tensor<" not in done.stdout


def test_the_passes_are_there():
    assert len(PASSES) == 6
    assert {*PASSES} <= {*Universe.get_multiverse().all_passes}


def test_each_option_is_listed_with_its_default():
    rows = re.findall(
        r"^\| (?:`([a-z-]+)`)? ?\| `([a-z-]+)` \| (?:`([^`]+)`)? ?\|",
        DOCUMENT.text,
        re.M,
    )
    listed: list[tuple[str, str, str]] = []
    for name, option, default in rows:
        listed.append((name or listed[-1][0], option, default))

    all_passes = Universe.get_multiverse().all_passes
    assert sorted(listed) == sorted(
        (
            name,
            field.name.replace("_", "-"),
            "" if field.default == () else str(field.default).lower(),
        )
        for name in PASSES
        for field in dataclasses.fields(all_passes[name]())
    )


def test_the_planner():
    layout, code = DOCUMENT.blocks("python")
    exec(layout, {"__name__": "layouts"})
    exec(code, {})
