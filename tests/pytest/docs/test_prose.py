"""
Phrases that the project's prose avoids.

Time and program order are "before" and "after", a relative clause with "of which" is two sentences,
and an entry opens with a noun phrase. Other phrases are a matter of judgement, and not tested.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.environments import PROJECT

PACKAGE = PROJECT / "xdsl_bufferization"
PHRASES = re.compile(
    r'"""\s*(?:What|Of|Whose) |'
    r"(?i:\b(?:behind|of which|in front of|nobody|whoever|be it|anew|as often|can not)\b)"
)
PAGES = (PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md")))


def test_unmistakable_phrases_stay_out_of_the_package():
    found = [
        f"{path.relative_to(PROJECT)}: {match[0].strip()}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for match in PHRASES.finditer(path.read_text())
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_unmistakable_phrases_stay_out_of_pages(page: Path):
    # What commands print is tested with the code.
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    assert not [match[0] for match in PHRASES.finditer(text)]
