"""Attributes of `tensor.empty`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import IndexType, TensorType, UnitAttr, f32
from xdsl.dialects.tensor import EmptyOp
from xdsl.parser import Parser
from xdsl.printer import Printer


def _print(self: EmptyOp, printer: Printer) -> None:
    with printer.in_parens():
        printer.print_list(self.dynamic_sizes, printer.print_ssa_value)
    printer.print_op_attributes(self.attributes)
    printer.print_string(" : ")
    printer.print_attribute(self.tensor.type)


def _parse(cls: type[EmptyOp], parser: Parser) -> EmptyOp:
    position = parser.pos
    sizes = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, parser.parse_unresolved_operand
    )
    types: Sequence[Any] = [IndexType()] * len(sizes)
    operands = parser.resolve_operands(sizes, types, position)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    op = cls(operands, parser.parse_type())
    op.attributes |= attributes
    return op


def is_broken() -> bool:
    op = EmptyOp((), TensorType(f32, []))
    op.attributes["mark"] = UnitAttr()
    return "mark" not in str(op)


def mend() -> None:
    EmptyOp.print = _print
    setattr(EmptyOp, "parse", classmethod(_parse))  # noqa: B010 # of another type
