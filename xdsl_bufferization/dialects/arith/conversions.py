"""
Ops that convert numbers; xDSL's ops, for tensors and vectors of numbers, and with all flags.

Source: https://mlir.llvm.org/docs/Dialects/ArithOps/
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any, Self, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, IntegerAttr, IntegerType, i32
from xdsl.ir import Attribute, Operation
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.arith.casts import have_same_shape, number_type
from xdsl_bufferization.dialects.shared.redefinition import derive
from xdsl_bufferization.support.printing import (
    has_unknown_properties,
    print_in_generic_form_if,
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
        properties["fastmath"] = arith.FastMathFlagsAttr(cast(Any, flags))
    if "overflowFlags" in known and parser.parse_optional_keyword("overflow"):
        overflow = arith.IntegerOverflowAttr.parse_parameter(parser)
        properties["overflowFlags"] = arith.IntegerOverflowAttr(cast(Any, overflow))
    return properties


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
        mode = self.properties.get("roundingmode")
        if isinstance(mode, IntegerAttr):
            number = cast("IntegerAttr[IntegerType]", mode).value.data
            printer.print_string(f" {_ROUNDING_MODES[number]}")
        for name, keyword in (("fastmath", "fastmath"), ("overflowFlags", "overflow")):
            flags = self.properties.get(name)
            if isinstance(flags, arith.FastMathFlagsAttr | arith.IntegerOverflowAttr):
                if flags.data:
                    printer.print_string(f" {keyword}")
                    flags.print_parameter(printer)
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
