"""What the README says is what happens."""

import dataclasses
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.parser import Parser
from xdsl.universe import Universe

from tests.environments import PROJECT
from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass

README = (PROJECT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def sessions() -> list[tuple[str, str]]:
    """The commands of the console blocks, each with what it is said to print."""
    return [
        (command, printed)
        for block in blocks("console")
        for command, printed in re.findall(r"^\$ (.*)\n((?:[^$].*\n|\n)*)", block, re.M)
    ]


@pytest.mark.parametrize(
    "command, printed", sessions(), ids=[command for command, _ in sessions()]
)
def test_command_prints_what_the_readme_shows(command: str, printed: str):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    run = subprocess.run(
        command,
        shell=True,
        cwd=PROJECT,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    # xdsl-opt ends with an empty line, which means nothing.
    assert (run.stdout + run.stderr).rstrip() == printed.rstrip()


def test_there_are_commands_to_run():
    assert any("one-shot-bufferize" in command for command, _ in sessions())


def test_python_block_bufferizes():
    (code,) = blocks("python")
    ctx = Context()
    for name, dialect in Universe.get_multiverse().all_dialects.items():
        ctx.register_dialect(name, dialect)
    program = (PROJECT / "examples" / "mlp.mlir").read_text()
    module = Parser(ctx, program).parse_module()
    assert "tensor<" in str(module)
    exec(code, {"ctx": ctx, "module": module})
    assert "tensor<" not in str(module)


def test_table_lists_the_options_and_their_defaults():
    rows = re.findall(r"^\| `([a-z-]+)` \| `([^`]+)` \|", README, re.MULTILINE)
    assert sorted(rows) == sorted(
        (
            field.name.replace("_", "-"),
            "none" if field.default == () else str(field.default).lower(),
        )
        for field in dataclasses.fields(OneShotBufferizePass)
    )


def test_links_lead_to_files():
    links = re.findall(r"\]\((?!https?:)([^)#]+)", README)
    assert links
    assert [link for link in links if not (PROJECT / link).exists()] == []
