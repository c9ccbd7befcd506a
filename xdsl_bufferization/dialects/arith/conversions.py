"""
Ops that convert numbers, for tensors and vectors of numbers, too, and with all flags; and other
ops that xDSL lacks, or knows in part.

Source: https://mlir.llvm.org/docs/Dialects/ArithOps/
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any, Self

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
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.redefinition import PureOp, Redefinition, derive
from xdsl_bufferization.dialects.shared.syntax import parse_names, parse_types
from xdsl_bufferization.support.printing import (
    has_unknown_properties,
    print_in_generic_form_if,
)
from xdsl_bufferization.support.shaped_types import i1_of_same_shape

_NUMBERS = (
    base(IntegerType)
    | base(IndexType)
    | base(TensorType[Attribute])
    | base(UnrankedTensorType[Attribute])
    | base(VectorType[Attribute])
)


_SHAPED = TensorType, UnrankedTensorType, VectorType


@irdl_op_definition
class IndexCastOp(Redefinition, arith.IndexCastOp):
    """
    Integers as indices, or indices as integers, extended with the sign; xDSL's op, for
    tensors and vectors of them, too.

    https://mlir.llvm.org/docs/Dialects/ArithOps/#arithindex_cast-arithindexcastop
    """

    name = "arith.index_cast"

    input = operand_def(_NUMBERS)
    result = result_def(_NUMBERS)

    assembly_format = "$input attr-dict `:` type($input) `to` type($result)"

    def __init__(self, input_arg: SSAValue | Operation, target_type: Attribute):
        IRDLOperation.__init__(self, operands=[input_arg], result_types=[target_type])

    def verify_(self) -> None:
        _verify_index_cast(self)


@irdl_op_definition
class IndexCastUIOp(PureOp):
    """
    Integers as indices, or indices as integers, extended with zeros; xDSL lacks it.

    https://mlir.llvm.org/docs/Dialects/ArithOps/#arithindex_castui-arithindexcastuiop
    """

    name = "arith.index_castui"

    input = operand_def(_NUMBERS)
    result = result_def(_NUMBERS)

    assembly_format = "$input attr-dict `:` type($input) `to` type($result)"

    def verify_(self) -> None:
        _verify_index_cast(self)


def _verify_index_cast(op: IndexCastOp | IndexCastUIOp) -> None:
    source, target = op.input.type, op.result.type
    are_indices = [
        isinstance(number_type(type), IndexType) for type in (source, target)
    ]
    if sum(are_indices) != 1 or not have_same_shape(source, target):
        raise VerifyException(
            f"'{op.name}' op operand type '{source}' and result type '{target}' are "
            "cast incompatible"
        )


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


def parse_flags(parser: Parser, known: Container[str]) -> dict[str, Attribute]:
    """Those of the properties `roundingmode`, `fastmath` and `overflowFlags` that are there."""
    properties: dict[str, Attribute] = {}
    if "roundingmode" in known:
        for number, mode in enumerate(_ROUNDING_MODES):
            if parser.parse_optional_keyword(mode):
                properties["roundingmode"] = IntegerAttr(number, i32)
    if "fastmath" in known and parser.parse_optional_keyword("fastmath"):
        flags = arith.FastMathFlagsAttr.parse_parameter(parser)
        properties["fastmath"] = arith.FastMathFlagsAttr(flags)
    if "overflowFlags" in known and parser.parse_optional_keyword("overflow"):
        overflow = arith.IntegerOverflowAttr.parse_parameter(parser)
        properties["overflowFlags"] = arith.IntegerOverflowAttr(overflow)
    return properties


def print_flags(printer: Printer, op: Operation) -> None:
    mode = op.properties.get("roundingmode")
    if isinstance(mode, IntegerAttr):
        printer.print_string(f" {_ROUNDING_MODES[mode.value.data]}")
    for name, keyword in (("fastmath", "fastmath"), ("overflowFlags", "overflow")):
        flags = op.properties.get(name)
        if isinstance(flags, arith.FastMathFlagsAttr | arith.IntegerOverflowAttr):
            if flags.data:
                printer.print_string(f" {keyword}")
                flags.print_parameter(printer)


@irdl_op_definition
class ConversionOp(IRDLOperation):
    """A number as one of another type. The subclasses differ in names and flags."""

    name = "arith.conversion"

    input = operand_def()
    result = result_def()

    fastmath = opt_prop_def(arith.FastMathFlagsAttr)
    overflow_flags = opt_prop_def(arith.IntegerOverflowAttr, prop_name="overflowFlags")
    roundingmode = opt_prop_def(IntegerAttr.constr(i32))

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.input)
        print_flags(printer, self)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.input.type)
        printer.print_string(" to ")
        printer.print_attribute(self.result.type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        value = parser.parse_unresolved_operand()
        properties = parse_flags(parser, cls.get_irdl_definition().properties)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        operand = parser.resolve_operand(value, parser.parse_type())
        parser.parse_keyword("to")
        return cls.build(
            operands=(operand,),
            result_types=(parser.parse_type(),),
            properties=properties,
            attributes=attributes,
        )


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


def _define(
    base: type[IRDLOperation],
    summary: str,
    is_valid: Callable[[Attribute, Attribute], bool],
    *properties: str,
) -> type[Operation]:
    """The op with the properties, for numbers of types that may be converted."""

    def verify(op: ConversionOp) -> None:
        before, after = op.input.type, op.result.type
        if not have_same_shape(before, after) or not is_valid(
            number_type(before), number_type(after)
        ):
            raise VerifyException(f"cannot convert {before} to {after}")

    known = ConversionOp.get_irdl_definition().properties
    return derive(
        ConversionOp,
        base.name,
        summary,
        base=base,
        properties={name: known[name] for name in properties},
        verify=verify,
    )


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

CONVERSIONS = [
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
class ScalingOp(PureOp):
    """A conversion between floats, with a scale. The subclasses differ in their names."""

    name = "arith.scaling"

    input = operand_def()
    scale = operand_def()
    result = result_def()
    fastmath = opt_prop_def(arith.FastMathFlagsAttr)
    roundingmode = opt_prop_def(IntegerAttr.constr(i32))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        operands = parse_names(parser)
        properties = parse_flags(parser, cls.get_irdl_definition().properties)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parse_types(parser)
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
