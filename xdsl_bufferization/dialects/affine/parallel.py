"""
`affine.parallel`, which xDSL reads in generic form only, and only without reductions.

Source: https://mlir.llvm.org/docs/Dialects/Affine/#affineparallel-affineaffineparallelop
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, Self, cast

from xdsl.dialects import affine
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseIntElementsAttr,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import (
    irdl_op_definition,
    prop_def,
    region_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.affine.control_flow import (
    can_omit_terminator,
    with_terminator,
)
from xdsl_bufferization.dialects.atomic_kinds import name_of, parse_name
from xdsl_bufferization.dialects.superset import Redefinition
from xdsl_bufferization.repairs.affine_syntax import (
    ValueExpressions,
    print_expression,
)
from xdsl_bufferization.repairs.linalg_operands import (
    parse_result_types,
    print_result_types,
)


@irdl_op_definition
class ParallelOp(Redefinition, affine.ParallelOp):
    """Loops whose iterations may run in parallel; xDSL's op, with reductions."""

    name = "affine.parallel"

    map_operands = var_operand_def(IndexType)
    reductions = prop_def(ArrayAttr[IntegerAttr[IntegerType]])
    lowerBoundsMap = prop_def(AffineMapAttr)
    lowerBoundsGroups = prop_def(DenseIntElementsAttr)
    upperBoundsMap = prop_def(AffineMapAttr)
    upperBoundsGroups = prop_def(DenseIntElementsAttr)
    steps = prop_def(ArrayAttr[IntegerAttr[IntegerType]])
    res = var_result_def()
    body = region_def("single_block")

    def verify_(self) -> None:
        operands = sum(
            map.data.num_dims + map.data.num_symbols
            for map in (self.lowerBoundsMap, self.upperBoundsMap)
        )
        if len(self.map_operands) != operands:
            raise VerifyException(
                f"the maps have {operands} dimensions and symbols, but there are "
                f"{len(self.map_operands)} operands"
            )
        if len(cast("ArrayAttr[Any]", self.reductions)) != len(self.res):
            raise VerifyException("expected a reduction for each result")
        for role, groups, map in (
            ("lower", self.lowerBoundsGroups, self.lowerBoundsMap),
            ("upper", self.upperBoundsGroups, self.upperBoundsMap),
        ):
            if sum(_numbers(groups)) != len(map.data.results):
                raise VerifyException(f"expected a {role} bound group for each bound")

    def print(self, printer: Printer) -> None:
        lower, upper = self.lowerBoundsMap.data, self.upperBoundsMap.data
        split = lower.num_dims + lower.num_symbols
        lower_groups, upper_groups = self.lowerBoundsGroups, self.upperBoundsGroups
        printer.print_string(" ")
        with printer.in_parens():
            printer.print_list(self.body.block.args, printer.print_operand)
        printer.print_string(" = ")
        _print_bounds(printer, "max", lower_groups, lower, self.map_operands[:split])
        printer.print_string(" to ")
        _print_bounds(printer, "min", upper_groups, upper, self.map_operands[split:])
        steps = [step.value.data for step in self.steps]
        if any(step != 1 for step in steps):
            printer.print_string(" step ")
            with printer.in_parens():
                printer.print_list(steps, printer.print_int)
        if self.res:
            names = [name_of(kind) for kind in self.reductions]
            printer.print_string(" reduce ")
            with printer.in_parens():
                printer.print_list(names, printer.print_string_literal)
            print_result_types(printer, self.res.types)
        printer.print_string(" ")
        printer.print_region(
            self.body,
            print_entry_block_args=False,
            print_empty_block=False,
            print_block_terminators=not can_omit_terminator(self.body),
        )
        printer.print_op_attributes(self.attributes)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        paren = parser.Delimiter.PAREN
        arguments = [
            argument.resolve(IndexType())
            for argument in parser.parse_comma_separated_list(
                paren, lambda: parser.parse_argument(expect_type=False)
            )
        ]
        parser.parse_punctuation("=")
        lower_map, lower_groups, lower = _parse_bounds(parser, "max")
        parser.parse_keyword("to")
        upper_map, upper_groups, upper = _parse_bounds(parser, "min")
        steps = [1] * len(arguments)
        if parser.parse_optional_keyword("step"):
            steps = parser.parse_comma_separated_list(paren, parser.parse_integer)
        reductions: Sequence[Attribute] = ()
        if parser.parse_optional_keyword("reduce"):
            reductions = parser.parse_comma_separated_list(
                paren, lambda: parse_name(parser)
            )
        result_types = parse_result_types(parser)
        body = with_terminator(parser.parse_region(arguments))
        return cls.build(
            operands=((*lower, *upper),),
            result_types=(result_types,),
            properties={
                "lowerBoundsGroups": lower_groups,
                "lowerBoundsMap": lower_map,
                "reductions": ArrayAttr(reductions),
                "steps": ArrayAttr(IntegerAttr(step, i64) for step in steps),
                "upperBoundsGroups": upper_groups,
                "upperBoundsMap": upper_map,
            },
            attributes=parser.parse_optional_attr_dict(),
            regions=(body,),
        )


def _numbers(groups: Attribute) -> Sequence[int]:
    """The number of results of the map for each bound."""
    return [int(n) for n in cast("DenseIntElementsAttr", groups).get_values()]


def _print_bounds(
    printer: Printer,
    prefix: str,
    groups: Attribute,
    map: AffineMap,
    operands: Sequence[SSAValue],
) -> None:
    """Prints `(0, max(%i, 4))`, where `prefix` is `max`."""
    results = iter(map.results)

    def print_bound(size: int) -> None:
        if size != 1:
            printer.print_string(f"{prefix}(")
        printer.print_list(
            islice(results, size),
            lambda result: print_expression(printer, result, map.num_dims, operands),
        )
        if size != 1:
            printer.print_string(")")

    with printer.in_parens():
        printer.print_list(_numbers(groups), print_bound)


def _parse_bounds(
    parser: Parser, prefix: str
) -> tuple[AffineMapAttr, Attribute, Sequence[SSAValue]]:
    """`(0, max(%i, 4))` as a map, how many of its results each bound has, and operands."""
    expressions = ValueExpressions(parser)

    def parse_bound() -> int:
        if not parser.parse_optional_keyword(prefix):
            expressions.parse()
            return 1
        return len(
            parser.parse_comma_separated_list(parser.Delimiter.PAREN, expressions.parse)
        )

    sizes = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_bound)
    groups = DenseIntOrFPElementsAttr.from_list(TensorType(i32, [len(sizes)]), sizes)
    map, operands = expressions.result()
    return map, groups, operands
