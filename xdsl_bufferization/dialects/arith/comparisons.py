"""
Comparisons, selections and exact divisions; xDSL's ops, for tensors and vectors, too, and
with all flags.

Source: https://mlir.llvm.org/docs/Dialects/ArithOps/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    IndexType,
    IntegerAttr,
    IntegerType,
    UnitAttr,
    VectorType,
    i1,
    i64,
)
from xdsl.ir import Operation, OpTraits
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.parser import Parser
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.arith.conversions import (
    FASTMATH,
    have_same_shape,
    number_type,
)
from xdsl_bufferization.dialects.shared.redefinition import canonicalization, derive
from xdsl_bufferization.dialects.shared.syntax import (
    SAME,
    TRUTH,
    parse_names,
    words,
)
from xdsl_bufferization.support.printing import (
    has_attributes,
    has_unknown_properties,
    print_in_generic_form_if,
)
from xdsl_bufferization.support.shaped_types import i1_of_same_shape


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

COMPARISONS = [CmpiOp, CmpfOp, SelectOp, *_EXACT_OPS]
"""The classes of the ops."""

print_in_generic_form_if(has_unknown_properties, [op.name for op in _EXACT_OPS])
print_in_generic_form_if(has_attributes, [CmpiOp.name, CmpfOp.name])
