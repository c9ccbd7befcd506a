"""The site is made without a warning, no link of it leads nowhere, and it can be read."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import cast
from urllib.parse import unquote, urlsplit

import pytest

from documentation.__main__ import write
from tests.environments import PROJECT


def make_site(directory: Path) -> Path:
    """The site, made of a copy of the documentation in the directory."""
    shutil.copy(PROJECT / "zensical.toml", directory)
    shutil.copytree(
        PROJECT / "docs",
        directory / "docs",
        ignore=shutil.ignore_patterns("reference"),
    )
    write(directory / "docs" / "reference")
    build = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert build.returncode == 0, build.stdout
    return directory / "build" / "site"


class _Page(HTMLParser):
    """What a page links to, and which parts of it can be linked to."""

    def __init__(self, path: Path):
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            if (tag, name) in {("a", "href"), ("img", "src")} and value:
                self.links.append(value)


def _broken(site: Path) -> Iterator[str]:
    pages = {path: _Page(path) for path in site.rglob("*.html")}
    for path, page in pages.items():
        if path.name == "404.html":
            continue  # Links from the root of the server, wherever that is.
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve()
            target = target if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.exists() or (
                parts.fragment
                and target in pages
                and unquote(parts.fragment) not in pages[target].anchors
            ):
                yield f"{path.relative_to(site)}: {link}"


def test_each_page_is_in_the_navigation():
    settings = tomllib.loads((PROJECT / "zensical.toml").read_text())
    pages = {path.name for path in (PROJECT / "docs").glob("*.md")}
    assert {file for file in _files(settings["project"]["nav"]) if "/" not in file} == (
        pages
    )


def _files(entry: object) -> Iterator[str]:
    """The files of an entry of the navigation: a file, a title with entries, or several."""
    match entry:
        case str():
            yield entry
        case list():
            for part in cast(list[object], entry):
                yield from _files(part)
        case dict():
            yield from _files([*cast(dict[str, object], entry).values()])
        case _:
            raise TypeError(entry)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("zensical", reason="needs zensical (pip install '.[docs]')")
    return make_site(tmp_path_factory.mktemp("site"))


def article(page: Path) -> str:
    text = page.read_text()
    return text[text.index("<article") : text.index("</article")]


@pytest.mark.slow  # `make docs` finds most of it; the commands of each page are run elsewhere
def test_the_site(site: Path):
    assert [*_broken(site)] == []
    for source in (PROJECT / "docs").glob("*.md"):
        # A list directly behind a paragraph is one on GitHub, but not on the site.
        assert "\n- " not in article(site / f"{source.stem}.html"), source
    assert (site / "reference" / "passes" / "bufferize.html").exists()
    interfaces = (site / "reference" / "python" / "interfaces.html").read_text()
    assert "register_model" in interfaces


@pytest.mark.slow  # test_markdown.py has more, of what Zensical is told to call here
def test_programs_are_coloured(site: Path):
    text = article(site / "ten-minutes.html")
    assert '<span class="k">func.func</span>' in text
    assert '<span class="nv">%history</span>' in text
    assert (
        '<span class="go">    memref.store %sample, %next[%i] : memref&lt;8xf32&gt;</span>'
        in text
    )


@pytest.mark.slow  # as above
def test_contents_have_short_names(site: Path):
    text = (site / "api.html").read_text()
    links = re.findall(r'class="md-nav__link">(.*?)</a>', text, re.S)
    names = [re.sub(r"<[^>]*>", "", link).strip() for link in links]
    assert "ownership_based_buffer_deallocation" in names
    assert not [name for name in names if "." in name]


@pytest.mark.slow  # it takes the site and a browser
def test_long_lines_scroll(chromium: str, site: Path):
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 390, "height": 800})
        for name in ("ten-minutes", "reference/passes/bufferize", "comparison"):
            page.goto((site / f"{name}.html").as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
            assert page.evaluate(_BROKEN_LINES) == 0, name
        browser.close()


_BROKEN_LINES = """
() => [...document.querySelectorAll("article pre > code, td:first-child > code:only-child")]
  .filter(code => !getComputedStyle(code).whiteSpace.match(/^(pre|nowrap)$/)).length
"""
