"""
What the site makes of Markdown besides what Zensical makes of it; `zensical.toml` names it.

Code blocks of MLIR and sessions are colored, and a heading that is the name of a module is a
short one in the table of contents.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor
from markdown.util import HTML_PLACEHOLDER_RE
from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexer import Lexer

from documentation.lexers import MlirLexer, SessionLexer

_HEADINGS = ("h2", "h3", "h4")


def mlir(source: str, language: str, *_: object, **__: object) -> str:
    """A block of MLIR as HTML."""
    return _block(MlirLexer(), source, language)


def session(source: str, language: str, *_: object, **__: object) -> str:
    """A session in a terminal as HTML."""
    return _block(SessionLexer(), source, language)


def _block(lexer: Lexer, source: str, language: str) -> str:
    formatter = HtmlFormatter[str](
        cssclass=f"language-{language} highlight", wrapcode=True
    )
    return highlight(source, lexer, formatter)


class ShortNames(Extension):
    """In the table of contents, `xdsl_bufferization.report.text` is `text`."""

    def extendMarkdown(self, md: Markdown) -> None:
        # Headings have their code, and are not in the table of contents yet.
        md.treeprocessors.register(_ShortNames(md), "short-names", 10)


class _ShortNames(Treeprocessor):
    def run(self, root: Element) -> None:
        for heading in root.iter():
            if heading.tag not in _HEADINGS or (heading.text or "").strip():
                continue
            match [*heading]:
                case [Element(tag="code") as code]:
                    name = self._text(code).rpartition(".")[2]
                    heading.set("data-toc-label", name)
                case _:
                    pass

    def _text(self, code: Element) -> str:
        """The text of code, which is put aside so that it is not taken for Markdown."""
        text = code.text or ""
        found = HTML_PLACEHOLDER_RE.fullmatch(text)
        return str(self.md.htmlStash.rawHtmlBlocks[int(found[1])]) if found else text


def makeExtension(**_: object) -> ShortNames:
    """What Markdown calls."""
    return ShortNames()
