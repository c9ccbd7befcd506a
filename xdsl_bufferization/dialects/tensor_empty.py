"""
`tensor.empty`, with attributes.

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorempty-tensoremptyop
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from xdsl.dialects import tensor
from xdsl.dialects.builtin import IndexType
from xdsl.parser import Parser
from xdsl.printer import Printer

from xdsl_bufferization.support.printing import (
    has_attributes,
    print_in_generic_form_if,
)


class EmptyOp(tensor.EmptyOp):
    """A tensor with any contents; xDSL's op, with attributes."""

    def print(self, printer: Printer) -> None:
        with printer.in_parens():
            printer.print_list(self.dynamic_sizes, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.tensor.type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
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


print_in_generic_form_if(has_attributes, [EmptyOp.name])
