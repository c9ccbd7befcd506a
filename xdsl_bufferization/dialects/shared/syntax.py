"""
Syntax that several dialects share: typed operands, names in angle brackets, integers; the parts
of linalg ops, `{...} ins(...) outs(...) -> ...`; kinds of atomic updates, and prefetch hints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import (
    BoolAttr,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    UnitAttr,
    i1,
    i32,
    i64,
)
from xdsl.dialects.utils import parse_assignment
from xdsl.ir import Attribute, Block, Data, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation, operand_def, prop_def, var_operand_def
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    OperandVariable,
    ParsingState,
    PrintingState,
    TypeDirective,
    irdl_custom_directive,
)
from xdsl.parser import AttrParser, Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

from xdsl_bufferization.dialects.shared.redefinition import (
    read_in_custom_form,
)
from xdsl_bufferization.host.releases import parse_operand
from xdsl_bufferization.support.shaped_types import i1_of_same_shape


def unit_properties(**flags: bool) -> dict[str, Attribute]:
    """A unit property for each flag that is set."""
    return {name: UnitAttr() for name, value in flags.items() if value}


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


def parse_induction_variables(parser: Parser) -> list[Parser.Argument]:
    """`(%i, %j)`, arguments that are indices."""
    arguments = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
    )
    return [argument.resolve(IndexType()) for argument in arguments]


Assignments = Sequence[tuple[Parser.UnresolvedArgument, UnresolvedOperand]]


def parse_assignments(parser: Parser) -> Assignments:
    """`(%a = %b, ...)`, or nothing."""
    assignments = parser.parse_optional_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parse_assignment(parser)
    )
    return assignments or ()


def resolve_assignments(
    parser: Parser, assignments: Assignments, types: Sequence[Attribute]
) -> tuple[Sequence[SSAValue], Sequence[Parser.Argument]]:
    """The values, and the arguments that they are assigned to, of these types."""
    if len(types) != len(assignments):
        parser.raise_error(
            f"{len(types)} types for {len(assignments)} iteration arguments"
        )
    values = [value for _, value in assignments]
    return parser.resolve_operands(values, types, parser.pos), [
        argument.resolve(type)
        for (argument, _), type in zip(assignments, types, strict=True)
    ]


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


def print_typed_operands(
    printer: Printer, operands: Sequence[SSAValue], colon: str = " : "
) -> None:
    """Prints `(%a, %b : type, type)`."""
    with printer.in_parens():
        printer.print_list(operands, printer.print_operand)
        printer.print_string(colon)
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


def parse_word(
    parser: Parser, meaning: str, names: Sequence[str], type: IntegerType = i64
) -> IntegerAttr[IntegerType]:
    """A number that is written as the name in its place, as a word or in quotes."""
    position = parser.pos
    name = parser.parse_optional_str_literal() or parser.parse_identifier()
    if name not in names:
        parser.raise_error(f"unknown {meaning} {name}", position, parser.pos)
    return IntegerAttr(names.index(name), type)


def words(
    meaning: str, names: Sequence[str], type: IntegerType = i64
) -> type[CustomDirective]:
    """
    The directive `custom<Word>($property)`, for what `parse_word` reads. The word of an optional
    property may be left out.
    """

    @irdl_custom_directive
    class Word(CustomDirective):
        number: AttributeVariable

        def parse(self, parser: Parser, state: ParsingState) -> None:
            if not self.number.is_optional:
                self.number.set(state, parse_word(parser, meaning, names, type))
                return
            found = filter(None, map(parser.parse_optional_keyword, names))
            if (name := next(found, None)) is not None:
                self.number.set(state, IntegerAttr(names.index(name), type))

        def print(
            self, printer: Printer, state: PrintingState, op: IRDLOperation
        ) -> None:
            if isinstance(number := self.number.get(op), IntegerAttr):
                state.print_whitespace(printer)
                printer.print_string(names[number.value.data])

    return Word


class UnprintedDirective(CustomDirective):
    """A directive that prints nothing, for types that are not written, or for generic form."""

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print nothing."""


def inferred(
    infer: Callable[[Sequence[Attribute]], Sequence[Attribute]],
) -> type[CustomDirective]:
    """
    The directive `custom<Inferred>(ref(type($a)), type($b))`, for types that are not written, since
    they follow from the type of an operand, or those of a variadic one.
    """

    @irdl_custom_directive
    class Inferred(UnprintedDirective):
        known: TypeDirective
        unwritten: TypeDirective

        def parse(self, parser: Parser, state: ParsingState) -> None:
            operand = cast("OperandVariable", self.known.inner)
            self.unwritten.set(state, infer(state.operand_types[operand.index] or ()))

    return Inferred


SAME = inferred(lambda types: types)
"""The types of the operand."""
TRUTH = inferred(lambda types: [*map(i1_of_same_shape, types)])
"""The type of a result with an `i1` for each number of the operand."""


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
    if operands:
        printer.print_string(f" {keyword}")
        print_typed_operands(printer, operands, colon)


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


def parse_integers(parser: Parser, keyword: str) -> list[int]:
    """`keyword = [1, 0]`."""
    parser.parse_keyword(keyword)
    parser.parse_punctuation("=")
    return parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, parser.parse_integer
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


ATOMIC_KINDS = (
    "addf addi andi assign maximumf maxnumf maxs maxu minimumf minnumf mins minu mulf muli "
    "ori xori"
).split()
"""The operations of atomic updates, in the order of their numbers."""


class PrefetchingOp(IRDLOperation):
    """`%memref[...], read, locality<3>, data {...} : type`"""

    memref = operand_def()
    indices = var_operand_def(IndexType())
    is_write = prop_def(BoolAttr, prop_name="isWrite")
    locality_hint = prop_def(IntegerAttr.constr(i32), prop_name="localityHint")
    is_data_cache = prop_def(BoolAttr, prop_name="isDataCache")


def prefetching(
    position: str, **directives: type[CustomDirective]
) -> Callable[[type[PrefetchingOp]], type[PrefetchingOp]]:
    """The custom form of a `PrefetchingOp`, with the form of the position."""
    return read_in_custom_form(
        f"$memref {position} `,` custom<Access>($isWrite) `,` `locality` `<` $localityHint `>` "
        "`,` custom<Cache>($isDataCache) attr-dict `:` type($memref)",
        Access=words("access", ("read", "write"), i1),
        Cache=words("cache", ("instr", "data"), i1),
        **directives,
    )
