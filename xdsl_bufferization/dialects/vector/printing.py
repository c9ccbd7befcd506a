"""
`vector.print`.

Source: https://mlir.llvm.org/docs/Dialects/Vector/#vectorprint-vectorprintop
"""

from __future__ import annotations

from typing import Self

from xdsl.dialects import vector
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, opt_operand_def, opt_prop_def
from xdsl.parser import Parser

from xdsl_bufferization.dialects.shared.redefinition import Redefinition
from xdsl_bufferization.dialects.vector.attributes import Punctuation, PunctuationAttr

_NEWLINE = PunctuationAttr(Punctuation.NEWLINE)


@irdl_op_definition
class PrintOp(Redefinition, vector.PrintOp):
    """
    Prints a value, a text or punctuation; xDSL's op prints values only. It is read in custom
    form, too, and printed in generic form.
    """

    name = "vector.print"

    source = opt_operand_def()
    punctuation = opt_prop_def(PunctuationAttr)
    string_literal = opt_prop_def(StringAttr, prop_name="stringLiteral")

    def __init__(
        self, source: SSAValue | None = None, punctuation: PunctuationAttr = _NEWLINE
    ):
        IRDLOperation.__init__(
            self, operands=(source,), properties={"punctuation": punctuation}
        )

    def verify_(self) -> None:
        """The constraints of the fields are all there is to verify."""

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        source: SSAValue | None = None
        properties: dict[str, Attribute] = {"punctuation": _NEWLINE}
        operand = parser.parse_optional_unresolved_operand()
        if operand is not None:
            parser.parse_punctuation(":")
            source = parser.resolve_operand(operand, parser.parse_type())
        elif parser.parse_optional_keyword("str"):
            properties["stringLiteral"] = StringAttr(parser.parse_str_literal())
        if parser.parse_optional_keyword("punctuation"):
            punctuation = PunctuationAttr.parse_parameter(parser)
            properties["punctuation"] = PunctuationAttr(punctuation)
        attributes = parser.parse_optional_attr_dict()
        return cls.build(
            operands=((source,) if source is not None else (),),
            properties=properties,
            attributes=attributes,
        )
