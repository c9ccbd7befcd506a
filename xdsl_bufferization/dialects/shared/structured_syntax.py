"""The custom syntax of linalg ops, in parts: `{...} ins(...) outs(...) -> ...`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer

MEMOIZED_MAPS = "linalg.memoized_indexing_maps"
"""The attribute with maps that follow from the op, which MLIR keeps, and does not print."""

_NOT_PRINTED = (
    "dimensions",
    "indexing_maps",
    MEMOIZED_MAPS,
    "operandSegmentSizes",
    "permutation",
)
"""Properties that have a place of their own in the syntax, or none."""


def parse_operands(parser: Parser, keyword: str) -> Sequence[SSAValue]:
    """`ins(%a, %b : type, type)`, or nothing."""
    if parser.parse_optional_keyword(keyword) is None:
        return ()
    position = parser.pos
    parser.parse_punctuation("(")
    if parser.parse_optional_punctuation(")"):
        return ()
    names = parser.parse_comma_separated_list(
        parser.Delimiter.NONE, parser.parse_unresolved_operand
    )
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    parser.parse_punctuation(")")
    return parser.resolve_operands(names, types, position)


def print_operands(
    printer: Printer, keyword: str, operands: Sequence[SSAValue], colon: str = " : "
) -> None:
    """Prints ` ins(%a, %b : type, type)`, or nothing."""
    if not operands:
        return
    printer.print_string(f" {keyword}")
    with printer.in_parens():
        printer.print_list(operands, printer.print_ssa_value)
        printer.print_string(colon)
        printer.print_list((o.type for o in operands), printer.print_attribute)


def parse_result_types(parser: Parser) -> Sequence[Attribute]:
    """`-> type`, `-> (type, type)`, or nothing. xDSL takes `-> type, type`, too."""
    if parser.parse_optional_punctuation("->") is None:
        return ()
    types = parser.parse_optional_comma_separated_list(
        parser.Delimiter.PAREN, parser.parse_type
    )
    if types is not None:
        return types
    return parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)


def print_result_types(printer: Printer, types: Sequence[Attribute]) -> None:
    """Prints ` -> type` or ` -> (type, type)`, or nothing."""
    if not types:
        return
    printer.print_string(" -> ")
    if len(types) == 1:
        printer.print_attribute(types[0])
        return
    with printer.in_parens():
        printer.print_list(types, printer.print_attribute)


def parse_optional_integers(parser: Parser, keyword: str) -> list[int] | None:
    """`keyword = [1, 0]`, or nothing."""
    if parser.parse_optional_keyword(keyword) is None:
        return None
    parser.parse_punctuation("=")
    return parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, parser.parse_integer
    )


def parse_integers(parser: Parser, keyword: str) -> list[int]:
    """`keyword = [1, 0]`."""
    return parser.expect(
        lambda: parse_optional_integers(parser, keyword), f"Expected '{keyword}'"
    )


def print_integers(printer: Printer, keyword: str, numbers: Sequence[int]) -> None:
    """Prints ` keyword = [1, 0]`."""
    printer.print_string(f" {keyword} = ")
    with printer.in_square_brackets():
        printer.print_list(numbers, printer.print_int)


def written_attributes(op: Operation) -> Mapping[str, Attribute]:
    """The entries of the dictionary that is printed: attributes and most properties."""
    properties = {k: v for k, v in op.properties.items() if k not in _NOT_PRINTED}
    attributes = {k: v for k, v in op.attributes.items() if k != MEMOIZED_MAPS}
    return properties | attributes


def print_attributes(printer: Printer, op: Operation) -> None:
    """Prints ` {...}`, or nothing."""
    printer.print_op_attributes({**written_attributes(op)})


def print_body(printer: Printer, op: Operation) -> None:
    """Prints the arguments of the op's region in parentheses, and the region."""
    with printer.in_parens():
        printer.print_list(op.regions[0].block.args, printer.print_block_argument)
    printer.print_string(" ")
    printer.print_region(op.regions[0], print_entry_block_args=False)
