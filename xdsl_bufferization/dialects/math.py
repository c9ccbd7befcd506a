"""
xDSL's `math` dialect, with the ops that it lacks.

Source: https://mlir.llvm.org/docs/Dialects/MathOps/
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects import math
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import AnyFloat, IntegerType
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from xdsl_bufferization.support.extensions import Extension
from xdsl_bufferization.support.xdsl_releases import container_of

_FLOATS = container_of(AnyFloat)
_NO_FLAGS = FastMathFlagsAttr("none")


@irdl_op_definition
class ErfcOp(math.FloatingPointLikeUnaryMathOperation):
    """
    One minus the error function of a float, or of each element.

    https://mlir.llvm.org/docs/Dialects/MathOps/#matherfc-matherfcop
    """

    name = "math.erfc"

    traits = traits_def(Pure())


@irdl_op_definition
class SincosOp(IRDLOperation):
    """
    The sine and the cosine of a float.

    https://mlir.llvm.org/docs/Dialects/MathOps/#mathsincos-mathsincosop
    """

    name = "math.sincos"

    T: ClassVar = VarConstraint("T", _FLOATS)

    operand = operand_def(T)
    sin = result_def(T)
    cos = result_def(T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=_NO_FLAGS)

    traits = traits_def(Pure())

    assembly_format = (
        "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($operand)"
    )


@irdl_op_definition
class ClampFOp(IRDLOperation):
    """
    A float, limited to the range from `min` to `max`.

    https://mlir.llvm.org/docs/Dialects/MathOps/#mathclampf-mathclampfop
    """

    name = "math.clampf"

    T: ClassVar = VarConstraint("T", _FLOATS)

    value = operand_def(T)
    min = operand_def(T)
    max = operand_def(T)
    result = result_def(T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=_NO_FLAGS)

    traits = traits_def(Pure())

    assembly_format = (
        "$value `to` ` ` `[` $min `,` $max `]` (`fastmath` `` $fastmath^)? attr-dict "
        "`:` type($result)"
    )


class _ClassificationOp(IRDLOperation):
    """Whether a number is of some kind."""

    operand = operand_def(AnyFloat)
    result = result_def(IntegerType(1))
    fastmath = prop_def(FastMathFlagsAttr, default_value=_NO_FLAGS)

    traits = traits_def(Pure())

    assembly_format = (
        "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($operand)"
    )


@irdl_op_definition
class IsFiniteOp(_ClassificationOp):
    """
    Whether a float is neither infinite nor NaN.

    https://mlir.llvm.org/docs/Dialects/MathOps/#mathisfinite-mathisfiniteop
    """

    name = "math.isfinite"


@irdl_op_definition
class IsInfOp(_ClassificationOp):
    """
    Whether a float is infinite.

    https://mlir.llvm.org/docs/Dialects/MathOps/#mathisinf-mathisinfop
    """

    name = "math.isinf"


@irdl_op_definition
class IsNaNOp(_ClassificationOp):
    """
    Whether a float is NaN.

    https://mlir.llvm.org/docs/Dialects/MathOps/#mathisnan-mathisnanop
    """

    name = "math.isnan"


@irdl_op_definition
class IsNormalOp(_ClassificationOp):
    """
    Whether a float is neither zero, subnormal, infinite nor NaN.

    https://mlir.llvm.org/docs/Dialects/MathOps/#mathisnormal-mathisnormalop
    """

    name = "math.isnormal"


EXTENSION = Extension(
    [ClampFOp, ErfcOp, IsFiniteOp, IsInfOp, IsNaNOp, IsNormalOp, SincosOp]
)
