"""
`affine.if` and `affine.parallel`, which xDSL reads in generic form only. They are printed in
generic form.

Source: https://mlir.llvm.org/docs/Dialects/Affine/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects import affine
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
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
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    PropertyDef,
    base,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.affine.syntax import (
    ValueExpressions,
    parse_operands_of_map,
)
from xdsl_bufferization.dialects.shared.redefinition import (
    refined,
)
from xdsl_bufferization.dialects.shared.syntax import (
    ATOMIC_KINDS,
    parse_induction_variables,
    parse_result_types,
    parse_word,
)


def with_terminator(region: Region) -> Region:
    """The region, ended by an `affine.yield` that may have been left out."""
    if not region.blocks:
        region.add_block(Block())
    last_op = region.block.last_op
    if not isinstance(last_op, affine.YieldOp):
        region.block.add_op(affine.YieldOp.get())
    return region


class IfOp(affine.IfOp):
    """
    One of two regions, by conditions on indices; xDSL's op, which is read in custom form,
    too, and printed in generic form.
    """

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        condition = parser.parse_attribute()
        if not isinstance(condition, AffineSetAttr):
            parser.raise_error("affine set expected", position, parser.pos)
        operands = parse_operands_of_map(parser)
        result_types = parse_result_types(parser)
        then_region, else_region = with_terminator(parser.parse_region()), Region()
        if parser.parse_optional_keyword("else"):
            else_region = with_terminator(parser.parse_region())
        return cls.build(
            operands=(_resolved(parser, operands),),
            result_types=(result_types,),
            properties={"condition": condition},
            attributes=parser.parse_optional_attr_dict(),
            regions=(then_region, else_region),
        )


@refined(
    properties={"reductions": PropertyDef(base(ArrayAttr[IntegerAttr[IntegerType]]))}
)
class ParallelOp(affine.ParallelOp):
    """Loops whose iterations may run in parallel; xDSL's op, with reductions."""

    def verify_(self) -> None:
        operands = sum(
            map.data.num_dims + map.data.num_symbols
            for map in (self.lowerBoundsMap, self.upperBoundsMap)
        )
        if len(self.map_operands) != operands:
            raise VerifyException(
                "Expected as many operands as results, lower bound args and upper bound "
                "args."
            )
        if len(self.reductions) != len(self.res):
            raise VerifyException("expected a reduction for each result")
        for role, groups, map in (
            ("a lower", self.lowerBoundsGroups, self.lowerBoundsMap),
            ("an upper", self.upperBoundsGroups, self.upperBoundsMap),
        ):
            if sum(_numbers(groups)) != len(map.data.results):
                raise VerifyException(
                    f"Expected {role} bound group for each {role.split()[-1]} bound"
                )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        paren = parser.Delimiter.PAREN
        arguments = parse_induction_variables(parser)
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
                paren, lambda: parse_word(parser, "operation", ATOMIC_KINDS)
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


def _numbers(groups: DenseIntElementsAttr) -> Sequence[int]:
    """The number of results of the map for each bound."""
    return [int(n) for n in groups.get_values()]


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
    return map, groups, _resolved(parser, operands)


def _resolved(
    parser: Parser, operands: Sequence[UnresolvedOperand]
) -> Sequence[SSAValue]:
    return [parser.resolve_operand(operand, IndexType()) for operand in operands]
