"""The names of atomic operations, which are numbers in generic form."""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, i64
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
