"""What the site makes of code and of headings."""

import re
from html import unescape

import pytest

pytest.importorskip("pygments", reason="needs pygments (pip install '.[docs]')")
pytest.importorskip("markdown", reason="needs markdown (pip install '.[docs]')")

from markdown import Markdown
from pygments.token import Error, Generic, Keyword, Name, Number, Text

from documentation.lexers import MlirLexer, SessionLexer
from documentation.markdown import ShortNames, mlir, session
from tests.documents import documents

MLIR = [block for d in documents() for block in d.blocks("mlir")]
SESSIONS = [block for d in documents() for block in d.blocks("console")]


def text_of(html: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", html))


def test_no_part_of_a_program_is_unknown():
    assert MLIR
    for block in MLIR:
        for kind, text in MlirLexer().get_tokens(block):
            assert kind not in (Error, Text), text
        assert text_of(mlir(block, "mlir")).strip() == block.strip()


@pytest.mark.parametrize(
    "text, kind",
    [
        ("%0#1", Name.Variable),
        ("%set", Name.Variable),
        ("@filter", Name.Function),
        ('@"a b"', Name.Function),
        ("^bb0", Name.Label),
        ("#map.1", Name.Attribute),
        ("linalg.fill", Keyword),
        ("memref.dim", Keyword),
        ("memref", Keyword.Type),
        ("f8E4M3FN", Keyword.Type),
        ("-1", Number.Integer),
        ("1.0e-3", Number.Float),
        ("0x7FC00000", Number.Hex),
        ("outs", Name),
    ],
)
def test_what_parts_of_a_program_are(text: str, kind: object):
    assert next(iter(MlirLexer().get_tokens(text))) == (kind, text)


def test_sizes_of_a_type():
    tokens = [text for _, text in MlirLexer().get_tokens("tensor<4x?x0xi8>")]
    assert tokens == ["tensor", "<", "4", "x", "?", "x", "0", "x", "i8", ">", "\n"]


def test_what_is_printed_is_no_command():
    assert SESSIONS
    for block in SESSIONS:
        tokens = [*SessionLexer().get_tokens(block)]
        prompts = [text for kind, text in tokens if kind is Generic.Prompt]
        assert len(prompts) == len(re.findall(r"^\$ ", block, re.M))
        assert text_of(session(block, "console")).strip() == block.strip()
    html = session("$ xdsl-opt \\\n  a.mlir\n  %x = arith.constant 1 : i8\n", "console")
    assert '<span class="go">  %x = arith.constant 1 : i8</span>' in html
    report = session("    |   ^^ the peak\n  help: Move it.\n", "console")
    assert '<span class="m">^^ the peak' in report
    assert '<span class="s">help:</span>' in report
    assert html.count('class="gp"') == 1
    assert html.count('class="go"') == 1


def test_blocks_are_named_by_their_language():
    assert mlir("%x", "mlir").startswith('<div class="language-mlir highlight"><pre>')


@pytest.mark.parametrize("more", [[], ["pymdownx.inlinehilite"]])
def test_names_of_modules_are_short_in_contents(more: list[str]):
    markdown = Markdown(extensions=["toc", *more, ShortNames()])
    html = markdown.convert("### `a.b.c`\n\n### As `a.b`\n\n### `d`\n\n### e. f\n")
    names = re.findall(r'<a href="[^"]*">(.*?)</a>', str(vars(markdown)["toc"]))
    assert names == ["c", "As a.b", "d", "e. f"]
    assert ">a.b.c<" in html
    assert "data-toc-label" not in html
