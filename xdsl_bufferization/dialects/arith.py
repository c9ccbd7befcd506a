"""
The `arith` dialect of LLVM 22: xDSL's, with ops and flags that it lacks, and for tensors and
vectors where xDSL has numbers only.

Source: https://mlir.llvm.org/docs/Dialects/ArithOps/
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import gt, lt
from typing import Any, Self

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    IndexType,
    IntegerAttr,
    IntegerType,
    ShapedType,
    TensorType,
    UnitAttr,
    UnrankedTensorType,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, OpTraits
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.redefinition import (
    PureOp,
    canonicalization,
    derive,
    refined,
)
from xdsl_bufferization.dialects.shared.syntax import (
    SAME,
    TRUTH,
    parse_names,
    words,
)
from xdsl_bufferization.host.extensions import Extension
from xdsl_bufferization.host.printing import (
    has_attributes,
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


def _between(
    source: Any,
    target: Any,
    compare: Callable[[int, int], bool] | None = None,
) -> Callable[[Any, Any], bool]:
    """Whether types are of these kinds, and their bit widths compare like this."""

    def is_valid(a: Any, b: Any) -> bool:
        if not isinstance(a, source) or not isinstance(b, target):
            return False
        return compare is None or compare(a.bitwidth, b.bitwidth)

    return is_valid


def _are_index_and_integer(source: Attribute, target: Attribute) -> bool:
    return {type(source), type(target)} == {IndexType, IntegerType}


def _conversion(
    base: type[IRDLOperation] | str,
    summary: str,
    is_valid: Callable[[Attribute, Attribute], bool],
    *properties: str,
) -> type[Operation]:
    """The op, xDSL's or one of this name, for numbers of types that may be converted."""

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
        base if isinstance(base, str) else base.name,
        summary,
        "$input",
        "type($input)",
        *properties,
        base=None if isinstance(base, str) else base,
        verify=verify,
    )


ExtSIOp = _conversion(
    arith.ExtSIOp,
    "A signed integer as a wider one.",
    _between(IntegerType, IntegerType, lt),
)
ExtUIOp = _conversion(
    arith.ExtUIOp,
    "An unsigned integer as a wider one.",
    _between(IntegerType, IntegerType, lt),
)
TruncIOp = _conversion(
    arith.TruncIOp,
    "An integer as a narrower one.",
    _between(IntegerType, IntegerType, gt),
    "overflowFlags",
)
ExtFOp = _conversion(
    arith.ExtFOp,
    "A float as a wider one.",
    _between(AnyFloat, AnyFloat, lt),
    "fastmath",
)
TruncFOp = _conversion(
    arith.TruncFOp,
    "A float as a narrower one.",
    _between(AnyFloat, AnyFloat, gt),
    "fastmath",
    "roundingmode",
)
SIToFPOp = _conversion(
    arith.SIToFPOp, "A signed integer as a float.", _between(IntegerType, AnyFloat)
)
UIToFPOp = _conversion(
    arith.UIToFPOp, "An unsigned integer as a float.", _between(IntegerType, AnyFloat)
)
FPToSIOp = _conversion(
    arith.FPToSIOp, "A float as a signed integer.", _between(AnyFloat, IntegerType)
)
FPToUIOp = _conversion(
    arith.FPToUIOp, "A float as an unsigned integer.", _between(AnyFloat, IntegerType)
)

IndexCastOp = _conversion(
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


@irdl_op_definition
class ComparisonOp(IRDLOperation):
    """A comparison of integers or floats. The subclasses differ in their names."""

    name = "arith.comparison"

    predicate = prop_def(IntegerAttr.constr(i64))
    lhs = operand_def()
    rhs = operand_def()
    result = result_def()
    fastmath = prop_def(
        arith.FastMathFlagsAttr, default_value=arith.FastMathFlagsAttr("none")
    )


def _verify_comparison(op: ComparisonOp) -> None:
    if op.lhs.type != op.rhs.type:
        raise VerifyException(f"cannot compare {op.lhs.type} with {op.rhs.type}")
    if isinstance(number_type(op.lhs.type), VectorType):
        raise VerifyException(
            f"cannot compare {op.lhs.type}, whose elements are vectors"
        )
    if op.result.type != i1_of_same_shape(op.lhs.type):
        raise VerifyException(
            f"Expected attribute {i1_of_same_shape(op.lhs.type)} but got {op.result.type}"
        )


class _CompareEqualNumbers(RewritePattern):
    """xDSL's pattern, for numbers only: its result is an `i1`."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        from xdsl.transforms.canonicalization_patterns import arith as patterns

        if isinstance(op, arith.CmpiOp) and op.result.type == i1:
            patterns.ApplyCmpiPredicateToEqualOperands().match_and_rewrite(op, rewriter)


@irdl_op_definition
class SelectionOp(IRDLOperation):
    """`arith.select`, with a condition for each element, too."""

    name = "arith.select"

    cond = operand_def()
    lhs = operand_def()
    rhs = operand_def()
    result = result_def()

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_operand)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        if self.cond.type != i1:
            printer.print_attribute(self.cond.type)
            printer.print_string(", ")
        printer.print_attribute(self.result.type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        operands = parse_names(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        condition, type = i1, parser.parse_type()
        if parser.parse_optional_punctuation(","):
            condition, type = type, parser.parse_type()
        return cls.build(
            operands=parser.resolve_operands(
                operands, (condition, type, type), position
            ),
            result_types=(type,),
            attributes=attributes,
        )


def _verify_selection(op: SelectionOp) -> None:
    condition, type = op.cond.type, op.result.type
    if not op.lhs.type == op.rhs.type == type:
        raise VerifyException(
            f"cannot select {type} from {op.lhs.type} and {op.rhs.type}"
        )
    if condition != i1 and (
        condition == number_type(condition)
        or number_type(condition) != i1
        or not have_same_shape(condition, type)
    ):
        raise VerifyException(f"cannot select {type} by {condition}")


@irdl_op_definition
class ExactOp(IRDLOperation):
    """A division or shift whose remainder may be declared to be zero."""

    name = "arith.exact"

    lhs = operand_def()
    rhs = operand_def()
    result = result_def()
    is_exact = opt_prop_def(UnitAttr, prop_name="isExact")


def _verify_exact(op: ExactOp) -> None:
    type = op.result.type
    if op.lhs.type != type or op.rhs.type != type:
        raise VerifyException(
            f"operands of {op.lhs.type} and {op.rhs.type} for a result of {type}"
        )
    if not isinstance(number_type(type), IntegerType | IndexType):
        raise VerifyException(f"{type} is no integer, and not made of integers")


def _comparison(
    base: type[IRDLOperation], summary: str, predicates: Sequence[str], *flags: str
) -> type[Operation]:
    known = ComparisonOp.get_irdl_definition().properties
    return derive(
        ComparisonOp,
        base.name,
        summary,
        base=base,
        properties={name: known[name] for name in ("predicate", *flags)},
        verify=_verify_comparison,
        assembly_format=(
            f"custom<Predicate>($predicate) `,` $lhs `,` $rhs {FASTMATH if flags else ''} "
            "attr-dict `:` type($lhs) custom<Same>(ref(type($lhs)), type($rhs)) "
            "custom<Truth>(ref(type($lhs)), type($result))"
        ),
        directives={
            "Same": SAME,
            "Predicate": words("predicate", predicates),
            "Truth": TRUTH,
        },
    )


CmpiOp = _comparison(
    arith.CmpiOp,
    "A comparison of integers or indices, or of each of their pairs of elements.",
    arith.CMPI_COMPARISON_OPERATIONS,
)
CmpiOp.traits = OpTraits(
    lambda: (canonicalization(lambda: (_CompareEqualNumbers(),)), Pure())
)

CmpfOp = _comparison(
    arith.CmpfOp,
    "A comparison of floats, or of each of their pairs of elements.",
    arith.CMPF_COMPARISON_OPERATIONS,
    "fastmath",
)
SelectOp = derive(
    SelectionOp,
    "arith.select",
    "The first value where the condition is true, and the second elsewhere.",
    base=arith.SelectOp,
    verify=_verify_selection,
)


def _exact(base: type[IRDLOperation], summary: str) -> type[Operation]:
    return derive(
        ExactOp,
        base.name,
        summary,
        base=base,
        verify=_verify_exact,
        assembly_format=(
            "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($lhs) "
            "custom<Same>(ref(type($lhs)), type($rhs)) "
            "custom<Same>(ref(type($lhs)), type($result))"
        ),
        directives={"Same": SAME},
    )


DivSIOp = _exact(arith.DivSIOp, "The quotient of signed integers, rounded to zero.")
DivUIOp = _exact(arith.DivUIOp, "The quotient of unsigned integers, rounded to zero.")
ShRSIOp = _exact(arith.ShRSIOp, "A signed integer, shifted to the right.")
ShRUIOp = _exact(arith.ShRUIOp, "An unsigned integer, shifted to the right.")

_EXACT_OPS = [DivSIOp, DivUIOp, ShRSIOp, ShRUIOp]

print_in_generic_form_if(has_unknown_properties, [op.name for op in _EXACT_OPS])
print_in_generic_form_if(has_attributes, [CmpiOp.name, CmpfOp.name])


EXTENSION = Extension(
    [
        *CONVERSIONS,
        *_EXACT_OPS,
        AddUIExtendedOp,
        CmpfOp,
        CmpiOp,
        RemfOp,
        ScalingExtfOp,
        ScalingTruncfOp,
        SelectOp,
    ],
    repair="unranked_arith",
)
