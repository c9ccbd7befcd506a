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
        parser.raise_error("affine map expected", position, parser.pos)
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
    print_operands_of_map(printer, map.data.num_dims, self.operands)
    printer.print_op_attributes(self.attributes)


def _parse_access(
    parser: Parser, is_vector: bool
) -> tuple[Attribute, Sequence[SSAValue], dict[str, Any]]:
    """
    `%memref[%i] {...} : type`, and `, type` for a vector. The type of the value, the
    operands, and the properties and attributes.
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
    if is_vector:
        parser.parse_punctuation(",")
        value_type = parser.parse_type()
    operands = (parser.resolve_operand(memref, type), *indices)
    rest = {"properties": {"map": map}, "attributes": attributes}
    return value_type, operands, rest


def _parse_load(cls: type[Operation], parser: Parser) -> Operation:
    is_vector = issubclass(cls, VectorLoadOp)
    value_type, operands, rest = _parse_access(parser, is_vector)
    return cls.create(operands=operands, result_types=(value_type,), **rest)


def _parse_store(cls: type[Operation], parser: Parser) -> Operation:
    name = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    is_vector = issubclass(cls, VectorStoreOp)
    value_type, operands, rest = _parse_access(parser, is_vector)
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
