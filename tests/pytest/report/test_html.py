"""The report as a page, as text; `test_in_browser.py` looks at it in a browser."""

from __future__ import annotations

import re
import sys
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser

import pytest
from xdsl.context import Context

from tests.peer.runner import parse_module
from xdsl_bufferization.report.html import LARGEST, exact, quoted, to_html
from xdsl_bufferization.report.memory import memory_functions
from xdsl_bufferization.report.model import (
    Allocation,
    Copy,
    MemoryFunction,
    Report,
    TensorFunction,
)
from xdsl_bufferization.report.source import (
    Line,
    Note,
    SourceRange,
    find_source,
    number_of,
)
from xdsl_bufferization.support.diagnostics import BufferizationError

EVIL = "<script>alert('evil')</script>"


def reported(text: str) -> MemoryFunction:
    module = parse_module(text)
    source = find_source(module, Context())
    (function,) = memory_functions(module, source).values()
    return function


TWO = """
func.func @two(%n: index, %x: f32) -> memref<?xf32> {
  %0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1000xf32>
  memref.store %x, %a[%0] : memref<1000xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %a : memref<1000xf32>
  func.return %b : memref<?xf32>
}
"""

LINE = "  %old = tensor.extract %t[%i] : tensor<8xf32>"
PLACE = SourceRange(9, 25, 2, LINE)
TENSORS = TensorFunction(
    name="exchange",
    place=PLACE,
    in_place=3,
    out_of_place=1,
    allocations=[
        Allocation(
            "%set",
            "%t",
            "memref<8xf32>",
            number_of(32),
            "tensor.insert",
            PLACE,
            "it is read",
            (),
        )
    ],
    copies=[
        Copy(
            "%t",
            "memref<8xf32>",
            number_of(32),
            "tensor.insert",
            SourceRange(
                8, 33, 2, "  %set = tensor.insert %x into %t[%i] : tensor<8xf32>"
            ),
            "it would write it, but tensor.extract (line 9) still reads it",
            [Note("still read here", PLACE)],
            ["Move it."],
            [Note("scf.for", PLACE)],
            code="B001",
        )
    ],
)


class Page(HTMLParser):
    """What is in a page."""

    def __init__(self, html: str):
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.titles: dict[str, str] = {}
        self._open: list[str] = []
        self.feed(html)
        self.text = " ".join(self.text.split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        # Those without an end, such as meta, are passed over.
        while self._open and self._open.pop() != tag:
            pass
        if tag in ("td", "th", "dt", "dd", "figcaption"):
            self.text += " "

    def handle_data(self, data: str) -> None:
        if "script" in self._open or "style" in self._open:
            return
        self.text += data
        for tag in ("title", "h1", "h2"):
            if "svg" not in self._open and tag in self._open:
                self.titles[tag] = self.titles.get(tag, "") + data

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.tags)


def test_the_page_has_all_that_it_needs():
    html = to_html(Report("two.mlir", [reported(TWO), TENSORS]))
    page = Page(html)
    assert page.titles["title"] == "Bufferization report: two.mlir"
    assert page.titles["h1"] == "Bufferization report"
    for _, attributes in page.tags:
        assert "src" not in attributes
        assert (attributes.get("href") or "#").startswith("#")
    assert not re.search(r"@import|url\(", html)
    assert "default-src 'none'" in html
    assert 'name="viewport"' in html
    assert "prefers-color-scheme: dark" in html


def test_the_page_of_a_small_program_is_small():
    assert len(to_html(Report("", [TENSORS, reported(TWO)]))) < 25_000


def test_only_the_script_of_the_page_may_run():
    html = to_html(Report("", [reported(TWO)]))
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.S)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}';" in html


def test_tables_have_headers():
    page = Page(to_html(Report("", [reported(TWO), TENSORS])))
    assert page.count("table") == page.count("thead") >= 3
    headers = [attributes for tag, attributes in page.tags if tag == "th"]
    assert all(attributes.get("scope") == "col" for attributes in headers)


def test_what_is_said_of_memory():
    text = Page(to_html(Report("", [reported(TWO)]))).text
    assert "4*%n + 4,000 bytes" in text
    assert "There may be more. The size of 1 buffer is not known." in text
    assert "memref.store (line 5); not in use at the peak" in text
    assert "%a memref<1000xf32> 4,000 memref.alloc line 4" in text
    assert "freed line 7" in text
    assert "%b memref<?xf32> 4*%n memref.alloc" in text
    assert "never used" in text


def test_what_is_said_of_tensors():
    text = Page(to_html(Report("", [TENSORS]))).text
    assert (
        "Why: it would write it, but tensor.extract (line 9) still reads it. B001"
        in text
    )
    assert "Help: Move it." in text
    assert "in each run of scf.for line 9" in text
    assert "^^ copied for this" in text
    assert "^^ still read here" in text


def test_functions_on_tensors_have_a_chart_too():
    memory = replace(reported(TWO), advice=["Donate it."])
    page = Page(to_html(Report("a.mlir", [replace(TENSORS, memory=memory)])))
    assert page.count("path")
    assert "Help: Donate it." in page.text
    assert "Its memory after bufferize, along the lines of the program" in page.text
    assert "Peak: 4*%n + 4,000 bytes at memref.alloc" in page.text


def test_the_overview_has_the_peak_beside_the_name():
    one = replace(TENSORS, memory=reported(TWO))
    page = Page(to_html(Report("a.mlir", [one, reported(TWO)])))
    assert "function peak buffers copies" in page.text
    assert "@exchange 4*%n + 4,000 bytes 1 1" in page.text
    # A table of one row says nothing that is not said below.
    assert "function peak" not in Page(to_html(Report("a.mlir", [one]))).text


def test_all_bytes_are_written_alike():
    text = Page(to_html(Report("a.mlir", [reported(TWO), TENSORS]))).text
    assert not re.search(r"\d (B|kB|MB|GB)\b", text)


def test_columns_without_content_are_left_out():
    (made,) = TENSORS.allocations
    text = Page(to_html(Report("a.mlir", [TENSORS]))).text
    assert "made for why" in text
    without = replace(TENSORS, allocations=[replace(made, reason="")])
    assert "made for why" not in Page(to_html(Report("a.mlir", [without]))).text


def test_the_page_shows_the_program_that_its_lines_are_of():
    program = [Line(1, "builtin.module {"), Line(2, "}")]
    page = Page(to_html(Report("", [reported(TWO)], program)))
    assert "The program, 2 lines 1 builtin.module { 2 }" in page.text
    assert "The program" not in Page(to_html(Report("a", [reported(TWO)]))).text


def test_what_is_eliminated():
    (copy,) = TENSORS.copies
    reason = "nobody needs it"
    gone = replace(copy, verdict="avoidable", verdict_reason=reason)
    function = replace(TENSORS, copies=[], eliminated=[gone])
    text = Page(to_html(Report("", [function]))).text
    assert "copies eliminated 1 32 bytes" in text
    assert reason in text
    assert "copied for this" not in text


def test_there_may_be_nothing_to_say():
    assert "There are no functions" in Page(to_html(Report("a.mlir", []))).text
    nothing = reported("func.func @nothing() {\n  func.return\n}")
    assert "It makes no buffers." in Page(to_html(Report("", [nothing]))).text


def test_the_program_can_not_write_into_the_page():
    function = reported(f"""
    func.func @"{EVIL}"() {{
      %a = memref.alloc() : memref<4xf32, "{EVIL}">
      memref.dealloc %a : memref<4xf32, "{EVIL}">
      func.return
    }}
    """)
    tensors = TensorFunction(
        EVIL,
        SourceRange(1, 1, 1, EVIL),
        0,
        0,
        [
            Allocation(
                EVIL, EVIL, EVIL, number_of(1), EVIL, None, EVIL, [Note(EVIL, None)]
            )
        ],
        [
            Copy(
                EVIL,
                EVIL,
                number_of(1),
                EVIL,
                PLACE,
                EVIL,
                [Note(EVIL, PLACE)],
                [EVIL],
                (),
            )
        ],
    )
    html = to_html(Report(f"{EVIL}.mlir", [function, tensors]))
    assert EVIL in Page(html).text
    assert "<script>alert" not in html
    assert Page(html).count("script") == 1


@pytest.mark.slow
def test_only_the_largest_of_very_many_are_shown():
    number = LARGEST + 5
    body = "\n".join(
        f"%a{i} = memref.alloc() : memref<{1 if i < 5 else 2}xi8>\n"
        f"memref.dealloc %a{i} : memref<{1 if i < 5 else 2}xi8>"
        for i in range(number)
    )
    function = reported(f"func.func @f() {{\n{body}\nfunc.return\n}}")
    html = to_html(Report("", [function]))
    assert "The 2,000 largest, in the order of the program." in html
    assert f"the 200 largest of {number:,} buffers" in html
    assert f"<title>{number - 200:,} smaller buffers</title>" in html
    (row,) = re.findall(r"<tbody>\s*<tr><td class=.name.*?</tbody>", html, re.S)
    assert row.count("<tr>") == LARGEST
    assert "<code>%a4</code>" not in row
    assert "<code>%a5</code>" in row


def test_long_lines_are_quoted_in_part():
    place = SourceRange(3, 5001, 2, "a" * 5000 + "%x" + "b" * 5000)
    text, marks = quoted([Note("here", place), None, Note("nowhere", None)])
    assert len(text) < 300
    assert text.startswith("  3 | ...a")
    assert text.endswith("b...")
    assert text[marks.index("^") :].startswith("%x")
    assert marks.endswith("^^ here")


def test_lines_are_quoted_in_their_order_each_once():
    text = "a = b + c"
    lines = quoted(
        [
            Note("third", SourceRange(7, 1, 1, text)),
            Note("second", SourceRange(2, 9, 1, text)),
            Note("first", SourceRange(2, 5, 1, text)),
        ]
    )
    assert lines == [
        "  2 | a = b + c",
        "    |     ^ first",
        "    |         ^ second",
        "  . |",
        "  7 | a = b + c",
        "    | ^ third",
    ]


def test_exact_sizes():
    assert [exact(n) for n in (None, 1, 1234567)] == [
        "unknown",
        "1 byte",
        "1,234,567 bytes (1.2 MiB)",
    ]


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch):
    for name in [*sys.modules]:
        if name.split(".")[0] == "jinja2":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(BufferizationError) as error:
        to_html(Report("", []))
    assert "needs jinja2" in str(error.value)
    assert "pip install 'xdsl-bufferization[report]'" in str(error.value)
