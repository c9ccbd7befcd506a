"""
xDSL's `math` dialect, with the ops that it lacks.

Source: https://mlir.llvm.org/docs/Dialects/MathOps/
"""

from __future__ import annotations

from xdsl.dialects import math
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.irdl import (
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.redefinition import (
    FLOATS,
    PureOp,
    read_in_custom_form,
)
from xdsl_bufferization.dialects.shared.syntax import TRUTH
from xdsl_bufferization.host.extensions import Extension
from xdsl_bufferization.support.shaped_types import i1_of_same_shape

_T = VarConstraint("T", FLOATS)
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
class SincosOp(PureOp):
    """
    The sine and the cosine of a float, or of each element.

    https://mlir.llvm.org/docs/Dialects/MathOps/#mathsincos-mathsincosop
    """

    name = "math.sincos"

    operand = operand_def(_T)
    sin = result_def(_T)
    cos = result_def(_T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=_NO_FLAGS)

    assembly_format = (
        "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($operand)"
    )


@irdl_op_definition
class ClampFOp(PureOp):
    """
    A float, or each element, limited to the range from `min` to `max`.

    https://mlir.llvm.org/docs/Dialects/MathOps/#mathclampf-mathclampfop
    """

    name = "math.clampf"

    value = operand_def(_T)
    min = operand_def(_T)
    max = operand_def(_T)
    result = result_def(_T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=_NO_FLAGS)

    assembly_format = (
        "$value `to` ` ` `[` $min `,` $max `]` (`fastmath` `` $fastmath^)? attr-dict "
        "`:` type($result)"
    )


_classification = read_in_custom_form(
    "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($operand) "
    "custom<Truth>(ref(type($operand)), type($result))",
    Truth=TRUTH,
)


class _ClassificationOp(PureOp):
    """Whether a float is of some kind, or each element."""

    operand = operand_def(FLOATS)
    result = result_def()
    fastmath = prop_def(FastMathFlagsAttr, default_value=_NO_FLAGS)

    def verify_(self) -> None:
        if self.result.type != i1_of_same_shape(self.operand.type):
            raise VerifyException(
                f"the result for {self.operand.type} must be of type "
                f"{i1_of_same_shape(self.operand.type)}"
            )


@_classification
@irdl_op_definition
class IsFiniteOp(_ClassificationOp):
    """
    Whether a float is neither infinite nor NaN, or each element.

    https://mlir.llvm.org/docs/Dialects/MathOps/#mathisfinite-mathisfiniteop
    """

    name = "math.isfinite"


@_classification
@irdl_op_definition
class IsInfOp(_ClassificationOp):
    """
    Whether a float is infinite, or each element.

    https://mlir.llvm.org/docs/Dialects/MathOps/#mathisinf-mathisinfop
    """

    name = "math.isinf"


@_classification
@irdl_op_definition
class IsNaNOp(_ClassificationOp):
    """
    Whether a float is NaN, or each element.

    https://mlir.llvm.org/docs/Dialects/MathOps/#mathisnan-mathisnanop
    """

    name = "math.isnan"


@_classification
@irdl_op_definition
class IsNormalOp(_ClassificationOp):
    """
    Whether a float is neither zero, subnormal, infinite nor NaN, or each element.

    https://mlir.llvm.org/docs/Dialects/MathOps/#mathisnormal-mathisnormalop
    """

    name = "math.isnormal"


EXTENSION = Extension(
    [ClampFOp, ErfcOp, IsFiniteOp, IsInfOp, IsNaNOp, IsNormalOp, SincosOp],
    repair="unranked_math",
)
