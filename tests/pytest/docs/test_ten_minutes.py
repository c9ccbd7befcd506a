"""The first page that a new user follows, in an environment of its own."""

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

PAGE = Document(PROJECT / "docs" / "ten-minutes.md")


@pytest.mark.slow
def test_the_page_in_an_environment_of_its_own(
    package_wheel: Path, tmp_path: Path, subtests: pytest.Subtests
):
    python = make_environment(tmp_path / "environment", *requirements("check"))
    work = tmp_path / "work"
    work.mkdir()
    prepare(PAGE, work)
    # Installing needs no package index: what is required is there, as links.
    to_install = iter([package_wheel])
    for step in PAGE.steps:
        if isinstance(step, File):
            step.write(work)
        elif step.text.startswith("pip install"):
            install(python, next(to_install))
        else:
            with subtests.test(line=step.line):
                done = run(step.text, work, python)
                assert done.returncode == 0, done.stdout
                if step.printed is not None:
                    assert done.stdout == step.printed
    assert [*to_install] == []
