"""Names are shown as MLIR prints them, and no text of a program moves the cursor."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import UnregisteredOp

from xdsl_bufferization.support.names import (
    escaped,
    identifier,
    op_name,
    printable,
    printable_line,
    printable_lines,
    printed_symbol,
)


@pytest.mark.parametrize(
    "name, printed",
    [
        ("f", "@f"),
        ("_f$1.x", "@_f$1.x"),
        ("", '@""'),
        ("1f", '@"1f"'),
        ("a-b", '@"a-b"'),
        ("a b", '@"a b"'),
        ("$f", '@"$f"'),
        ("f\nerror: no", r'@"f\0Aerror: no"'),
        ("f\n", r'@"f\0A"'),
        ("\x1b[31m", r'@"\1B[31m"'),
        ('a"b\\', r'@"a\22b\\"'),
        ("ü", r'@"\C3\BC"'),
        ("\u202e", r'@"\E2\80\AE"'),
        ("<script>|", '@"<script>|"'),
        ("m::f", "@m::f"),
        ("m n::f", '@"m n"::f'),
    ],
)
def test_symbols_are_shown_as_mlir_prints_them(name: str, printed: str):
    assert printed_symbol(name) == printed
    if "::" not in name:
        assert "@" + identifier(name) == printed


def test_names_of_unregistered_ops_are_shown_as_mlir_prints_them():
    op = UnregisteredOp.with_name("my.o\n\x1b[31m<p>").create()

    assert op_name(op) == r"my.o\0A\1B[31m<p>"


def test_different_texts_are_escaped_to_different_ones():
    texts = ["\n", "\\0A", "\\n", '"', "\\22", "\\\\", "\\"]

    assert len({*map(escaped, texts)}) == len(texts)


def test_what_is_printable_stays():
    text = 'für `/tmp/a b.mlir` \\ "x" <b> 表\u3000x\xa0y'

    assert printable(text) == printable_lines(text) == printable_line(text) == text


def test_what_is_not_printable_is_escaped():
    text = "a\tb\nc\r\x1b\x9b\u2028\u202e\ud800"

    end = r"\0D\1B\C2\9B\E2\80\A8\E2\80\AE\ED\A0\80"
    assert printable(text) == rf"a\09b\0Ac{end}"
    assert printable_lines(text) == f"a\tb\nc{end}"


def test_columns_of_a_line_stay():
    assert printable_line("\tü\x1b[\u202ex\r") == "\tü\ufffd[\ufffdx"
