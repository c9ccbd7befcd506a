"""
Attributes of accesses in `affine` and `memref`: kinds of atomic updates, prefetch hints.
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    BoolAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    i32,
    i64,
)
from xdsl.ir import Attribute
from xdsl.parser import Parser

_NAMES = (
    "addf",
    "addi",
    "andi",
    "assign",
    "maximumf",
    "maxnumf",
    "maxs",
    "maxu",
    "minimumf",
    "minnumf",
    "mins",
    "minu",
    "mulf",
    "muli",
    "ori",
    "xori",
)
"""In the order of their numbers."""


def name_of(kind: IntegerAttr[IntegerType | IndexType]) -> str:
    """The name of the operation with the number."""
    return _NAMES[kind.value.data]


def parse_name(parser: Parser) -> IntegerAttr[IntegerType]:
    """The number of an operation whose name is given, as a word or in quotes."""
    position = parser.pos
    name = parser.parse_optional_str_literal() or parser.parse_identifier()
    if name not in _NAMES:
        parser.raise_error(f"unknown operation {name}", position, parser.pos)
    return IntegerAttr(_NAMES.index(name), i64)


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
