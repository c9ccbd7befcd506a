"""
xDSL's `func` dialect, with references to functions.

Source: https://mlir.llvm.org/docs/Dialects/Func/
"""

from __future__ import annotations

from typing import Self

from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, SymbolRefAttr
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from xdsl_bufferization import repairs
from xdsl_bufferization.dialects.superset import superset


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """
    A reference to a function.

    https://mlir.llvm.org/docs/Dialects/Func/#funcconstant-funcconstantop
    """

    name = "func.constant"

    value = prop_def(SymbolRefAttr)
    result = result_def(FunctionType)

    traits = traits_def(Pure())

    assembly_format = "attr-dict $value `:` type($result)"


@irdl_op_definition
class CallIndirectOp(IRDLOperation):
    """
    A call of a function that is a value.

    https://mlir.llvm.org/docs/Dialects/Func/#funccall_indirect-funccallindirectop
    """

    name = "func.call_indirect"

    callee = operand_def(FunctionType)
    callee_operands = var_operand_def()
    results_ = var_result_def()

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.callee)
        with printer.in_parens():
            printer.print_list(self.callee_operands, printer.print_operand)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.callee.type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        callee = parser.parse_unresolved_operand()
        position = parser.pos
        operands = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        if not isinstance(type, FunctionType):
            parser.raise_error(f"{type} is no function type")
        return cls.build(
            operands=(
                parser.resolve_operand(callee, type),
                parser.resolve_operands(operands, type.inputs.data, position),
            ),
            result_types=(type.outputs.data,),
            attributes=attributes,
        )


repairs.apply("func")

Func = superset(func.Func, adding=[CallIndirectOp, ConstantOp])
