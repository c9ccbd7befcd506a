"""
Structured ops of linalg with a syntax of their own, with the attributes that xDSL loses.

Source: https://mlir.llvm.org/docs/Dialects/Linalg/
"""

from __future__ import annotations

from typing import Any, Self, TypeVar, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, Operation
from xdsl.parser import Parser
from xdsl.printer import Printer

from xdsl_bufferization.dialects.shared.structured_syntax import (
    parse_integers,
    parse_operands,
    parse_result_types,
    print_attributes,
    print_body,
    print_integers,
    print_operands,
)
from xdsl_bufferization.dialects.shared.syntax import add_attributes, parse_dictionary
from xdsl_bufferization.support.printing import (
    has_attributes,
    print_in_generic_form_if,
)
from xdsl_bufferization.support.xdsl_releases import linalg_attrs, linalg_ops

_TRAIT = "doc", "indexing_maps", "iterator_types", "library_call"
"""The properties of `linalg.generic`, which are written among its attributes."""

_GenericT = TypeVar("_GenericT", bound=linalg_ops.GenericOp)


def _parse_two_operands(cls: Any, parser: Parser, keyword: str) -> Any:
    """`ins(%a : type) outs(%b : type) keyword = [...] {...}`."""
    position = parser.pos
    operands = *parse_operands(parser, "ins"), *parse_operands(parser, "outs")
    if len(operands) != 2:
        parser.raise_error("one input and one output expected", position, parser.pos)
    numbers = parse_integers(parser, keyword)
    op = cls(*operands, DenseArrayBase.from_list(i64, numbers))
    op.attributes |= parser.parse_optional_attr_dict()
    return op


def _print_two_operands(op: Operation, printer: Printer, keyword: str) -> None:
    print_operands(printer, "ins", op.operands[:1], ":")
    print_operands(printer, "outs", op.operands[1:], ":")
    numbers = cast("DenseArrayBase[Any]", op.properties[keyword])
    print_integers(printer, keyword, numbers.get_values())
    print_attributes(printer, op)


def print_reduce(op: Operation, printer: Printer) -> None:
    half = len(op.operands) // 2
    print_operands(printer, "ins", op.operands[:half], ":")
    print_operands(printer, "outs", op.operands[half:], ":")
    dimensions = cast("DenseArrayBase[Any]", op.properties["dimensions"])
    print_integers(printer, "dimensions", dimensions.get_values())
    print_attributes(printer, op)
    printer.print_string("\n")
    print_body(printer, op)


def _iterator_types(parser: Parser, written: Attribute | None) -> ArrayAttr[Any]:
    if not isinstance(written, ArrayAttr):
        parser.raise_error("Expected iterator_types for linalg.generic")
    types: list[Attribute] = []
    for type in written:
        if isinstance(type, StringAttr):
            names = {str(name) for name in linalg_attrs.IteratorType}
            if type.data not in names:
                parser.raise_error(f"Unknown iterator type {type}")
            type = linalg_attrs.IteratorTypeAttr(linalg_attrs.IteratorType(type.data))
        types.append(type)
    return ArrayAttr(types)


def _parse_trait(parser: Parser) -> dict[str, Attribute]:
    """`{indexing_maps = ..., ...}`, or an alias of such a dictionary, and maybe `{...}`."""
    position = parser.pos
    attributes = parse_dictionary(parser)
    if not isinstance(attributes.get("indexing_maps"), ArrayAttr):
        parser.raise_error(
            "Expected indexing_maps for linalg.generic", position, parser.pos
        )
    attributes["iterator_types"] = _iterator_types(
        parser, attributes.get("iterator_types")
    )
    add_attributes(parser, attributes, parser.parse_optional_attr_dict())
    return attributes


def _parse_generic(cls: type[_GenericT], parser: Parser) -> _GenericT:
    attributes = _parse_trait(parser)
    inputs, outputs = parse_operands(parser, "ins"), parse_operands(parser, "outs")
    if parser.parse_optional_keyword("attrs"):
        parser.parse_punctuation("=")
        add_attributes(parser, attributes, parser.parse_optional_attr_dict())
    body = parser.parse_region()
    properties: dict[str, Attribute] = {
        name: attributes.pop(name) for name in _TRAIT if name in attributes
    }
    return cls.build(
        operands=(inputs, outputs),
        result_types=(parse_result_types(parser),),
        properties=properties,
        attributes=attributes,
        regions=(body,),
    )


class TransposeOp(linalg_ops.TransposeOp):
    """
    A permutation of dimensions; xDSL's op, with attributes.

    https://mlir.llvm.org/docs/Dialects/Linalg/#linalgtranspose-linalgtransposeop
    """

    def print(self, printer: Printer) -> None:
        _print_two_operands(self, printer, "permutation")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return _parse_two_operands(cls, parser, "permutation")


class BroadcastOp(linalg_ops.BroadcastOp):
    """
    Copies along new dimensions; xDSL's op, with attributes.

    https://mlir.llvm.org/docs/Dialects/Linalg/#linalgbroadcast-linalgbroadcastop
    """

    def print(self, printer: Printer) -> None:
        _print_two_operands(self, printer, "dimensions")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return _parse_two_operands(cls, parser, "dimensions")


class GenericOp(linalg_ops.GenericOp):
    """
    A loop nest; xDSL's op, with the attributes before its indexing maps.

    https://mlir.llvm.org/docs/Dialects/Linalg/#linalggeneric-linalggenericop
    """

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return _parse_generic(cls, parser)


print_in_generic_form_if(lambda op: len(op.results) > 1, [GenericOp.name])
print_in_generic_form_if(
    has_attributes, [TransposeOp.name, BroadcastOp.name, linalg_ops.ReduceOp.name]
)
