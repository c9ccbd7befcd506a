"""Syntax that several dialects share: typed operands, names in angle brackets, integers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import DenseArrayBase, DictionaryAttr, UnitAttr, i64
from xdsl.ir import Attribute, Data, Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum


def unit_properties(**flags: bool) -> dict[str, Attribute]:
    """A unit property for each flag that is set."""
    return {name: UnitAttr() for name, value in flags.items() if value}


def parse_flags(parser: Parser, *flags: str) -> dict[str, Attribute]:
    """Optional keywords, in this order, as unit properties."""
    return unit_properties(
        **{flag: parser.parse_optional_keyword(flag) is not None for flag in flags}
    )


def parse_dictionary(parser: Parser) -> dict[str, Attribute]:
    """`{...}`, or an alias of such a dictionary."""
    position = parser.pos
    written = parser.parse_optional_attribute()
    if not isinstance(written, DictionaryAttr):
        parser.raise_error("dictionary expected", position, parser.pos)
    return {**written.data}


def add_attributes(
    parser: Parser, attributes: dict[str, Attribute], more: dict[str, Attribute]
) -> None:
    """Adds what is written in another place. A name in both places is an error."""
    for name in attributes.keys() & more.keys():
        parser.raise_error(f"attribute '{name}' occurs more than once")
    attributes |= more


def parse_attributes(
    parser: Parser, properties: dict[str, Attribute], *flags: str
) -> dict[str, Attribute]:
    """The attribute dictionary without the flags in it, which are added to `properties`."""
    attributes = parser.parse_optional_attr_dict()
    for flag in flags:
        if flag in attributes:
            properties[flag] = attributes.pop(flag)
    return attributes


def print_flags(printer: Printer, op: Operation, *flags: str) -> None:
    """Prints the unit properties that are set as keywords."""
    for flag in flags:
        if flag in op.properties:
            printer.print_string(f" {flag}")


def print_conversion(printer: Printer, op: Operation, *flags: str) -> None:
    """Prints an op with one operand, one result, and flags between the two."""
    printer.print_string(" ")
    printer.print_operand(op.operands[0])
    print_flags(printer, op, *flags)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.operands[0].type)
    printer.print_string(" to ")
    printer.print_attribute(op.results[0].type)


def parse_typed_operands(parser: Parser) -> Sequence[SSAValue]:
    """The rest of `(%a, %b : type, type)` after the opening parenthesis."""
    position = parser.pos
    names = parser.parse_comma_separated_list(
        parser.Delimiter.NONE, parser.parse_unresolved_operand
    )
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    parser.parse_punctuation(")")
    return parser.resolve_operands(names, types, position)


def print_typed_operands(printer: Printer, operands: Sequence[SSAValue]) -> None:
    """Prints `(%a, %b : type, type)`."""
    with printer.in_parens():
        printer.print_list(operands, printer.print_operand)
        printer.print_string(" : ")
        printer.print_list((o.type for o in operands), printer.print_attribute)


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


@irdl_custom_directive
class Integers(CustomDirective):
    """Integers in square brackets."""

    numbers: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        numbers = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, parser.parse_integer
        )
        self.numbers.set(state, DenseArrayBase.from_list(i64, numbers))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        state.print_whitespace(printer)
        numbers = cast("DenseArrayBase[Any]", self.numbers.get(op))
        with printer.in_square_brackets():
            printer.print_list(numbers.get_values(), printer.print_int)
        state.should_emit_space = True
        state.last_was_punctuation = False
