"""
Ops of arith that xDSL lacks, or knows in part.

Source: https://mlir.llvm.org/docs/Dialects/ArithOps/
"""

from __future__ import annotations

from typing import Self

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.arith.conversions import parse_flags
from xdsl_bufferization.dialects.shared.redefinition import derive
from xdsl_bufferization.support.shaped_types import i1_of_same_shape


@irdl_op_definition
class RemfOp(arith.FloatingPointLikeBinaryOperation):
    """
    The remainder of a division of floats, with the sign of the dividend.

    https://mlir.llvm.org/docs/Dialects/ArithOps/#arithremf-arithremfop
    """

    name = "arith.remf"

    traits = traits_def(Pure())


class AddUIExtendedOp(arith.AddUIExtendedOp):
    """
    The sum of unsigned integers or indices, and whether it overflows; xDSL's op fails for
    indices.

    https://mlir.llvm.org/docs/Dialects/ArithOps/#arithaddui_extended-arithadduiextendedop
    """

    def verify_(self) -> None:
        self.get_irdl_definition().verify(self)
        if self.overflow.type != (expected := i1_of_same_shape(self.lhs.type)):
            raise VerifyException(
                f"overflow type {self.overflow.type} does not match input types "
                f"{self.lhs.type}. Expected {expected}"
            )

    @staticmethod
    def infer_overflow_type(input_type: Attribute) -> Attribute:
        return i1_of_same_shape(input_type)


@irdl_op_definition
class ScalingOp(IRDLOperation):
    """A conversion between floats, with a scale. The subclasses differ in their names."""

    name = "arith.scaling"

    input = operand_def()
    scale = operand_def()
    result = result_def()
    fastmath = opt_prop_def(arith.FastMathFlagsAttr)
    roundingmode = opt_prop_def(IntegerAttr.constr(i32))

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        operands = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        properties = parse_flags(parser, cls.get_irdl_definition().properties)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_type
        )
        parser.parse_keyword("to")
        return cls.build(
            operands=parser.resolve_operands(operands, types, position),
            result_types=(parser.parse_type(),),
            properties=properties,
            attributes=attributes,
        )


_SCALING = ScalingOp.get_irdl_definition().properties

ScalingExtfOp = derive(
    ScalingOp,
    "arith.scaling_extf",
    "A float, times a scale, as a wider float.",
    properties={"fastmath": _SCALING["fastmath"]},
)
ScalingTruncfOp = derive(
    ScalingOp,
    "arith.scaling_truncf",
    "A float, divided by a scale, as a narrower float.",
)

SCALING_OPS = [ScalingExtfOp, ScalingTruncfOp]
"""The classes of the ops."""
