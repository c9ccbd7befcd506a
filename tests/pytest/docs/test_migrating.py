"""What docs/migrating.md says of flags and of Python is what happens."""

from __future__ import annotations

import re
import subprocess
from typing import cast

from xdsl.parser import Parser
from xdsl.passes import ModulePass
from xdsl.universe import Universe

from tests.documents import Document
from tests.environments import PROJECT
from tests.peer import MlirTools
from xdsl_bufferization.support.reading import context_of_all_dialects

DOCUMENT = Document(PROJECT / "docs" / "migrating.md")


def rows(table: str) -> list[tuple[str, str]]:
    """The rows of the table with that head: flags of mlir-opt, and what is here."""
    _, rest = DOCUMENT.text.split(f"| {table} | here |\n|---|---|\n")
    found = re.findall(r"^\| (.*) \| (.*) \|$", rest.split("\n\n")[0], re.M)
    assert found
    return found


def flags(cell: str) -> list[str]:
    return re.findall(r"`--([a-z0-9-]+)`", cell)


def test_the_passes_are_there():
    here = Universe.get_multiverse().all_passes
    for table in ("mlir-opt 22", "earlier releases of MLIR"):
        for theirs, ours in rows(table):
            if "the same" in ours:
                assert set(flags(theirs)) <= set(here)
            elif not ours.startswith("nothing"):
                match = re.search(r"`([a-z-]+)(?:\{[^`]*)?`", ours)
                assert match is not None
                assert match[1] in here


def test_the_flags_are_those_of_mlir_opt(mlir_tools: MlirTools):
    run = subprocess.run(
        [mlir_tools.mlir_opt, "--help-hidden"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    known = set(re.findall(r"^ *--([\w-]+)", run.stdout, re.M))
    theirs = {flag for cell, _ in rows("mlir-opt 22") for flag in flags(cell)}
    assert "one-shot-bufferize" in theirs
    assert theirs <= known
    former = {
        flag for cell, _ in rows("earlier releases of MLIR") for flag in flags(cell)
    }
    assert former & known == set()


def test_the_pass_does_what_the_pipeline_does():
    names: dict[str, object] = {"__name__": "migrating"}
    (code,) = DOCUMENT.blocks("python")
    exec(code, names)
    ctx = context_of_all_dialects(allow_unregistered=True)
    module = Parser(ctx, DOCUMENT.files["layer.mlir"]).parse_module()

    cast(type[ModulePass], names["BufferizePass"])().apply(ctx, module)

    _, shown = (
        command.printed
        for command in DOCUMENT.commands
        if "layer.mlir" in command.text and command.printed
    )
    assert str(module).rstrip() == shown
