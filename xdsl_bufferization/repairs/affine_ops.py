"""Attributes of affine ops, and the dimensions of their maps, which xDSL takes for symbols."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.affine import (
    ApplyOp,
    LoadOp,
    MinOp,
    StoreOp,
    VectorLoadOp,
    VectorStoreOp,
)
from xdsl.dialects.builtin import (
    AffineMapAttr,
    IndexType,
    MemRefType,
    UnitAttr,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.parser import Parser
from xdsl.printer import Printer

from xdsl_bufferization.repairs.affine_syntax import (
    parse_map_of_values,
    parse_operands_of_map,
    print_map_of_values,
    print_operands_of_map,
)


def parse_map_op(cls: type[Operation], parser: Parser) -> Any:
    """`affine_map<...>(%i)[%j] {...}`, the syntax of `affine.apply`, `min` and `max`."""
    position = parser.pos
    map = parser.parse_attribute()
    if not isinstance(map, AffineMapAttr):
        parser.raise_error("Expected affine map attr", position, parser.pos)
    dimensions, symbols = parse_operands_of_map(parser)
    return cls.create(
        operands=(*dimensions, *symbols),
        result_types=(IndexType(),),
        properties={"map": map},
        attributes=parser.parse_optional_attr_dict(),
    )


def print_map_op(self: Operation, printer: Printer) -> None:
    map = cast("AffineMapAttr", self.properties["map"])
    printer.print_string(" ")
    printer.print_attribute(map)
    printer.print_string(" ")
    print_operands_of_map(printer, map.data.num_dims, self.operands)
    printer.print_op_attributes(self.attributes)


def _parse_access(
    parser: Parser, vector_op: str | None
) -> tuple[Attribute, Sequence[SSAValue], dict[str, Any]]:
    """
    `%memref[%i] {...} : type`, and `, type` for a vector. The type of the value, the
    operands, and the properties and attributes. A vector is expected by `vector_op`, unless
    that is `None`.
    """
    memref = parser.parse_unresolved_operand()
    map, indices = parse_map_of_values(parser)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    position = parser.pos
    type = parser.parse_type()
    if not isinstance(type, MemRefType):
        parser.raise_error("memref type expected", position, parser.pos)
    type = cast("MemRefType[Attribute]", type)
    value_type = type.element_type
    if vector_op is not None:
        parser.parse_punctuation(",")
        position = parser.pos
        value_type = parser.parse_type()
        if value_type.name != VectorType.name:
            parser.raise_error(
                f"Expected {vector_op} a vector, but found: {value_type}",
                position,
                parser.pos,
            )
    operands = (parser.resolve_operand(memref, type), *indices)
    rest = {"properties": {"map": map}, "attributes": attributes}
    return value_type, operands, rest


def _parse_load(cls: type[Operation], parser: Parser) -> Operation:
    vector_op = f"{cls.name} to return" if issubclass(cls, VectorLoadOp) else None
    value_type, operands, rest = _parse_access(parser, vector_op)
    return cls.create(operands=operands, result_types=(value_type,), **rest)


def _parse_store(cls: type[Operation], parser: Parser) -> Operation:
    name = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    vector_op = f"{cls.name} to store" if issubclass(cls, VectorStoreOp) else None
    value_type, operands, rest = _parse_access(parser, vector_op)
    value = parser.resolve_operand(name, value_type)
    return cls.create(operands=(value, *operands), **rest)


def _print_access(
    self: LoadOp | StoreOp | VectorLoadOp | VectorStoreOp, printer: Printer
) -> None:
    printer.print_string(" ")
    vector: Attribute | None = None
    if isinstance(self, StoreOp | VectorStoreOp):
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        vector = self.value.type if isinstance(self, VectorStoreOp) else None
    elif isinstance(self, VectorLoadOp):
        vector = self.result.type
    printer.print_ssa_value(self.memref)
    print_map_of_values(printer, self.map.data, self.indices)
    printer.print_op_attributes(self.attributes)
    printer.print_string(" : ")
    printer.print_attribute(self.memref.type)
    if vector is not None:
        printer.print_string(", ")
        printer.print_attribute(vector)


def is_broken() -> bool:
    op = ApplyOp((), AffineMapAttr(AffineMap.constant_map(0)))
    op.attributes["mark"] = UnitAttr()
    return "mark" not in str(op)


def mend() -> None:
    for op, parse, print in (
        (ApplyOp, parse_map_op, print_map_op),
        (MinOp, parse_map_op, print_map_op),
        (LoadOp, _parse_load, _print_access),
        (StoreOp, _parse_store, _print_access),
        (VectorLoadOp, _parse_load, _print_access),
        (VectorStoreOp, _parse_store, _print_access),
    ):
        setattr(op, "parse", classmethod(parse))  # noqa: B010 # of another type
        setattr(op, "print", print)  # noqa: B010
