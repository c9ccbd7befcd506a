"""Attributes of vector that xDSL lacks."""

from __future__ import annotations

from enum import auto

from xdsl.dialects.utils import EnumAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum


class Punctuation(StrEnum):
    """What `vector.print` prints at the end."""

    NO_PUNCTUATION = auto()
    NEWLINE = auto()
    COMMA = auto()
    OPEN = auto()
    CLOSE = auto()


class VectorIterator(StrEnum):
    """The loops of `vector.contract`."""

    PARALLEL = auto()
    REDUCTION = auto()


@irdl_attr_definition
class PunctuationAttr(EnumAttribute[Punctuation]):
    """`#vector.punctuation<newline>`."""

    name = "vector.punctuation"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Punctuation:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class VectorIteratorAttr(EnumAttribute[VectorIterator]):
    """`#vector.iterator_type<parallel>`."""

    name = "vector.iterator_type"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> VectorIterator:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)
