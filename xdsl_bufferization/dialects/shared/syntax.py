"""
Syntax that several dialects share: typed operands, names in angle brackets, integers; the parts
of linalg ops, `{...} ins(...) outs(...) -> ...`; kinds of atomic updates, and prefetch hints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self, cast

from xdsl.dialects.builtin import (
    BoolAttr,
    DenseArrayBase,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Data, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation, operand_def, prop_def, var_operand_def
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import AttrParser, Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

from xdsl_bufferization.support.xdsl_releases import parse_operand


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


def parse_names(parser: Parser) -> list[UnresolvedOperand]:
    """`%a, %b`, at least one."""
    return parser.parse_comma_separated_list(
        parser.Delimiter.NONE, parser.parse_unresolved_operand
    )


def parse_types(parser: Parser) -> list[Attribute]:
    """`type, type`, at least one."""
    return parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)


def parse_indices(parser: Parser) -> list[SSAValue]:
    """`[%i, %j]`, indices."""
    return parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: parse_operand(parser, IndexType())
    )


def parse_block(parser: Parser) -> Region:
    """A region; a block without ops if it is empty."""
    region = parser.parse_region()
    if not region.blocks:
        region.add_block(Block())
    return region


def parse_typed_operands(parser: Parser) -> Sequence[SSAValue]:
    """The rest of `(%a, %b : type, type)` after the opening parenthesis."""
    position = parser.pos
    names = parse_names(parser)
    parser.parse_punctuation(":")
    types = parse_types(parser)
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
    parser.parse_punctuation("(")
    if parser.parse_optional_punctuation(")"):
        return ()
    return parse_typed_operands(parser)


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
    return parse_types(parser)


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


_NAMES = (
    "addf addi andi assign maximumf maxnumf maxs maxu minimumf minnumf mins minu mulf muli "
    "ori xori"
).split()
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


class PrefetchingOp(IRDLOperation):
    """`%memref[...], read, locality<3>, data {...} : type`"""

    memref = operand_def()
    indices = var_operand_def(IndexType())
    is_write = prop_def(BoolAttr, prop_name="isWrite")
    locality_hint = prop_def(IntegerAttr.constr(i32), prop_name="localityHint")
    is_data_cache = prop_def(BoolAttr, prop_name="isDataCache")

    @classmethod
    def parse_position(
        cls, parser: Parser
    ) -> tuple[Sequence[SSAValue], dict[str, Attribute]]:
        """The indices in brackets, and the properties that they make."""
        return parse_indices(parser), {}

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_unresolved_operand()
        indices, properties = cls.parse_position(parser)
        parser.parse_punctuation(",")
        properties["isWrite"] = _parse_choice(parser, "write", "read")
        parser.parse_punctuation(",")
        parser.parse_keyword("locality")
        with parser.in_angle_brackets():
            properties["localityHint"] = IntegerAttr(parser.parse_integer(), i32)
        parser.parse_punctuation(",")
        properties["isDataCache"] = _parse_choice(parser, "data", "instr")
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        return cls.build(
            operands=(parser.resolve_operand(name, parser.parse_type()), indices),
            properties=properties,
            attributes=attributes,
        )


def _parse_choice(parser: Parser, yes: str, no: str) -> Attribute:
    """Whether it is the one keyword, and not the other."""
    if parser.parse_optional_keyword(yes):
        return BoolAttr.from_bool(True)
    parser.parse_keyword(no)
    return BoolAttr.from_bool(False)
