"""
References to functions, and calls through them.

Source: https://mlir.llvm.org/docs/Dialects/Func/
"""

from __future__ import annotations

from typing import Self

from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, SymbolRefAttr
from xdsl.ir import Operation
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
from xdsl.traits import Pure

from xdsl_bufferization.dialects.func.syntax import FuncOp
from xdsl_bufferization.support.printing import print_in_generic_form_if


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


def _is_declaration_with_attributes(op: Operation) -> bool:
    """Whether xDSL loses attributes of arguments, which it looks for in the body."""
    assert isinstance(op, func.FuncOp)
    return not op.body.blocks and any(a.data for a in op.arg_attrs or ())


print_in_generic_form_if(_is_declaration_with_attributes, [FuncOp.name])
