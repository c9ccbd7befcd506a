"""
Phrases that the project's prose avoids, in folders that are free of them.

Time and program order are "before" and "after", a relative clause with "of which" is two sentences,
and an entry opens with a noun phrase. Other phrases are a matter of judgement, and not tested.
Folders that are not free of them yet are not listed.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.environments import PROJECT

PACKAGE = PROJECT / "xdsl_bufferization"
FOLDERS = (
    "buffers",
    "conversion",
    "copies",
    "dense",
    "dialects",
    "interactive",
    "repairs",
    "report",
    "semantics",
    "support",
    "tensors/eliminate_moves",
)
PHRASES = re.compile(
    r'"""What |\b(?:of which|in front of|nobody|whoever|be it|anew|as often|can not)\b',
    re.IGNORECASE,
)
PAGES = (
    PROJECT / "README.md",
    *(
        page
        for page in sorted((PROJECT / "docs").glob("*.md"))
        if page.stem not in ("architecture", "placement", "tensor-passes")
    ),
)
"""Pages of the documentation that are free of the phrases."""
BEHIND = re.compile(r"(?<![.\w])behind(?![\w(])(?! casts)", re.IGNORECASE)
"""Except the names of methods, and casts that a value is behind."""


@pytest.mark.parametrize("folder", FOLDERS)
def test_unmistakable_phrases_stay_out(folder: str):
    found = [
        f"{path.relative_to(PROJECT)}:{number}: {line.strip()}"
        for path in sorted((PACKAGE / folder).rglob("*.py"))
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if PHRASES.search(line) or BEHIND.search(line)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_unmistakable_phrases_stay_out_of_pages(page: Path):
    # What commands print is tested with the code.
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    found = [match[0] for match in PHRASES.finditer(text)]
    found += [match[0] for match in BEHIND.finditer(text)]
    assert not found
