"""What docs/placement.md says of commands, options and the planner is what happens."""

import dataclasses
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from xdsl.universe import Universe

from tests.environments import PROJECT

TEXT = (PROJECT / "docs" / "placement.md").read_text()
PROGRAMS = dict(
    re.findall(r"^`(\w+\.mlir)`:\n\n```mlir\n(.*?)^```$", TEXT, re.M | re.S)
)
SESSIONS: list[tuple[str, str]] = re.findall(
    r"^```console\n\$ ([^\n]*)\n(.*?)^```$", TEXT, re.M | re.S
)
(PIPELINE,) = re.findall(r"^    (xdsl-opt .*) program.mlir$", TEXT, re.M)
PASSES: list[str] = re.findall(r"^\| `([a-z-]+)` \| [^`|]+ \|$", TEXT, re.M)


def run(command: str, directory: Path) -> str:
    """What the command prints, where the programs of the text and the examples are."""
    for name, program in PROGRAMS.items():
        (directory / name).write_text(program)
    (directory / "examples").symlink_to(PROJECT / "examples")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        shell=True,
        cwd=directory,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    # xdsl-opt ends with an empty line, which means nothing.
    return done.stdout.rstrip()


@pytest.mark.parametrize("number", range(len(SESSIONS)))
def test_command_prints_what_the_text_shows(number: int, tmp_path: Path):
    command, printed = SESSIONS[number]

    assert run(command, tmp_path) == printed.rstrip()


@pytest.mark.parametrize("program", PROGRAMS)
def test_all_passes_together(program: str, tmp_path: Path):
    assert "tensor<" not in run(f"{PIPELINE} {program}", tmp_path)


def test_the_passes_are_there():
    assert len(PASSES) == 6
    assert {*PASSES} <= {*Universe.get_multiverse().all_passes}


def test_each_option_is_listed_with_its_default():
    rows = re.findall(
        r"^\| (?:`([a-z-]+)`)? ?\| `([a-z-]+)` \| `([^`]+)` \|", TEXT, re.M
    )
    listed: list[tuple[str, str, str]] = []
    for name, option, default in rows:
        listed.append((name or listed[-1][0], option, default))

    all_passes = Universe.get_multiverse().all_passes
    assert sorted(listed) == sorted(
        (name, field.name.replace("_", "-"), str(field.default).lower())
        for name in PASSES
        for field in dataclasses.fields(all_passes[name]())
    )


def test_the_planner():
    (code,) = re.findall(r"^```python\n(.*?)^```$", TEXT, re.M | re.S)
    exec(code, {})


def test_links_lead_to_files():
    links = re.findall(r"\]\((?!https?:)([^)#]+)", TEXT)
    assert links
    assert [link for link in links if not (PROJECT / "docs" / link).exists()] == []
