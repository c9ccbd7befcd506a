"""What reference pages are made of."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

SUMMARY = "SUMMARY.md"
"""The file of a folder that puts its pages into the navigation, and is no page itself."""


@dataclass(frozen=True)
class Page:
    """A file of the reference."""

    path: str
    """Where the page is, seen from the folder of the reference."""
    text: str


def page(path: str, *parts: str) -> Page:
    """A page of the parts, which are separated by empty lines."""
    return Page(path, "\n\n".join(part.strip("\n") for part in parts if part) + "\n")


def navigation(folder: str, entries: Iterable[tuple[str, str]]) -> Page:
    """The navigation of a folder: titles and files, in the order in which they are shown."""
    lines = [f"* [{title}]({file})" for title, file in entries]
    return Page(f"{folder}/{SUMMARY}", "\n".join(lines) + "\n")


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; empty if there are no rows."""
    lines = [_row(row) for row in rows]
    if not lines:
        return ""
    return "\n".join([_row(header), _row(["---"] * len(header)), *lines])


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def docstring(documented: object) -> str:
    """The docstring as Markdown: an address that stands alone becomes a link."""
    text = inspect.getdoc(documented) or ""
    return re.sub(r"^(https?://\S+)$", r"<\1>", text, flags=re.M)


def first_paragraph(text: str) -> str:
    """The first paragraph in one line."""
    return " ".join(text.split("\n\n")[0].split())
