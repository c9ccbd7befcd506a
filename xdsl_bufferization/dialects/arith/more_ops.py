"""
Ops of arith that xDSL lacks.

Source: https://mlir.llvm.org/docs/Dialects/ArithOps/
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from xdsl_bufferization.dialects.redefinition import derive


@irdl_op_definition
class RemfOp(arith.FloatingPointLikeBinaryOperation):
    """
    The remainder of a division of floats, with the sign of the dividend.

    https://mlir.llvm.org/docs/Dialects/ArithOps/#arithremf-arithremfop
    """

    name = "arith.remf"

    traits = traits_def(Pure())


@irdl_op_definition
class ScalingOp(IRDLOperation):
    """A conversion between floats, with a scale. The subclasses differ in their names."""

    name = "arith.scaling"

    input = operand_def()
    scale = operand_def()
    result = result_def()
    fastmath = opt_prop_def(arith.FastMathFlagsAttr)

    traits = traits_def(Pure())

    assembly_format = (
        "$input `,` $scale (`fastmath` `` $fastmath^)? attr-dict `:` type($input) "
        "`,` type($scale) `to` type($result)"
    )


ScalingExtfOp = derive(
    ScalingOp,
    "arith.scaling_extf",
    "A float, times a scale, as a wider float.",
)
ScalingTruncfOp = derive(
    ScalingOp,
    "arith.scaling_truncf",
    "A float, divided by a scale, as a narrower float.",
)

SCALING_OPS = [ScalingExtfOp, ScalingTruncfOp]
"""The classes of the ops."""
