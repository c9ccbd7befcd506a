"""Attributes of linalg ops with a syntax of their own, which xDSL loses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    MemRefType,
    StringAttr,
    UnitAttr,
    f32,
    i64,
)
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.dialects.linalg.ops import BroadcastOp, GenericOp, ReduceOp, TransposeOp
from xdsl.ir import Attribute, Block, Operation
from xdsl.parser import Parser
from xdsl.printer import Printer

from xdsl_bufferization.repairs.linalg_operands import (
    parse_integers,
    parse_operands,
    parse_result_types,
    print_attributes,
    print_body,
    print_integers,
    print_operands,
)


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


def _parse_transpose(cls: type[TransposeOp], parser: Parser) -> TransposeOp:
    return _parse_two_operands(cls, parser, "permutation")


def _print_transpose(op: Operation, printer: Printer) -> None:
    _print_two_operands(op, printer, "permutation")


def _parse_broadcast(cls: type[BroadcastOp], parser: Parser) -> BroadcastOp:
    return _parse_two_operands(cls, parser, "dimensions")


def _print_broadcast(op: Operation, printer: Printer) -> None:
    _print_two_operands(op, printer, "dimensions")


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
    for type in cast("ArrayAttr[Attribute]", written):
        if isinstance(type, StringAttr):
            names = {str(name) for name in IteratorType}
            if type.data not in names:
                parser.raise_error(f"Unknown iterator type {type}")
            type = IteratorTypeAttr(IteratorType(type.data))
        types.append(type)
    return ArrayAttr(types)


def _parse_trait(parser: Parser) -> dict[str, Attribute]:
    """`{indexing_maps = ..., ...}`, or an alias of such a dictionary."""
    position = parser.pos
    attributes = parser.parse_optional_attr_dict()
    if not attributes:
        written = parser.parse_attribute()
        data = getattr(written, "data", None)
        if not isinstance(data, dict):
            parser.raise_error("dictionary expected", position, parser.pos)
        attributes = {**cast("dict[str, Attribute]", data)}
    if not isinstance(attributes.get("indexing_maps"), ArrayAttr):
        parser.raise_error(
            "Expected indexing_maps for linalg.generic", position, parser.pos
        )
    return attributes


def _parse_generic(cls: type[GenericOp], parser: Parser) -> GenericOp:
    trait = _parse_trait(parser)
    properties: dict[str, Attribute] = {
        "indexing_maps": trait.pop("indexing_maps"),
        "iterator_types": _iterator_types(parser, trait.pop("iterator_types", None)),
    }
    for name in ("doc", "library_call"):
        if isinstance(trait.get(name), StringAttr):
            properties[name] = trait.pop(name)
    inputs, outputs = parse_operands(parser, "ins"), parse_operands(parser, "outs")
    if parser.parse_optional_keyword("attrs"):
        parser.parse_punctuation("=")
        trait |= parser.parse_optional_attr_dict()
    body = parser.parse_region()
    return cls.build(
        operands=(inputs, outputs),
        result_types=(parse_result_types(parser),),
        properties=properties,
        attributes=trait,
        regions=(body,),
    )


def is_broken() -> bool:
    vector = MemRefType(f32, [2])
    a, b = Block(arg_types=[vector] * 2).args
    op = TransposeOp(a, b, DenseArrayBase.from_list(i64, [0]))
    op.attributes["mark"] = UnitAttr()
    return "mark" not in str(op)


def mend() -> None:
    replacements: Sequence[tuple[type[Operation], str, Any]] = (
        (TransposeOp, "parse", classmethod(_parse_transpose)),
        (TransposeOp, "print", _print_transpose),
        (BroadcastOp, "parse", classmethod(_parse_broadcast)),
        (BroadcastOp, "print", _print_broadcast),
        (ReduceOp, "print", print_reduce),
        (GenericOp, "parse", classmethod(_parse_generic)),
    )
    for op, name, function in replacements:
        setattr(op, name, function)
