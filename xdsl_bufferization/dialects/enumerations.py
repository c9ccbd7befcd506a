"""Attributes that are one of several names."""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.ir import Data
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum


class InAngleBrackets(Data[Any]):
    """
    Put before the base `EnumAttribute`, writes the name in angle brackets, as in
    `#vector.punctuation<newline>`.
    """

    enum_type: ClassVar[type[StrEnum]]

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Any:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(cls.enum_type)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_identifier_or_string_literal(self.data.value)
