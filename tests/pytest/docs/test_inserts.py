"""Lists of stages and options in pages written by hand are those of the code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from documentation.inserts import names, pages, updated
from documentation.peaks import PROGRAMS, peaks_table
from tests.documents import Document, prepare, run
from tests.environments import PROJECT

PAGES = [*pages()]
PEAKS = "peaks after each stage"


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_lists_are_those_of_the_code(page: Path):
    text = page.read_text()
    assert updated(text, leave={PEAKS}) == text, (
        "python -m documentation.inserts mends that"
    )
    # No comment is misspelt.
    assert len(names(text)) == text.count("<!-- ") // 2


def test_peaks_are_those_of_the_code():
    # All rows are computed in make test-all only: they take long.
    _check_peaks(PROGRAMS[:1])


@pytest.mark.slow
def test_all_peaks_are_those_of_the_code():
    _check_peaks(PROGRAMS)


def _check_peaks(programs: Sequence[Path]) -> None:
    (page,) = (page for page in PAGES if PEAKS in names(page.read_text()))
    listed = page.read_text().splitlines()
    rows = peaks_table(programs).splitlines()
    assert [row for row in rows if row not in listed] == [], (
        "python -m documentation.inserts mends that"
    )


def test_pages_have_lists():
    found = {name for page in PAGES for name in names(page.read_text())}
    assert {
        "bufferize as single passes",
        "options of eliminate-copies",
        "options of one-shot-bufferize",
        "own options of the report",
        PEAKS,
        "stages of bufferize",
    } <= found


def test_a_list_that_is_wrong_is_replaced():
    text = "a\n\n<!-- from the code: stages of bufferize -->\nformer text\n<!-- end -->\n\nb\n"
    new = updated(text)
    assert "| `one-shot-bufferize{bufferize-function-boundaries}` |" in new
    assert "former text" not in new
    assert new == updated(new)
    with pytest.raises(LookupError, match="'stages of nothing'"):
        updated(text.replace("bufferize", "nothing"))


def test_steps_of_the_workflow_run(tmp_path: Path):
    document = Document(PROJECT / "docs" / "report.md")
    prepare(document, tmp_path)
    (recipe,) = document.blocks("yaml")
    install, *steps = re.findall(r"^- run: (.*)$", recipe, re.M)
    # tests/pytest/packaging installs the package from its folder.
    assert install == "pip install ./xdsl-bufferization"
    assert len(steps) == 2
    # The report of the program as it was is checked in.
    written = run(
        "xdsl-opt -t 'bufferization-report{format=json}' program.mlir -o report.json",
        tmp_path,
    )
    assert written.returncode == 0, written.stdout
    for step in steps:
        done = run(step, tmp_path)
        assert done.returncode == 0, done.stdout
