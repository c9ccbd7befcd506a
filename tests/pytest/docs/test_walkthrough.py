"""The walk-through, from top to bottom, in an environment of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents import Document, File, prepare, run
from tests.environments import (
    PROJECT,
    install,
    make_environment,
    requirements,
)

WALKTHROUGH = Document(PROJECT / "docs" / "walkthrough.md")


@pytest.mark.slow
def test_walkthrough(package_wheel: Path, tmp_path: Path, subtests: pytest.Subtests):
    python = make_environment(tmp_path / "environment", *requirements("check"))
    work = tmp_path / "work"
    work.mkdir()
    prepare(WALKTHROUGH, work)
    # Installing needs no package index: what is required is there, as links.
    to_install = iter([package_wheel, package_wheel, work])
    for step in WALKTHROUGH.steps:
        if isinstance(step, File):
            step.write(work)
        elif step.text.startswith("pip install"):
            install(python, next(to_install))
        else:
            with subtests.test(line=step.line):
                assert run(step.text, work, python).stdout == step.printed
    assert [*to_install] == []
