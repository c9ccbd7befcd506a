"""
Ops that convert numbers, for tensors and vectors of numbers, too, and with all flags; and other
ops that xDSL lacks, or knows in part.

Source: https://mlir.llvm.org/docs/Dialects/ArithOps/
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    IndexType,
    IntegerAttr,
    IntegerType,
    ShapedType,
    TensorType,
    UnrankedTensorType,
    VectorType,
    i32,
)
from xdsl.ir import Attribute, Operation
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.redefinition import PureOp, derive, refined
from xdsl_bufferization.dialects.shared.syntax import words
from xdsl_bufferization.support.printing import (
    has_unknown_properties,
    print_in_generic_form_if,
)
from xdsl_bufferization.support.shaped_types import i1_of_same_shape

_SHAPED = TensorType, UnrankedTensorType, VectorType


def number_type(type: Attribute) -> Attribute:
    """The type of a number, or of the elements."""
    if isinstance(type, TensorType | UnrankedTensorType | VectorType):
        return type.element_type
    return type


def have_same_shape(a: Attribute, b: Attribute) -> bool:
    """Whether both are numbers, or have as many elements in each dimension."""
    kinds = [
        next((kind for kind in _SHAPED if isinstance(type, kind)), None)
        for type in (a, b)
    ]
    return kinds[0] is kinds[1] and (
        not (isinstance(a, ShapedType) and isinstance(b, ShapedType))
        or a.get_shape() == b.get_shape()
    )


_ROUNDING_MODES = (
    "to_nearest_even",
    "downward",
    "upward",
    "toward_zero",
    "to_nearest_away",
)
FASTMATH = "(`fastmath` `` $fastmath^)?"
_FLAGS = {
    "roundingmode": "custom<RoundingMode>($roundingmode)",
    "fastmath": FASTMATH,
    "overflowFlags": "(`overflow` `` $overflowFlags^)?",
}
"""The flags of ops, by property, in the order in which they are written."""


def _derive(
    general: type[IRDLOperation],
    name: str,
    summary: str,
    operands: str,
    types: str,
    *properties: str,
    base: type[IRDLOperation] | None = None,
    verify: Callable[[Any], None] | None = None,
) -> type[Operation]:
    """An op that is like `general`, with the flags that are among the properties."""
    known = general.get_irdl_definition().properties
    flags = " ".join(form for flag, form in _FLAGS.items() if flag in properties)
    return derive(
        general,
        name,
        summary,
        base=base,
        properties={name: known[name] for name in properties},
        verify=verify,
        assembly_format=f"{operands} {flags} attr-dict `:` {types} `to` type($result)",
        directives={"RoundingMode": words("rounding mode", _ROUNDING_MODES, i32)},
    )


@irdl_op_definition
class ConversionOp(IRDLOperation):
    """A number as one of another type. The subclasses differ in names and flags."""

    name = "arith.conversion"

    input = operand_def()
    result = result_def()

    fastmath = opt_prop_def(arith.FastMathFlagsAttr)
    overflow_flags = opt_prop_def(arith.IntegerOverflowAttr, prop_name="overflowFlags")
    roundingmode = opt_prop_def(IntegerAttr.constr(i32))


def _bits(type: Attribute) -> int:
    return type.bitwidth if isinstance(type, AnyFloat | IntegerType) else 0


def _widens(kind: type[Attribute] | Any) -> Callable[[Attribute, Attribute], bool]:
    return lambda a, b: (
        isinstance(a, kind) and isinstance(b, kind) and _bits(a) < _bits(b)
    )


def _narrows(kind: type[Attribute] | Any) -> Callable[[Attribute, Attribute], bool]:
    wider = _widens(kind)
    return lambda a, b: wider(b, a)


def _from_to(source: Any, target: Any) -> Callable[[Attribute, Attribute], bool]:
    return lambda a, b: isinstance(a, source) and isinstance(b, target)


def _are_index_and_integer(source: Attribute, target: Attribute) -> bool:
    return {type(source), type(target)} == {IndexType, IntegerType}


def _conversion(
    name: str,
    summary: str,
    is_valid: Callable[[Attribute, Attribute], bool],
    *properties: str,
    base: type[IRDLOperation] | None = None,
) -> type[Operation]:
    """The op with the properties, for numbers of types that may be converted."""

    def verify(op: ConversionOp) -> None:
        before, after = op.input.type, op.result.type
        if not have_same_shape(before, after) or not is_valid(
            number_type(before), number_type(after)
        ):
            raise VerifyException(
                f"'{op.name}' op operand type '{before}' and result type '{after}' are "
                "cast incompatible"
            )

    return _derive(
        ConversionOp,
        name,
        summary,
        "$input",
        "type($input)",
        *properties,
        base=base,
        verify=verify,
    )


def _define(
    base: type[IRDLOperation],
    summary: str,
    is_valid: Callable[[Attribute, Attribute], bool],
    *properties: str,
) -> type[Operation]:
    return _conversion(base.name, summary, is_valid, *properties, base=base)


ExtSIOp = _define(
    arith.ExtSIOp, "A signed integer as a wider one.", _widens(IntegerType)
)
ExtUIOp = _define(
    arith.ExtUIOp, "An unsigned integer as a wider one.", _widens(IntegerType)
)
TruncIOp = _define(
    arith.TruncIOp,
    "An integer as a narrower one.",
    _narrows(IntegerType),
    "overflowFlags",
)
ExtFOp = _define(arith.ExtFOp, "A float as a wider one.", _widens(AnyFloat), "fastmath")
TruncFOp = _define(
    arith.TruncFOp,
    "A float as a narrower one.",
    _narrows(AnyFloat),
    "fastmath",
    "roundingmode",
)
SIToFPOp = _define(
    arith.SIToFPOp, "A signed integer as a float.", _from_to(IntegerType, AnyFloat)
)
UIToFPOp = _define(
    arith.UIToFPOp, "An unsigned integer as a float.", _from_to(IntegerType, AnyFloat)
)
FPToSIOp = _define(
    arith.FPToSIOp, "A float as a signed integer.", _from_to(AnyFloat, IntegerType)
)
FPToUIOp = _define(
    arith.FPToUIOp, "A float as an unsigned integer.", _from_to(AnyFloat, IntegerType)
)

IndexCastOp = _define(
    arith.IndexCastOp,
    "Integers as indices, or indices as integers, extended with the sign.",
    _are_index_and_integer,
)
IndexCastuiOp = _conversion(
    "arith.index_castui",
    "Integers as indices, or indices as integers, extended with zeros.",
    _are_index_and_integer,
)
CONVERSIONS = [
    IndexCastOp,
    IndexCastuiOp,
    ExtSIOp,
    ExtUIOp,
    TruncIOp,
    ExtFOp,
    TruncFOp,
    SIToFPOp,
    UIToFPOp,
    FPToSIOp,
    FPToUIOp,
]
"""The classes of the ops."""

print_in_generic_form_if(has_unknown_properties, [op.name for op in CONVERSIONS])


@irdl_op_definition
class RemfOp(arith.FloatingPointLikeBinaryOperation):
    """
    The remainder of a division of floats, with the sign of the dividend.

    https://mlir.llvm.org/docs/Dialects/ArithOps/#arithremf-arithremfop
    """

    name = "arith.remf"

    traits = traits_def(Pure())


@refined()
class AddUIExtendedOp(arith.AddUIExtendedOp):
    """
    The sum of unsigned integers or indices, and whether it overflows; xDSL's op fails for
    indices.

    https://mlir.llvm.org/docs/Dialects/ArithOps/#arithaddui_extended-arithadduiextendedop
    """

    def verify_(self) -> None:
        if self.overflow.type != (expected := i1_of_same_shape(self.lhs.type)):
            raise VerifyException(
                f"overflow type {self.overflow.type} does not match input types "
                f"{self.lhs.type}. Expected {expected}"
            )

    @staticmethod
    def infer_overflow_type(input_type: Attribute) -> Attribute:
        return i1_of_same_shape(input_type)


@irdl_op_definition
class ScalingOp(PureOp):
    """A conversion between floats, with a scale. The subclasses differ in their names."""

    name = "arith.scaling"

    input = operand_def()
    scale = operand_def()
    result = result_def()
    fastmath = opt_prop_def(arith.FastMathFlagsAttr)
    roundingmode = opt_prop_def(IntegerAttr.constr(i32))


def _scaling(name: str, summary: str, *properties: str) -> type[Operation]:
    operands, types = "$input `,` $scale", "type($input) `,` type($scale)"
    return _derive(ScalingOp, name, summary, operands, types, *properties)


ScalingExtfOp = _scaling(
    "arith.scaling_extf", "A float, times a scale, as a wider float.", "fastmath"
)
ScalingTruncfOp = _scaling(
    "arith.scaling_truncf",
    "A float, divided by a scale, as a narrower float.",
    "fastmath",
    "roundingmode",
)
SCALING_OPS = [ScalingExtfOp, ScalingTruncfOp]
"""The classes of the ops."""
