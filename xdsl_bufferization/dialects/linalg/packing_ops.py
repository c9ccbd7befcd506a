"""
`linalg.pack` and `linalg.unpack`.

Source: https://mlir.llvm.org/docs/Dialects/Linalg/#linalgpack-linalgpackop
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, i64
from xdsl.dialects.utils import (
    parse_dynamic_index_list_without_types,
    print_dynamic_index_list,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from xdsl_bufferization.repairs.linalg_operands import parse_integers, print_integers
from xdsl_bufferization.support.shaped_types import is_tensor


class _PackingOp(IRDLOperation):
    """What both ops have."""

    source = operand_def()
    dest = operand_def()
    inner_tiles = var_operand_def(IndexType())
    result = var_result_def()

    outer_dims_perm = opt_prop_def(DenseArrayBase.constr(i64))
    inner_dims_pos = prop_def(DenseArrayBase.constr(i64))
    static_inner_tiles = prop_def(DenseArrayBase.constr(i64))

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.source)
        self.print_padding(printer)
        if self.outer_dims_perm is not None and len(self.outer_dims_perm):
            print_integers(
                printer, "outer_dims_perm", self.outer_dims_perm.get_values()
            )
        print_integers(printer, "inner_dims_pos", self.inner_dims_pos.get_values())
        printer.print_string(" inner_tiles = ")
        print_dynamic_index_list(
            printer,
            DYNAMIC_INDEX,
            self.inner_tiles,
            self.static_inner_tiles.get_values(),
        )
        printer.print_string(" into ")
        printer.print_operand(self.dest)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.dest.type)

    def print_padding(self, printer: Printer) -> None:
        """Prints the padding, if there is any."""

    @classmethod
    def parse_padding(cls, parser: Parser) -> Sequence[SSAValue]:
        """The padding, if there is any."""
        return ()

    @classmethod
    def make_operands(
        cls,
        source: SSAValue,
        dest: SSAValue,
        padding: Sequence[SSAValue],
        tiles: Sequence[SSAValue],
    ) -> Sequence[Any]:
        """The operands, in the order of the definition."""
        return (source, dest, tiles)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        source = parser.parse_unresolved_operand()
        padding = cls.parse_padding(parser)
        properties: dict[str, Attribute] = {}
        for keyword in ("outer_dims_perm", "inner_dims_pos"):
            if keyword == "inner_dims_pos" or _is_next(parser, keyword):
                numbers = parse_integers(parser, keyword)
                properties[keyword] = DenseArrayBase.from_list(i64, numbers)
        parser.parse_keyword("inner_tiles")
        parser.parse_punctuation("=")
        dynamic, static = parse_dynamic_index_list_without_types(parser, DYNAMIC_INDEX)
        properties["static_inner_tiles"] = DenseArrayBase.from_list(i64, static)
        tiles = [parser.resolve_operand(tile, IndexType()) for tile in dynamic]
        parser.parse_keyword("into")
        dest = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source = parser.resolve_operand(source, parser.parse_type())
        parser.parse_punctuation("->")
        dest = parser.resolve_operand(dest, parser.parse_type())
        return cls.build(
            operands=cls.make_operands(source, dest, padding, tiles),
            result_types=([dest.type] if is_tensor(dest) else [],),
            properties=properties,
            attributes=attributes,
        )


def _is_next(parser: Parser, keyword: str) -> bool:
    """Whether the keyword is next; it is not consumed."""
    return parser._current_token.text == keyword  # pyright: ignore[reportPrivateUsage]


@irdl_op_definition
class PackOp(_PackingOp):
    """
    Splits a tensor into tiles.

    https://mlir.llvm.org/docs/Dialects/Linalg/#linalgpack-linalgpackop
    """

    name = "linalg.pack"

    source = operand_def()
    dest = operand_def()
    padding_value = opt_operand_def()
    inner_tiles = var_operand_def(IndexType())

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def print_padding(self, printer: Printer) -> None:
        if self.padding_value is None:
            return
        printer.print_string(" padding_value")
        with printer.in_parens():
            printer.print_operand(self.padding_value)
            printer.print_string(" : ")
            printer.print_attribute(self.padding_value.type)

    @classmethod
    def parse_padding(cls, parser: Parser) -> Sequence[SSAValue]:
        if parser.parse_optional_keyword("padding_value") is None:
            return ()
        with parser.in_parens():
            value = parser.parse_unresolved_operand()
            parser.parse_punctuation(":")
            return (parser.resolve_operand(value, parser.parse_type()),)

    @classmethod
    def make_operands(
        cls,
        source: SSAValue,
        dest: SSAValue,
        padding: Sequence[SSAValue],
        tiles: Sequence[SSAValue],
    ) -> Sequence[Any]:
        return (source, dest, padding, tiles)


@irdl_op_definition
class UnpackOp(_PackingOp):
    """
    Puts a tensor together from tiles.

    https://mlir.llvm.org/docs/Dialects/Linalg/#linalgunpack-linalgunpackop
    """

    name = "linalg.unpack"
