"""
`linalg.pack` and `linalg.unpack`.

Source: https://mlir.llvm.org/docs/Dialects/Linalg/#linalgpack-linalgpackop
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, i64
from xdsl.dialects.utils import parse_dynamic_index_list_without_types
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

from xdsl_bufferization.dialects.shared.structured_syntax import (
    parse_integers,
    parse_optional_integers,
)
from xdsl_bufferization.support.shaped_types import is_tensor


class _PackingOp(IRDLOperation):
    """Operands and properties of both ops."""

    source = operand_def()
    dest = operand_def()
    inner_tiles = var_operand_def(IndexType())
    result = var_result_def()

    outer_dims_perm = opt_prop_def(DenseArrayBase.constr(i64))
    inner_dims_pos = prop_def(DenseArrayBase.constr(i64))
    static_inner_tiles = prop_def(DenseArrayBase.constr(i64))

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
        order = parse_optional_integers(parser, "outer_dims_perm")
        if order is not None:
            properties["outer_dims_perm"] = DenseArrayBase.from_list(i64, order)
        positions = parse_integers(parser, "inner_dims_pos")
        properties["inner_dims_pos"] = DenseArrayBase.from_list(i64, positions)
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
