"""
Writes the reference pages of the documentation, to `docs/reference`.

    python -m documentation

The folder is emptied first: what is in it is nobody's own work. `make docs` then
makes the site of `docs`.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from documentation import modules, passes
from documentation.operations import operations_page
from documentation.pages import Page
from documentation.participants import participants_page
from documentation.targets import targets_page

REFERENCE = Path(__file__).parents[1] / "docs" / "reference"


def all_pages() -> Iterator[Page]:
    """All reference pages."""
    yield from passes.pages()
    yield targets_page()
    yield operations_page()
    yield participants_page()
    yield from modules.pages()


def write(directory: Path) -> None:
    """Write all reference pages to the directory, and remove what else is in it."""
    shutil.rmtree(directory, ignore_errors=True)
    for page in all_pages():
        path = directory / page.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page.text)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit("usage: python -m documentation")
    write(REFERENCE)
