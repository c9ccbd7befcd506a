"""Hints of `affine.prefetch` and `memref.prefetch` about a later access."""

from __future__ import annotations

from xdsl.dialects.builtin import BoolAttr, IntegerAttr, i32
from xdsl.ir import Attribute
from xdsl.parser import Parser


def parse_hints(parser: Parser) -> dict[str, Attribute]:
    """The properties for `, read, locality<3>, data`."""
    parser.parse_punctuation(",")
    is_write = _parse_choice(parser, "write", "read")
    parser.parse_punctuation(",")
    parser.parse_keyword("locality")
    with parser.in_angle_brackets():
        locality = parser.parse_integer()
    parser.parse_punctuation(",")
    is_data = _parse_choice(parser, "data", "instr")
    return {
        "isDataCache": is_data,
        "isWrite": is_write,
        "localityHint": IntegerAttr(locality, i32),
    }


def _parse_choice(parser: Parser, yes: str, no: str) -> Attribute:
    """Whether it is the one keyword, and not the other."""
    if parser.parse_optional_keyword(yes):
        return BoolAttr.from_bool(True)
    parser.parse_keyword(no)
    return BoolAttr.from_bool(False)
